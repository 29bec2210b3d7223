import { isTemporal, type DataType } from '@belvedere/model';
import { EngineError, refuseBytes, type QueryResult, type ResultColumn, type RunOptions } from '../result.ts';
import { parseExactNumber } from '../parse-exact-number.ts';

type Value = string | number | boolean | null;
/** Parses a text; null is a missing value, undefined an invalid text for the type. */
type Reader = (text: string) => Value | undefined;

/** Collects result rows, which servers send as texts, into columns of parsed values. */
export class TextRows {
  readonly #columns: readonly { readonly name: string; readonly type: DataType }[];
  readonly #options: Pick<RunOptions, 'as' | 'maxRows' | 'maxBytes'>;
  readonly #values: Value[][];
  readonly #read: readonly Reader[];
  rows = 0;
  bytes = 0;

  /** @param zeroDate the value of `0000-00-00`: null or, for ClickHouse before 2020, its first date (0) */
  constructor(
    columns: readonly { readonly name: string; readonly type: DataType }[],
    options: Pick<RunOptions, 'as' | 'maxRows' | 'maxBytes'>,
    zeroDate: 0 | null = null,
  ) {
    this.#columns = columns;
    this.#options = options;
    this.#values = columns.map(() => []);
    this.#read = columns.map(({ type }) =>
      options.as === 'numbers' ? (type === 'boolean' ? booleanAsNumber : asNumber) : reader(type, zeroDate),
    );
  }

  /**
   * @throws EngineError query-too-large, and query-failed for a text that is invalid for its column's type
   */
  add(row: readonly (string | null)[]): void {
    if (++this.rows > this.#options.maxRows)
      throw new EngineError(
        'query-too-large',
        `The result has more than ${this.#options.maxRows.toLocaleString('en')} rows.`,
      );
    const nothing = this.#options.as === 'numbers' ? Number.NaN : null;
    for (let i = 0; i < this.#values.length; i++) {
      const text = row[i];
      this.bytes += text?.length ?? 1;
      const value = text === null || text === undefined ? nothing : this.#read[i]!(text);
      if (value === undefined) this.#refuse(i, text!);
      this.#values[i]!.push(value);
    }
    refuseBytes(this.bytes, this.#options.maxBytes);
  }

  #refuse(i: number, text: string): never {
    const { name, type } = this.#columns[i]!;
    const as = this.#options.as === 'numbers' ? 'a number' : kinds[type];
    throw new EngineError(
      'query-failed',
      `The server returned \`${text.slice(0, 100)}\` in column \`${name}\`, which is not ${as}.`,
    );
  }

  get result(): QueryResult {
    const asNumbers = this.#options.as === 'numbers';
    return {
      rowCount: this.rows,
      columns: this.#columns.map(({ name, type }, i): ResultColumn => ({
        name,
        type,
        values: asNumbers ? Float64Array.from(this.#values[i] as number[]) : this.#values[i]!,
      })),
    };
  }
}

const kinds: Readonly<Record<DataType, string>> = {
  integer: 'a whole number',
  decimal: 'a number',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date',
  time: 'a time',
  instant: 'a time in UTC',
  text: 'a text',
  other: 'a text',
};

/** See `ResultColumn.values`. */
function reader(type: DataType, zeroDate: 0 | null): Reader {
  if (isTemporal(type)) return text => (text.startsWith('0000-00-00') ? zeroDate : wallClock(text));
  switch (type) {
    case 'integer':
    case 'decimal':
      return text => (digits.test(text) ? parseExactNumber(text) : (special(text) ?? asNumber(text)));
    case 'number':
      return text => special(text) ?? asNumber(text);
    case 'boolean':
      return text => truths[text];
    default:
      return text => text;
  }
}

const digits = /^-?(?:\d+(?:\.\d*)?|\.\d+)$/;
/** MySQL sends a `bit(1)` as a byte. */
const truths: Readonly<Record<string, boolean>> = {
  1: true,
  t: true,
  true: true,
  '\u0001': true,
  0: false,
  f: false,
  false: false,
  '\0': false,
};

function booleanAsNumber(text: string): number | undefined {
  const truth = truths[text];
  return truth === undefined ? asNumber(text) : Number(truth);
}

/** The servers' texts for NaN and infinities. */
function special(text: string): 'NaN' | 'Infinity' | '-Infinity' | undefined {
  if (/^-?nan$/i.test(text)) return 'NaN';
  return /^[+-]?inf(?:inity)?$/i.test(text) ? (text.startsWith('-') ? '-Infinity' : 'Infinity') : undefined;
}

function asNumber(text: string): number | undefined {
  const value = Number(text);
  if (!Number.isNaN(value) && text.trim() !== '') return value;
  const named = special(text);
  return named === undefined ? undefined : Number(named);
}

const clock =
  /^(\d{4,6})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?)?(?:\+00(?::?00)?|Z)?( BC)?$/;

/**
 * Parses `2024-03-09 14:05:00.123` to wall-clock milliseconds, including years before 1000 and after 9999.
 * Null for infinity, and for dates such as 2024-00-00, which MySQL can store.
 */
function wallClock(text: string): number | null | undefined {
  if (text === 'infinity' || text === '-infinity') return null;
  const match = clock.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour = 0, minute = 0, second = 0, fraction = '', before] = match;
  if (month === '00' || day === '00') return null;
  const date = new Date(0);
  date.setUTCFullYear(before ? 1 - Number(year) : Number(year), Number(month) - 1, Number(day));
  // Reject days that do not exist. `Date` would move them to the next month.
  if (date.getUTCDate() !== Number(day) || Number(month) > 12) return undefined;
  date.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.slice(0, 3).padEnd(3, '0')));
  return date.getTime();
}
