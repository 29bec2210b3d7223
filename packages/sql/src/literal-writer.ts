import { isNumeric, isTemporal, type DataType } from '@belvedere/model';
import type { Value } from '@belvedere/query';
import type { Dialect } from './dialect.ts';

/** How texts are written: bound to placeholders, or as literals for statements that take no parameters. */
export type TextMode = 'bound' | 'inline';

/** Writes values, and binds texts to placeholders in the order in which they are written. */
export class LiteralWriter {
  readonly parameters: string[];
  readonly #dialect: Dialect;
  readonly #texts: TextMode;

  /** @param parameters of the statement so far; bound texts are appended to it */
  constructor(dialect: Dialect, texts: TextMode, parameters: string[]) {
    this.#dialect = dialect;
    this.#texts = texts;
    this.parameters = parameters;
  }

  /** A value in the form in which values of its type are compared. */
  literal(value: Exclude<Value, null>, type: DataType): string {
    if (typeof value === 'number') return isTemporal(type) ? this.#dialect.time(value) : numberLiteral(value);
    if (typeof value === 'boolean') return this.#dialect.boolean(value);
    if (type === 'text' || type === 'other') return this.bind(value);
    if (type === 'boolean') return this.#dialect.cast(this.bind(value), 'text', 'boolean');
    // Numbers that a double cannot hold exactly are texts, and are written unchanged.
    if (isNumeric(type) && /^-?\d+(\.\d+)?$/.test(value)) return value;
    return this.#dialect.cast(this.bind(value), 'text', isNumeric(type) ? 'double' : 'timestamp');
  }

  bind(text: string): string {
    if (this.#texts === 'inline' || !this.#dialect.placeholder) return this.#dialect.text(text);
    this.parameters.push(text);
    return this.#dialect.placeholder(this.parameters.length);
  }
}

/** @throws RangeError for NaN and infinities */
export function numberLiteral(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be written as SQL.`);
  // The exponent makes the literal a double and keeps every digit.
  return Number.isInteger(value) && Math.abs(value) < 2 ** 53
    ? String(value)
    : `${value}${/e/.test(String(value)) ? '' : 'e0'}`;
}

/** @throws RangeError for anything but a count of rows */
export function rowCountLiteral(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is not a count of rows.`);
  return String(value);
}
