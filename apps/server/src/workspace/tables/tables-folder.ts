import { createHash } from 'node:crypto';
import path from 'node:path';
import { cacheFolder } from '../cache-folder.ts';

/**
 * The folder of the imported tables. DuckDB takes all after a question mark in a database's path for the query of
 * an address, and would look for its log elsewhere. Such paths have their tables in the user's cache, without
 * the name of the folder.
 */
export function tablesFolderOf(state: string): string {
  if (!state.includes('?')) return path.join(state, 'tables');
  const key = createHash('sha256').update(state).digest('hex').slice(0, 12);
  return path.join(cacheFolder(), `tables-${key}`);
}
