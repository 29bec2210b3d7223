import type { Column, Expression, Join, JoinRange } from '@belvedere/model';
import type { Plan } from '@belvedere/query';
import type { Dialect } from './dialect.ts';
import { comparableTimes, isRange, keysWithoutOverlap, rangesOfKeys } from './range-join.ts';
import { writeSql, type Statement } from './write-sql.ts';

/** A join by a range from the model's own table, which is not restricted by policies. */
export type RangeJoin = Join & { readonly between: JoinRange };

/**
 * Counts the rows of a table that have a key and a time, and those of them that find a row, as `f0` and `f1`.
 * @param from the table's address
 * @param limit so many rows are counted at most
 */
export function rangeMatchesStatement(
  dialect: Dialect,
  from: string,
  join: RangeJoin,
  addressOf: (table: string) => string,
  limit?: number,
): Statement {
  const columns = [...new Set([...join.on, join.between].map(({ column }) => dialect.quote(column)))];
  const filled = columns.map(column => `${column} is not null`).join(' and ');
  const rows = `(select ${columns.join(', ')} from ${from} where ${filled}${limit === undefined ? '' : ` limit ${limit}`})`;
  const { name, type } = join.between.begin;
  const count = (args: readonly Expression[]) =>
    ({ kind: 'model', expression: { kind: 'call', name: 'count', args } }) as const;
  const plan: Plan = {
    table: '',
    joins: { range: join },
    zone: 'UTC',
    columns: [
      { name: 'f0', expression: count([]), type: 'integer' },
      { name: 'f1', expression: count([{ kind: 'column', join: 'range', name, type }]), type: 'integer' },
    ],
    where: [],
    groupBy: 0,
    order: [],
  };
  return writeSql(plan, dialect, table => (table === '' ? rows : addressOf(table)));
}

/** A query for the number of keys of a table whose ranges overlap. */
export function overlapsStatement(
  dialect: Dialect,
  table: string,
  keys: readonly Column[],
  [begin, end]: readonly [Column, Column],
): Statement {
  const written = keys.map(key => dialect.column(dialect.quote(key.name), key.type));
  const comparable = comparableTimes(dialect, 'UTC', { column: '', type: begin.type, begin, end });
  const range = {
    begin: comparable(dialect.quote(begin.name), begin.type),
    end: comparable(dialect.quote(end.name), end.type),
  };
  const named = written.map((value, i) => ({ value, name: dialect.quote(`key ${i}`) }));
  const seconds = { begin: `toUInt32(${range.begin})`, end: `toUInt32(${range.end})` };
  const without =
    dialect.joins === 'flat'
      ? keysWithoutOverlap(dialect, `${table} as t`, written, range)
      : rangesOfKeys(table, named, seconds, { begin: 'key_begins', end: 'key_ends' });
  const isKey = [...written.map(value => `${value} is not null`), isRange(range)].join(' and ');
  const all = `select distinct ${named.map(({ value, name }) => `${value} as ${name}`).join(', ')} from ${table} where ${isKey}`;
  const count = (rows: string, alias: string) => `(select count(*) from (${rows}) as ${alias})`;
  const withoutNulls = `select * from (${without}) as k where ${named.map(({ name }) => `${name} is not null`).join(' and ')}`;
  return {
    text: `select ${count(all, 'a')} - ${count(withoutNulls, 'b')} as overlapping`,
    parameters: [],
    isGenerated: true,
  };
}
