import type { ServerSource } from '@belvedere/document';
import {
  EngineError,
  openDatabase,
  type Connection,
  type DatabaseEngine,
  type DatabaseTable,
  type ServerFacts,
} from '@belvedere/engine';
import { secretFor } from './secrets.ts';
import { targetOf } from './source-access.ts';

/**
 * Opens a server's engine without querying it yet.
 * @param typed a password to try instead of the stored one
 * @throws EngineError `source-refused` if its secret cannot be found
 */
export async function openServer(
  name: string,
  source: ServerSource,
  root: string,
  typed?: string,
): Promise<DatabaseEngine> {
  const { connection } = source;
  const target = targetOf(source);
  const use = { root, source: name, target };
  const settings: Connection = {
    host: target.host,
    port: target.port,
    database: connection.database,
    user: target.user,
    password: typed ?? (await secretFor(connection.password, use)),
    tls: typeof target.tls === 'object' ? { ca: await secretFor(target.tls.ca, use) } : target.tls,
    ...(source.schemas && { schemas: source.schemas }),
  };
  if (source.kind !== 'mysql')
    return openDatabase(source.kind, settings, source.kind === 'clickhouse' ? source.times : undefined);
  // Only a connection shows which of the two servers it is.
  const first = await openDatabase('mariadb', settings);
  try {
    const { version } = await first.check();
    if (version.startsWith('MariaDB')) return first;
  } catch (error) {
    await first.close().catch(() => {});
    throw firstTrouble(error);
  }
  await first.close();
  return openDatabase('mysql', settings);
}

/**
 * Connects to a server for the first time: reads its version and its tables.
 * @throws EngineError `source-unreachable`, `source-refused`; both with messages of our own, whatever the
 * server sent
 */
export async function readSchema(
  engine: DatabaseEngine,
): Promise<{ readonly server: ServerFacts; readonly tables: readonly DatabaseTable[] }> {
  try {
    return { server: await engine.check(), tables: await engine.tables() };
  } catch (error) {
    throw firstTrouble(error);
  }
}

/**
 * Until a server has identified itself, none of its messages are passed on, since they may contain anything.
 */
function firstTrouble(error: unknown): EngineError {
  if (error instanceof EngineError && error.code.startsWith('source-')) return error;
  return new EngineError(
    'source-refused',
    'Connected, but the server listed no tables. The user may lack the permission to list them.',
    { cause: error },
  );
}
