import type { CastType, DataType, FunctionUnit } from '@belvedere/model';

/** The few things that engines say differently. Everything else is written once, in write-sql.ts. */
export interface Dialect {
  readonly name: 'duckdb' | 'postgres' | 'mysql' | 'clickhouse';
  readonly quote: (name: string) => string;
  /** Where a bound text stands, counted from 1; absent where the engine takes no parameters and texts are literals. */
  readonly placeholder?: (number: number) => string;
  /** A text as a literal. */
  readonly text: (value: string) => string;
  readonly boolean: (value: boolean) => string;
  /** A wall-clock time given in milliseconds, as a literal. */
  readonly time: (ms: number) => string;
  /** A column as it counts everywhere: texts compared byte by byte, what is no number (NaN, infinity) as nothing. */
  readonly column: (reference: string, type: DataType | undefined) => string;
  /** A text whose order is that of its bytes, where texts are not ordered so anyway. `isConstant`: what it is compared with is made of no column either. */
  readonly ordered: (text: string, isConstant?: boolean) => string;
  readonly double: (value: string) => string;
  /** Wide enough, and with a sign, so that sums, differences and products of what columns hold are never refused. */
  readonly whole: (value: string, isColumn: boolean) => string;
  /** A whole number that fits 32 bits, as the engine sends them fastest. */
  readonly small: (value: string) => string;
  /** The value as that type, null where it does not fit. Never an error. */
  readonly cast: (value: string, from: Type, to: CastType) => string;
  /** What a division of doubles leaves over, with the sign of `left`. */
  readonly remainder: (left: string, right: string, isWhole: boolean) => string;
  /** Null where either is. */
  readonly concatenate: (left: string, right: string) => string;
  /** Whether whole numbers and decimals compare with doubles as they are. */
  readonly comparesExact: boolean;
  /** `and` and `or` as SQL has them, with a third value for what is unknown. */
  readonly all: (conditions: readonly string[]) => string;
  readonly any: (conditions: readonly string[]) => string;
  readonly not: (condition: string) => string;
  /** A value as it is grouped by, made of columns or of none: of doubles, 0 and -0 are one. */
  readonly grouped: (value: string, type: DataType, madeOf: 'a column' | 'columns' | 'nothing') => string;
  /** `%` and `_` stand for anything; nothing else is special. */
  readonly like: (text: string, pattern: string) => string;
  readonly containsAnyCase: (text: string, part: string) => string;
  /** An instant as the zone's wall-clock time. The zone is one of Intl's own names, so it needs no escaping. */
  readonly local: (instant: string, zone: string) => string;
  readonly truncate: (unit: FunctionUnit, time: string) => string;
  /** How many beginnings of a unit lie between two times, as a whole number. */
  readonly unitsBetween: (unit: FunctionUnit, from: string, to: string) => string;
  readonly add: (unit: FunctionUnit, count: string, time: string) => string;
  /** Where in a list of literals a value stands, from 0; null where it stands nowhere. No literal stands for null. */
  readonly positionIn: (value: string, list: readonly (string | undefined)[], type: DataType) => string;
  /** Whether aggregates take `filter (where …)`; elsewhere what is left out counts as null. */
  readonly hasFilterClause: boolean;
  /**
   * A quantile of a group, where there is no aggregate for it: from rows that know their place in the group by the value (from 1,
   * the greatest, on; nulls last, which is how such engines order downwards) and how many values the group has.
   */
  readonly quantileOfNumbered?: (value: string, share: string, place: string, count: string) => string;
  /** One item of `order by`: nulls last, whichever way. `expression` is what stands behind the column. */
  readonly order: (column: string, isDescending: boolean, expression: string) => string;
  /** What a column is called in the statement, where its own name would be taken for something else there. */
  readonly alias?: (index: number) => string;
  /** Joins stand side by side, or each around the table before it. */
  readonly joins: 'flat' | 'nested';
  /** Functions whose name or shape differs from `name(args)`. Times come as wall-clock times. */
  readonly functions: Readonly<Record<string, Print>>;
}

export type Type = DataType | 'null';
export type Print = (args: readonly string[], types: readonly Type[]) => string;

/** Quotes a name, doubling the quote inside it. */
export const quoteWith = (mark: string) => (name: string) =>
  `${mark}${name.replaceAll(mark, mark + mark)}${mark}`;

/** A time in milliseconds as `2024-03-09 14:05:00.000`. */
export const timeText = (ms: number) => new Date(ms).toISOString().slice(0, -1).replace('T', ' ');

/** A text that is a number, in plain or e-notation. */
export const numberPattern = '^ *[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)? *$';
export const wholePattern = '^ *[-+]?[0-9]{1,18} *$';
/** A day of the calendar, its last days of months checked elsewhere; a time may follow. */
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

/** Whether there is a day of that number in a month, both as expressions. */
export function isDay(year: string, month: string, day: string): string {
  return `(${year} between 1 and 9999 and ${month} between 1 and 12 and ${day} between 1 and case when ${month} in (4, 6, 9, 11) then 30 when ${month} <> 2 then 31 when ${year} % 4 = 0 and (${year} % 100 <> 0 or ${year} % 400 = 0) then 29 else 28 end)`;
}
