import { isNumeric, type DataType, type Join, type JoinKey } from '@belvedere/model';
import { columnsRead, type Plan } from '@belvedere/query';
import { rowAlias } from './column-scope.ts';
import type { Dialect } from './dialect.ts';
import { asText } from './expression-writer.ts';

/** Selects the rows of a table that a condition leaves visible. */
export type SelectVisible = (table: string, visible: NonNullable<Join['visible']>) => string;

/** Writes the tables of a plan: its own and those that are joined to it. */
export class JoinWriter {
  readonly #plan: Plan;
  readonly #dialect: Dialect;
  readonly #from: string;
  readonly #tableName: (table: string) => string;
  readonly #select: SelectVisible;

  /** @param from the plan's own table, written */
  constructor(
    plan: Plan,
    dialect: Dialect,
    from: string,
    tableName: (table: string) => string,
    select: SelectVisible,
  ) {
    this.#plan = plan;
    this.#dialect = dialect;
    this.#from = from;
    this.#tableName = tableName;
    this.#select = select;
  }

  /** The tables of a `from` clause. Texts are bound at each call. */
  write(): string {
    return this.#dialect.joins === 'flat' ? this.#flatJoins() : this.#nestedJoins();
  }

  #flatJoins(): string {
    const joins = Object.entries(this.#plan.joins).map(([name, join]) => {
      const on = join.on.map(key => {
        const [here, there] = [
          `${key.join === undefined ? rowAlias : this.#dialect.quote(key.join)}.${this.#dialect.quote(key.column)}`,
          `${this.#dialect.quote(name)}.${this.#dialect.quote(key.equals)}`,
        ];
        const exact = `${this.#keyOf(here, key.type, key)} = ${this.#keyOf(there, key.equalsType, key)}`;
        // The engine's `=` accepts more pairs than are equal, but it can use an index. So both conditions are
        // written.
        return key.isAlike ? `${here} = ${there} and ${exact}` : exact;
      });
      return `\nleft join ${this.#joined(join)} as ${this.#dialect.quote(name)} on ${on.join(' and ')}`;
    });
    return `${this.#from} as ${rowAlias}${joins.join('')}`;
  }

  /** Each join around the table before it. Joined columns that are read get names of their own. */
  #nestedJoins(): string {
    const read = joinedColumns(this.#plan);
    return Object.entries(this.#plan.joins).reduce((inside, [name, join]) => {
      const keys = join.on.map(
        (key, i) =>
          `${this.#keyOf(this.#dialect.quote(key.equals), key.equalsType, key)} as ${this.#dialect.quote(`${name} key ${i}`)}`,
      );
      const values = [...(read.get(name) ?? [])].map(
        column => `${this.#dialect.quote(column)} as ${this.#dialect.quote(`${name}.${column}`)}`,
      );
      const on = join.on.map((key, i) => {
        const here = this.#dialect.quote(key.join === undefined ? key.column : `${key.join}.${key.column}`);
        return `${this.#keyOf(here, key.type, key)} = ${this.#dialect.quote(`${name} key ${i}`)}`;
      });
      const right = `(select ${[...keys, ...values].join(', ')} from ${this.#joined(join)})`;
      return `(select * from ${inside} global any left join ${right} on ${on.join(' and ')})`;
    }, this.#from);
  }

  /** The joined table, restricted to rows with a unique key: a join must never duplicate rows. */
  #joined(join: Join): string {
    if (join.isKeyed) return this.#visibleRows(join);
    const keys = join.on
      .map(key => this.#dialect.column(this.#dialect.quote(key.equals), key.equalsType))
      .join(', ');
    const rows = () => `${this.#visibleRows(join)} as ${rowAlias}`;
    return `(select * from ${rows()} where (${keys}) in (select ${keys} from ${rows()} group by ${keys} having count(*) = 1))`;
  }

  /** The rows of a joined table that the user may see. */
  #visibleRows({ table, visible }: Join): string {
    return visible ? `(${this.#select(table, visible)})` : this.#tableName(table);
  }

  /** One side of a join condition; keys of different types are compared as text. */
  #keyOf(reference: string, type: DataType, key: JoinKey): string {
    const value = this.#dialect.column(reference, type);
    return key.type === key.equalsType || (isNumeric(key.type) && isNumeric(key.equalsType))
      ? value
      : asText(this.#dialect, value, type);
  }
}

/** The columns of each join that a plan reads, including columns from which other joins start. */
function joinedColumns(plan: Plan): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const keys = Object.values(plan.joins).flatMap(({ on }) =>
    on.map(({ join, column }) => ({ join, name: column })),
  );
  for (const { join, name } of [
    ...columnsRead([...plan.columns.map(column => column.expression), ...plan.where]),
    ...keys,
  ]) {
    if (join) found.set(join, (found.get(join) ?? new Set()).add(name));
  }
  return found;
}
