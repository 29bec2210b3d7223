import { EngineError, openDatabase, type Connection } from '@belvedere/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCertificates, type Certificates } from '../../servers/certificates.ts';
import type { TestServer } from '../../servers/server-programs.ts';
import { startClickHouse } from '../../servers/start-clickhouse.ts';
import { startMariaDb } from '../../servers/start-mariadb.ts';
import { hasMySql, startMySql } from '../../servers/start-mysql.ts';
import { startPostgres } from '../../servers/start-postgres.ts';

/** Connections with TLS: which servers are trusted, and which are refused. */

const postgres = ({ certificate, key }: Certificates) =>
  startPostgres(['ssl=on', `ssl_cert_file=${certificate}`, `ssl_key_file=${key}`]);
const mariaDb = ({ certificate, key }: Certificates) =>
  startMariaDb([`--ssl-cert=${certificate}`, `--ssl-key=${key}`]);
const mySql = ({ certificate, key }: Certificates) =>
  startMySql([`--ssl-cert=${certificate}`, `--ssl-key=${key}`, '--performance-schema=ON']);
const clickHouse = async (files: Certificates) => {
  const cluster = await startClickHouse(1, files);
  return { ...cluster, port: cluster.httpsPort ?? cluster.port };
};

const kinds = [
  ['PostgreSQL', postgres, 'postgres', 'select ssl::int from pg_stat_ssl where pid = pg_backend_pid()'],
  [
    'MariaDB',
    mariaDb,
    'mariadb',
    "select length(variable_value) > 0 from information_schema.session_status where variable_name = 'Ssl_cipher'",
  ],
  ...(hasMySql
    ? [
        [
          'MySQL',
          mySql,
          'mysql',
          "select length(variable_value) > 0 from performance_schema.session_status where variable_name = 'Ssl_cipher'",
        ] as const,
      ]
    : []),
  ['ClickHouse', clickHouse, 'clickhouse', 'select 1'],
] as const;

// A server of another owner has certificates of its own.
const isOurs = !['POSTGRES', 'MARIADB', 'MYSQL', 'CLICKHOUSE'].some(
  name => process.env[`BELVEDERE_TEST_${name}`],
);

describe.runIf(isOurs).each(kinds)('%s', (_, start, kind, isSecured) => {
  let files: Certificates;
  let server: TestServer;
  beforeAll(async () => {
    files = await makeCertificates('127.0.0.1');
    server = await start(files);
  });
  afterAll(async () => {
    await server?.stop();
    await files?.remove();
  });

  async function outcome(
    tls: Connection['tls'],
    changes: Partial<Connection> = {},
  ): Promise<number | string> {
    const engine = await openDatabase(kind, {
      host: server.host,
      port: server.port,
      database: server.database,
      user: server.user,
      password: server.password,
      tls,
      ...changes,
    });
    try {
      await engine.check();
      const answer = await engine.run(
        { text: isSecured, parameters: [], columns: [{ name: 'is', type: 'integer' }] },
        { as: 'values', timeoutMs: 10_000, maxRows: 10 },
      );
      return Number(answer.columns[0]!.values[0]);
    } catch (error) {
      return error instanceof EngineError ? `${error.code}: ${error.message}` : `not ours: ${String(error)}`;
    } finally {
      await engine.close().catch(() => {});
    }
  }

  test('a server with a certificate from the named authority is connected, and the connection is encrypted', async () => {
    expect(await outcome({ ca: files.authority })).toBe(1);
  });

  test('a server with an unknown authority is refused, with advice', async () => {
    expect(await outcome('verified')).toMatch(/^source-refused: .*certificate.*tls/s);
  });

  test('a server with a certificate from another authority is refused', async () => {
    const other = await makeCertificates('127.0.0.1');
    await other.remove();
    expect(await outcome({ ca: other.authority })).toMatch(/^source-refused: .*certificate.*tls/s);
  });

  test('a server with another server’s certificate is refused', async () => {
    expect(await outcome({ ca: files.authority }, { host: 'localhost' })).toMatch(
      /^source-refused: .*certificate.*localhost/s,
    );
  });
});
