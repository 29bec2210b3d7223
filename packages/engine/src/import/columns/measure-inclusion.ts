import type { Candidate, Inclusion, TableColumns, TableProfile } from '@belvedere/model';
import type { Statement } from '@belvedere/sql';
import type { QueryResult } from '../../result.ts';
import { isSampledRow } from './draw-sample.ts';
import { quoted } from '../sql-text.ts';

/** Where both tables have more rows, about so many references are looked up, evenly spread. */
const sampledReferences = { above: 200_000, rows: 50_000 };

/** What a table is called in SQL. */
type AddressOf = (table: string) => string;

/**
 * A query for how many rows of a candidate find their key: of all rows, unless both tables are large.
 * @param source the table that refers
 * @param target the table that is referred to
 */
export function inclusionStatement(
  { from, to }: Pick<Candidate, 'from' | 'to'>,
  addressOf: AddressOf,
  source: TableProfile,
  target: TableProfile,
): Statement {
  const keys = to.columns.map(quoted);
  const columns = from.columns.map(quoted);
  const filled = from.columns.map(column => isFilled(column, source));
  const sampled = isSampled(source, target)
    ? [isSampledRow(Math.round(source.rows / sampledReferences.rows))]
    : [];
  const references = `select ${columns.join(', ')} from ${addressOf(from.table)} where ${[...filled, ...sampled].join(' and ')}`;
  const pairs = columns.map((column, i) => `f.${column} = k.${keys[i]}`).join(' and ');
  const figures = [
    `select count(*) from (${references})`,
    `select count(*) from (${references}) f semi join ${addressOf(to.table)} k on ${pairs}`,
    keysInRange(from.columns, keys, addressOf(to.table), source),
  ];
  return generated(`select ${figures.map((figure, i) => `(${figure}) as f${i}`).join(', ')}`);
}

/** What the answer to `inclusionStatement` says. */
export function inclusionIn(
  { columns }: QueryResult,
  { from }: Pick<Candidate, 'from'>,
  source: TableProfile,
  target: TableProfile,
): Omit<Inclusion, 'isUnique'> {
  const [rows, matched, inside] = columns.map(column => Number(column.values[0] ?? Number.NaN));
  const range = rangeOf(from.columns, source);
  return {
    rows: rows!,
    matched: matched!,
    ...(isSampled(source, target) && { isSampled: true }),
    ...(range && { density: inside! / (range[1] - range[0] + 1) }),
  };
}

/** On a server, at most so many rows are looked up: the first that it finds. */
export const serverReferences = 50_000;

/** The query of `inclusionStatement` for a server, in SQL that all of them understand. */
export function serverInclusionStatement(
  { from, to }: Pick<Candidate, 'from' | 'to'>,
  addressOf: AddressOf,
  quote: (name: string) => string,
): Statement {
  const tuple = (columns: readonly string[]) =>
    columns.length === 1 ? columns[0]! : `(${columns.join(', ')})`;
  const columns = from.columns.map(quote);
  const keys = to.columns.map(quote);
  const filled = columns.map(column => `${column} is not null`).join(' and ');
  const references = `select ${columns.join(', ')} from ${addressOf(from.table)} where ${filled} limit ${serverReferences}`;
  const known = `select ${keys.join(', ')} from ${addressOf(to.table)} where ${keys.map(key => `${key} is not null`).join(' and ')}`;
  return generated(
    `select count(*) as f0, sum(case when ${tuple(columns)} in (${known}) then 1 else 0 end) as f1 from (${references}) f`,
  );
}

/** What the answer to `serverInclusionStatement` says. */
export function serverInclusionIn({ columns }: QueryResult): Omit<Inclusion, 'isUnique'> {
  const [rows = 0, matched = 0] = columns.map(column => Number(column.values[0] ?? 0) || 0);
  return { rows, matched, ...(rows === serverReferences && { isSampled: true }) };
}

/** A query for the number of rows whose key occurs before, in the SQL of any engine. */
export function repeatedKeysStatement(
  { table, columns }: TableColumns,
  addressOf: AddressOf,
  quote: (name: string) => string = quoted,
): Statement {
  const keys = columns.map(quote);
  const rows = `from ${addressOf(table)} where ${keys.map(key => `${key} is not null`).join(' and ')}`;
  return generated(
    `select (select count(*) ${rows}) - (select count(*) from (select distinct ${keys.join(', ')} ${rows}) d) as repeated`,
  );
}

const generated = (text: string): Statement => ({ text, parameters: [], isGenerated: true });

function isSampled(source: TableProfile, target: TableProfile): boolean {
  return Math.min(source.rows, target.rows) > sampledReferences.above;
}

function isFilled(column: string, { columns }: TableProfile): string {
  const isText = columns.find(({ name }) => name === column)?.type === 'text';
  return `${quoted(column)} is not null${isText ? ` and ${quoted(column)} <> ''` : ''}`;
}

/** How many keys lie between the 1st and the 99th percentile of the reference. */
function keysInRange(
  columns: readonly string[],
  keys: readonly string[],
  target: string,
  source: TableProfile,
): string {
  const range = rangeOf(columns, source);
  return range
    ? `select count(*) from ${target} where ${keys[0]} between ${range[0]} and ${range[1]}`
    : 'select null';
}

function rangeOf(
  [first, ...rest]: readonly string[],
  { columns }: TableProfile,
): readonly [number, number] | undefined {
  const { low, high } = columns.find(({ name }) => name === first) ?? {};
  return rest.length > 0 || low === undefined || high === undefined ? undefined : [low, high];
}
