import type { Expression } from '@belvedere/model';
import type { Dialect } from './dialect.ts';

/** The alias of a plan's own table, and of the rows that a statement selects from. */
export const rowAlias = 't';

/**
 * Says how columns are referred to. Engines without quantiles number their rows in a subquery. The statement
 * around it reads the columns that the subquery hands on, and the numbers.
 */
export class ColumnScope {
  /** Whether the rows are numbered in a subquery. */
  readonly isNumbered: boolean;
  readonly #dialect: Dialect;
  /** Whether the current expression is written around the subquery with the tables. */
  #isAround: boolean;
  /** The columns that the outer statement reads from the numbered rows, by their reference in the subquery. */
  readonly #handedOn = new Map<string, string>();
  /** The values by which the rows are numbered. */
  readonly #numberedBy: { readonly value: string; readonly isConstant: boolean }[] = [];

  constructor(dialect: Dialect, isNumbered: boolean) {
    this.#dialect = dialect;
    this.isNumbered = isNumbered;
    this.#isAround = isNumbered;
  }

  /** A column where the current expression is written; around the subquery, one that it hands on. */
  reference(column: Expression & { readonly kind: 'column' }): string {
    if (this.#dialect.joins === 'nested')
      return this.#dialect.quote(column.join ? `${column.join}.${column.name}` : column.name);
    const there = `${column.join ? this.#dialect.quote(column.join) : rowAlias}.${this.#dialect.quote(column.name)}`;
    if (!this.#isAround) return there;
    const name = this.#handedOn.get(there) ?? this.#dialect.quote(`belvedere_column_${this.#handedOn.size}`);
    this.#handedOn.set(there, name);
    return `${rowAlias}.${name}`;
  }

  /** Writes something inside the subquery with the tables. */
  atTheTables<T>(write: () => T): T {
    const wasAround = this.#isAround;
    this.#isAround = false;
    try {
      return write();
    } finally {
      this.#isAround = wasAround;
    }
  }

  /** Numbers the rows by a value. @returns references to the row's rank and to the number of values */
  numberBy(value: string, isConstant: boolean): { readonly place: string; readonly count: string } {
    const found = this.#numberedBy.findIndex(other => other.value === value);
    const index = found >= 0 ? found : this.#numberedBy.push({ value, isConstant }) - 1;
    return {
      place: `${rowAlias}.${this.#numbered('place', index)}`,
      count: `${rowAlias}.${this.#numbered('count', index)}`,
    };
  }

  /**
   * What the subquery selects: the columns handed on, and for each value the row's rank in its group and the
   * group's number of values.
   * @param keys of the groups
   */
  selectedNumbers(keys: readonly string[]): string {
    const group = keys.length > 0 ? `partition by ${keys.join(', ')}` : '';
    const numbers = this.#numberedBy.flatMap(({ value, isConstant }, i) => [
      `row_number() over (${group}${isConstant ? '' : ` order by ${value} desc`}) as ${this.#numbered('place', i)}`,
      `count(${value}) over (${group}) as ${this.#numbered('count', i)}`,
    ]);
    return [...[...this.#handedOn].map(([column, name]) => `${column} as ${name}`), ...numbers].join(', ');
  }

  #numbered(what: 'place' | 'count', index: number): string {
    return this.#dialect.quote(`belvedere_${what}_${index}`);
  }
}
