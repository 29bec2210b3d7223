import { existsSync } from 'node:fs';
import path from 'node:path';
import { openPostgresSnapshot, restorePostgres } from './postgres.ts';
import { openSqliteSnapshot, restoreSqliteFile } from './sqlite-file.ts';
import type { SomeRows, StateSnapshot } from './snapshot-rows.ts';
import type { StateLocation } from './state-database.ts';

/**
 * Takes a snapshot beside the server that uses the database; undefined if there is no database yet.
 * @throws ProblemError `state-unavailable`
 */
export async function openStateSnapshot({ folder, url }: StateLocation): Promise<StateSnapshot | undefined> {
  if (url !== undefined) return openPostgresSnapshot(url);
  const file = path.join(folder, 'state.db');
  return existsSync(file) ? openSqliteSnapshot(file) : undefined;
}

/**
 * Creates a state database of a migration from the lines of a snapshot: all of it, or nothing. The snapshot
 * may come from the other kind of database.
 *
 * @throws ProblemError `state-unavailable` if there is a database with records already, or it is of a newer
 * version; RangeError if the lines are not those of a snapshot
 */
export async function restoreState(
  { folder, url }: StateLocation,
  migration: string,
  lines: AsyncIterable<string>,
): Promise<void> {
  const rows = rowsOf(lines);
  if (url === undefined) await restoreSqliteFile(path.join(folder, 'state.db'), migration, rows);
  else await restorePostgres(url, migration, rows);
}

const rowsAtOnce = 500;

async function* rowsOf(lines: AsyncIterable<string>): AsyncGenerator<SomeRows> {
  let table: string | undefined;
  let rows: Readonly<Record<string, unknown>>[] = [];
  for await (const line of lines) {
    const value = JSON.parse(line) as Readonly<Record<string, unknown>>;
    const [key, ...others] = Object.keys(value);
    const isTable = key === 'table' && others.length === 0 && typeof value['table'] === 'string';
    if (!isTable) rows.push(value);
    if (table !== undefined && rows.length > 0 && (isTable || rows.length >= rowsAtOnce)) {
      yield { table, rows };
      rows = [];
    }
    if (isTable) table = value['table'] as string;
    else if (table === undefined) throw new RangeError('The records do not begin with a table.');
  }
  if (table !== undefined && rows.length > 0) yield { table, rows };
}
