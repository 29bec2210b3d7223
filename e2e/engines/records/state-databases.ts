import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import {
  openStateDatabase,
  type StateDatabase,
} from '../../../apps/server/src/state/database/state-database.ts';
import type { TestServer } from '../../servers/server-programs.ts';
import { startPostgres } from '../../servers/start-postgres.ts';

/** The kinds of state databases, for `describe.each`. */
export const stateKinds = ['SQLite', 'PostgreSQL'] as const;

/**
 * Starts PostgreSQL for the tests of a file.
 *
 * @returns opens an empty state database: of SQLite in `folder`, of PostgreSQL in a schema of its own
 */
export function stateDatabases(): (
  kind: (typeof stateKinds)[number],
  folder: string,
) => Promise<StateDatabase> {
  let postgres: TestServer;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());
  return (kind, folder) => {
    const { user, host, port, database } = postgres;
    const schema = `state_${randomBytes(6).toString('hex')}`;
    const url = `postgres://${user}@${host}:${port}/${database}?schema=${schema}`;
    return openStateDatabase({ folder, url: kind === 'SQLite' ? undefined : url });
  };
}
