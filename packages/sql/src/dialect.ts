import type { CastType, DataType, FunctionUnit } from '@belvedere/model';

/** The differences between engines. All other SQL is written once, in write-sql.ts. */
export interface Dialect {
  readonly name: 'duckdb' | 'postgres' | 'mysql' | 'clickhouse';
  readonly quote: (name: string) => string;
  /**
   * The placeholder of a bound text, counted from 1. Absent if the engine takes no parameters and texts are
   * literals.
   */
  readonly placeholder?: (number: number) => string;
  /** A text literal. */
  readonly text: (value: string) => string;
  readonly boolean: (value: boolean) => string;
  /** A literal for a wall-clock time in milliseconds. */
  readonly time: (ms: number) => string;
  /** A column in its normalised form: texts compare byte by byte, and NaN and infinity are null. */
  readonly column: (reference: string, type: DataType | undefined) => string;
  /**
   * A text that sorts by its bytes, for engines that do not do so by default. `isConstant`: the other side of
   * the comparison contains no column either.
   */
  readonly ordered: (text: string, isConstant?: boolean) => string;
  readonly double: (value: string) => string;
  /**
   * An integer of a signed type wide enough that sums, differences and products of column values never
   * overflow.
   */
  readonly whole: (value: string, isColumn: boolean) => string;
  /** An integer that fits 32 bits, in the type that the engine sends fastest. */
  readonly small: (value: string) => string;
  /** Casts a value; null if it does not fit the type. Never an error. */
  readonly cast: (value: string, from: Type, to: CastType) => string;
  /** The remainder of a division of doubles, with the sign of `left`. */
  readonly remainder: (left: string, right: string, isWhole: boolean) => string;
  /** Null if either side is null. */
  readonly concatenate: (left: string, right: string) => string;
  /** Whether integers and decimals compare exactly with doubles without a cast. */
  readonly comparesExact: boolean;
  /** SQL's three-valued `and` and `or`. */
  readonly all: (conditions: readonly string[]) => string;
  readonly any: (conditions: readonly string[]) => string;
  readonly not: (condition: string) => string;
  /**
   * A value as a group key, composed of one column, several columns or none. For doubles, 0 and -0 are one
   * key.
   */
  readonly grouped: (value: string, type: DataType, madeOf: 'a column' | 'columns' | 'nothing') => string;
  /** `%` and `_` are wildcards; no other character is special. */
  readonly like: (text: string, pattern: string) => string;
  readonly containsAnyCase: (text: string, part: string) => string;
  /**
   * An instant as the zone's wall-clock time. The zone is one of Intl's own names, so it needs no escaping.
   */
  readonly local: (instant: string, zone: string) => string;
  readonly truncate: (unit: FunctionUnit, time: string) => string;
  /** The number of unit starts between two times, as a whole number. */
  readonly unitsBetween: (unit: FunctionUnit, from: string, to: string) => string;
  readonly add: (unit: FunctionUnit, count: string, time: string) => string;
  /**
   * The index of a value in a list of literals, from 0; null if it is not in the list. No literal equals
   * null.
   */
  readonly positionIn: (value: string, list: readonly (string | undefined)[], type: DataType) => string;
  /** Whether aggregates support `filter (where …)`. If not, excluded rows become null. */
  readonly hasFilterClause: boolean;
  /**
   * A quantile of a group, for engines without such an aggregate. It is computed from rows that have a rank
   * by value in their group and the group's number of values. Ranks count from 1 for the greatest value, with
   * nulls last, which is the default of such engines for descending order.
   */
  readonly quantileOfNumbered?: (value: string, share: string, place: string, count: string) => string;
  /**
   * An item of `order by`, with nulls last in both directions. `expression` is the expression of the column.
   */
  readonly order: (column: string, isDescending: boolean, expression: string) => string;
  /** The column's name in the statement, for engines in which its own name could refer to something else. */
  readonly alias?: (index: number) => string;
  /** Whether joins are written in sequence, or each around the table before it. */
  readonly joins: 'flat' | 'nested';
  /** Functions whose name or syntax differs from `name(args)`. Times are wall-clock times. */
  readonly functions: Readonly<Record<string, Print>>;
}

export type Type = DataType | 'null';
type Print = (args: readonly string[], types: readonly Type[]) => string;

/** Quotes a name and doubles the quotes inside it. */
export const quoteWith = (mark: string) => (name: string) =>
  `${mark}${name.replaceAll(mark, mark + mark)}${mark}`;

/** A time in milliseconds as `2024-03-09 14:05:00.000`. */
export const timeText = (ms: number) => new Date(ms).toISOString().slice(0, -1).replace('T', ' ');

/** Matches a number in plain or exponential notation. */
export const numberPattern = '^ *[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)? *$';
export const wholePattern = '^ *[-+]?[0-9]{1,18} *$';
/** Matches a date with an optional time. The length of the month is checked elsewhere. */
export const datePattern = '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])';
export const timePattern = '([ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?)?$';
export const truths = ["'true'", "'t'", "'1'"].join(', ');
export const falsehoods = ["'false'", "'f'", "'0'"].join(', ');

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
export const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** Whether a month has a given day. All parts are SQL expressions. */
export function isDay(year: string, month: string, day: string): string {
  return `(${year} between 1 and 9999 and ${month} between 1 and 12 and ${day} between 1 and case when ${month} in (4, 6, 9, 11) then 30 when ${month} <> 2 then 31 when ${year} % 4 = 0 and (${year} % 100 <> 0 or ${year} % 400 = 0) then 29 else 28 end)`;
}
