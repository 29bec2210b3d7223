import { isTemporal, type DataType } from '@belvedere/model';
import { EngineError, refuseBytes, type Answer, type AnswerColumn, type RunOptions } from '../answer.ts';
import { exactNumber } from '../exact-number.ts';

type Value = string | number | boolean | null;

/** Gathers the rows of an answer, which servers send as texts, into columns of what the texts mean. */
export class TextAnswer {
  readonly #columns: readonly { readonly name: string; readonly type: DataType }[];
  readonly #options: Pick<RunOptions, 'as' | 'maxRows' | 'maxBytes'>;
  readonly #values: Value[][];
  readonly #read: readonly ((text: string) => Value)[];
  rows = 0;
  bytes = 0;

  /** @param zeroDate what `0000-00-00` means: no date, or, to ClickHouse before 2020, the first there is */
  constructor(columns: readonly { readonly name: string; readonly type: DataType }[], options: Pick<RunOptions, 'as' | 'maxRows' | 'maxBytes'>, zeroDate: 0 | null = null) {
    this.#columns = columns;
    this.#options = options;
    this.#values = columns.map(() => []);
    this.#read = columns.map(({ type }) => (options.as === 'numbers' ? Number : reader(type, zeroDate)));
  }

  /** @throws EngineError query-too-large */
  add(row: readonly (string | null)[]): void {
    if (++this.rows > this.#options.maxRows) throw new EngineError('query-too-large', `The answer has more than ${this.#options.maxRows.toLocaleString('en')} rows.`);
    const nothing = this.#options.as === 'numbers' ? Number.NaN : null;
    for (let i = 0; i < this.#values.length; i++) {
      const text = row[i];
      this.bytes += text?.length ?? 1;
      this.#values[i]!.push(text === null || text === undefined ? nothing : this.#read[i]!(text));
    }
    refuseBytes(this.bytes, this.#options.maxBytes);
  }

  get answer(): Answer {
    const asNumbers = this.#options.as === 'numbers';
    return { rowCount: this.rows, columns: this.#columns.map(({ name, type }, i): AnswerColumn => ({ name, type, values: asNumbers ? Float64Array.from(this.#values[i] as number[]) : this.#values[i]! })) };
  }
}

/** See `AnswerColumn.values`. */
function reader(type: DataType, zeroDate: 0 | null): (text: string) => Value {
  if (isTemporal(type)) return text => (text.startsWith('0000-00-00') ? zeroDate : wallClock(text));
  switch (type) {
    case 'integer':
    case 'decimal':
      return exactNumber;
    case 'number':
      return text => {
        const value = Number(text);
        return Number.isFinite(value) ? value : /^-?inf/i.test(text) ? (text.startsWith('-') ? '-Infinity' : 'Infinity') : 'NaN';
      };
    case 'boolean':
      return text => text === '1' || text === 't' || text === 'true';
    default:
      return text => text;
  }
}

const clock = /^(\d{4,6})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?)?(?:\+00(?::?00)?|Z)?( BC)?$/;

/** `2024-03-09 14:05:00.123` in milliseconds, years before 1000 and after 9999 too; nothing for what is no time, such as infinity. */
function wallClock(text: string): number | null {
  const match = clock.exec(text);
  if (!match) return null;
  const [, year, month, day, hour = 0, minute = 0, second = 0, fraction = '', before] = match;
  const date = new Date(0);
  date.setUTCFullYear(before ? 1 - Number(year) : Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.slice(0, 3).padEnd(3, '0')));
  return date.getTime();
}
