import {
  isNumeric,
  startsOf,
  type DataType,
  type Join,
  type JoinKey,
  type JoinRange,
} from '@belvedere/model';
import { columnsRead, type Plan } from '@belvedere/query';
import { rowAlias } from './column-scope.ts';
import type { Dialect } from './dialect.ts';
import { asText } from './expression-writer.ts';
import {
  beginOfRange,
  comparableTimes,
  isRange,
  isWithin,
  keysWithoutOverlap,
  rangesOfKeys,
  type WrittenRange,
} from './range-join.ts';

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
      if (join.between) {
        const { join: from, column, type } = join.between;
        const here = `${from === undefined ? rowAlias : this.#dialect.quote(from)}.${this.#dialect.quote(column)}`;
        const time = this.#comparable(join.between)(here, type);
        on.push(isWithin(time, this.#rangeOf(join.between, `${this.#dialect.quote(name)}.`)));
      }
      return `\nleft join ${this.#joined(join)} as ${this.#dialect.quote(name)} on ${on.join(' and ')}`;
    });
    return `${this.#from} as ${rowAlias}${joins.join('')}`;
  }

  /** Each join around the table before it. Joined columns that are read get names of their own. */
  #nestedJoins(): string {
    const read = joinedColumns(this.#plan);
    return Object.entries(this.#plan.joins).reduce((inside, [name, join]) => {
      const values = [...(read.get(name) ?? [])].map(
        column => `${this.#dialect.quote(column)} as ${this.#dialect.quote(`${name}.${column}`)}`,
      );
      const { keys, on } = this.#nestedKeys(name, join, 'key');
      if (join.between) return this.#nestedRange(inside, name, join, join.between, values);
      const right = `(select ${[...keys, ...values].join(', ')} from ${this.#joined(join)})`;
      return `(select * from ${inside} global any left join ${right} on ${on.join(' and ')})`;
    }, this.#from);
  }

  /** The keys of a joined table under names of their own, and the conditions that compare them. */
  #nestedKeys(name: string, join: Join, label: string) {
    const named = (i: number) => this.#dialect.quote(`${name} ${label} ${i}`);
    return {
      keys: join.on.map(
        (key, i) => `${this.#keyOf(this.#dialect.quote(key.equals), key.equalsType, key)} as ${named(i)}`,
      ),
      on: join.on.map((key, i) => `${this.#keyOf(this.#nested(key), key.type, key)} = ${named(i)}`),
    };
  }

  #nested({ join, column }: Pick<JoinKey, 'join' | 'column'>): string {
    return this.#dialect.quote(join === undefined ? column : `${join}.${column}`);
  }

  /** Finds for each row the begin of its range first, and then the one row of the key with that begin. */
  #nestedRange(
    inside: string,
    name: string,
    join: Join,
    between: JoinRange,
    values: readonly string[],
  ): string {
    const own = (label: string) => this.#dialect.quote(`${name} ${label}`);
    const names = { begin: own('begins'), end: own('ends') };
    const { begin, end } = this.#rangeOf(between, '');
    const range = { begin: `toUInt32(${begin})`, end: `toUInt32(${end})` };
    const byKey = join.on.map((key, i) => ({
      value: this.#keyOf(this.#dialect.quote(key.equals), key.equalsType, key),
      name: own(`key ${i}`),
    }));
    const ranges = rangesOfKeys(this.#visibleRows(join), byKey, range, names);
    const { on } = this.#nestedKeys(name, join, 'key');
    const time = this.#comparable(between)(this.#nested(between), between.type);
    const found = beginOfRange(`toUInt32(${time})`, names);
    const withRanges = `(select * from ${inside} global any left join (${ranges}) on ${on.join(' and ')})`;
    const left = `(select *, ${found} as ${own('found')} from ${withRanges})`;
    const rows = this.#nestedKeys(name, join, 'row key');
    const columns = [...rows.keys, ...values, `${range.begin} as ${own('begin')}`].join(', ');
    const right = `(select ${columns} from ${this.#visibleRows(join)} where ${isRange(range)})`;
    return `(select * from ${left} global any left join ${right} on ${[...rows.on, `${own('found')} = ${own('begin')}`].join(' and ')})`;
  }

  /** The begin and end of a joined row, so that they compare with the time of this table. */
  #rangeOf(between: JoinRange, before: string): WrittenRange {
    const comparable = this.#comparable(between);
    const written = ({ name, type }: JoinRange['begin']) =>
      comparable(`${before}${this.#dialect.quote(name)}`, type);
    return { begin: written(between.begin), end: written(between.end) };
  }

  #comparable(between: JoinRange) {
    return comparableTimes(this.#dialect, this.#plan.zone, between);
  }

  /** The joined table, restricted to rows with a unique key: a join must never duplicate rows. */
  #joined(join: Join): string {
    if (join.isKeyed) return this.#visibleRows(join);
    const written = join.on.map(key => this.#dialect.column(this.#dialect.quote(key.equals), key.equalsType));
    const keys = written.join(', ');
    const rows = () => `${this.#visibleRows(join)} as ${rowAlias}`;
    if (join.between) {
      const range = this.#rangeOf(join.between, '');
      return `(select * from ${rows()} where (${keys}) in (${keysWithoutOverlap(this.#dialect, rows(), written, range)}))`;
    }
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
  const keys = Object.values(plan.joins).flatMap(one =>
    startsOf(one).map(({ join, column }) => ({ join, name: column })),
  );
  for (const { join, name } of [
    ...columnsRead([...plan.columns.map(column => column.expression), ...plan.where]),
    ...keys,
  ]) {
    if (join) found.set(join, (found.get(join) ?? new Set()).add(name));
  }
  return found;
}
