import type { Candidate, Inclusion, TableProfile } from '@belvedere/model';
import type { Statement } from '@belvedere/sql';
import type { Answer } from '../result.ts';
import { quoted } from './sql-text.ts';

/**
 * A query for how many rows of a candidate find their key, over all rows.
 * @param addressOf what a table is called in SQL
 */
export function inclusionStatement(
  { from, to, isKeyKnown }: Candidate,
  addressOf: (table: string) => string,
  profile: TableProfile,
): Statement {
  const [source, target] = [addressOf(from.table), addressOf(to.table)];
  const keys = to.columns.map(quoted);
  const pairs = from.columns.map((column, i) => `f.${quoted(column)} = k.${keys[i]}`);
  const figures = {
    filled: `select count(*) from ${source} where ${from.columns.map(column => isFilled(column, profile)).join(' and ')}`,
    matched: `select count(*) from ${source} f semi join ${target} k on ${pairs.join(' and ')}`,
    repeated: isKeyKnown ? 'select 0' : repeatedKeys(keys, target),
    inside: keysInRange(from.columns, keys, target, profile),
  };
  const columns = Object.entries(figures).map(([name, query]) => `(${query}) as ${name}`);
  return { text: `select ${columns.join(', ')}`, parameters: [], isGenerated: true };
}

/** What the answer to `inclusionStatement` says. */
export function inclusionIn({ columns }: Answer, candidate: Candidate, profile: TableProfile): Inclusion {
  const [rows, matched, repeated, inside] = columns.map(column => Number(column.values[0] ?? Number.NaN));
  const range = rangeOf(candidate.from.columns, profile);
  const density = range && inside! / (range[1] - range[0] + 1);
  return {
    rows: rows!,
    matched: matched!,
    isUnique: repeated === 0,
    ...(density !== undefined && { density }),
  };
}

function isFilled(column: string, { columns }: TableProfile): string {
  const isText = columns.find(({ name }) => name === column)?.type === 'text';
  return `${quoted(column)} is not null${isText ? ` and ${quoted(column)} <> ''` : ''}`;
}

function repeatedKeys(keys: readonly string[], target: string): string {
  const isFull = keys.map(key => `${key} is not null`).join(' and ');
  const different = `select distinct ${keys.join(', ')} from ${target} where ${isFull}`;
  return `select (select count(*) from ${target} where ${isFull}) - (select count(*) from (${different}))`;
}

/** How many keys lie between the 1st and the 99th percentile of the reference. */
function keysInRange(
  columns: readonly string[],
  keys: readonly string[],
  target: string,
  profile: TableProfile,
): string {
  const range = rangeOf(columns, profile);
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
