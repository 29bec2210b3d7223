import type { SystemReport } from '@belvedere/api';
import { sql } from 'kysely';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { StateDatabase, StateLocation } from './state-database.ts';

/** Returns the kind and size of the state database; no size if it cannot be read now. */
export async function stateSize(
  state: StateDatabase,
  { folder, url }: StateLocation,
): Promise<SystemReport['state']> {
  if (url !== undefined) {
    const size = await sql<{ bytes: string | null }>`
      select sum(pg_total_relation_size(c.oid)) as bytes
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = current_schema() and c.relkind = 'r'`
      .execute(state.db)
      .then(({ rows }) => Number(rows[0]?.bytes ?? 0))
      .catch(() => undefined);
    return { kind: 'postgresql', ...(size !== undefined && { bytes: size }) };
  }
  const sizes = await Promise.all(
    ['state.db', 'state.db-wal'].map(name =>
      stat(path.join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return { kind: 'sqlite', bytes: sizes[0]! + sizes[1]! };
}
