import {
  createConnection,
  createPool,
  type Connection as MySqlConnection,
  type ConnectionOptions,
  type Pool,
  type PoolConnection,
} from 'mysql2';
import { connect as connectSocket, type Socket } from 'node:net';
import { connectMs, maxConnections, type Connection } from '../database/connection.ts';
import { authoritiesFor } from '../database/verified-tls.ts';
import { asEngineError } from './mysql-errors.ts';

/** The connections to one server. */
export class MySqlConnections {
  readonly #connection: Connection;
  readonly #config: ConnectionOptions;
  readonly #pool: Pool;
  /**
   * Separate connections for custom SQL. If a statement manages to change its session, no other statement is
   * affected.
   */
  readonly #customPool: Pool;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#config = configOf(connection);
    const limits = { connectionLimit: maxConnections, maxIdle: maxConnections, enableKeepAlive: true };
    this.#pool = createPool({ ...this.#config, ...limits, idleTimeout: 60_000 });
    this.#customPool = createPool({ ...this.#config, ...limits, idleTimeout: 10_000 });
  }

  /** @throws EngineError */
  get(use: 'queries' | 'custom SQL' = 'queries'): Promise<PoolConnection> {
    const pool = use === 'queries' ? this.#pool : this.#customPool;
    return new Promise((resolve, reject) => {
      pool.getConnection((error, client) =>
        error ? reject(asEngineError(error, this.#connection)) : resolve(client),
      );
    });
  }

  /** Cancels a connection's statement in the server, through another connection. */
  kill(client: PoolConnection): Promise<void> {
    return new Promise((resolve, reject) => {
      const other = createConnection(this.#config);
      other.on('error', reject);
      other.query(`kill query ${Number(client.threadId)}`, error => {
        other.destroy();
        if (error) reject(error);
        else resolve();
      });
    });
  }

  async close(): Promise<void> {
    const pools = [this.#pool, this.#customPool];
    await Promise.all(pools.map(pool => new Promise<void>(resolve => pool.end(() => resolve()))));
  }
}

function configOf(connection: Connection): ConnectionOptions {
  return {
    host: connection.host,
    port: connection.port,
    database: connection.database,
    user: connection.user,
    password: connection.password,
    ...(connection.tls !== 'off' && {
      ssl: { rejectUnauthorized: true, verifyIdentity: true, ca: authoritiesFor(connection.tls) },
      stream: () => namedSocket(connection),
    }),
    connectTimeout: connectMs,
    charset: 'utf8mb4',
    multipleStatements: false,
    rowsAsArray: true,
    // Never send a local file to a server that requests one.
    flags: ['-LOCAL_FILES'],
    // Values stay texts as received. They are UTF-8, as requested, even if the server declares a computed
    // value as bytes.
    typeCast: (field: { string(encoding: string): string | null }) => field.string('utf8'),
  };
}

/**
 * The driver passes Node only the socket, without a host name. For a server configured by IP address, Node
 * then expects a certificate of `localhost`. Node reads a socket's host name from `_host`.
 */
function namedSocket({ host, port }: Connection): Socket {
  return Object.assign(connectSocket({ host, port, keepAlive: true, noDelay: true }), { _host: host });
}

/** The connection behind a pool's handle. The pool creates a new handle each time. */
export function connectionOf(client: PoolConnection): MySqlConnection {
  return (client as unknown as { connection?: MySqlConnection }).connection ?? client;
}

export function socketOf(client: PoolConnection): Socket {
  return (connectionOf(client) as unknown as { stream: Socket }).stream;
}
