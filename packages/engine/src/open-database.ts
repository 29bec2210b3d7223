import type { Connection, DatabaseEngine } from './database/connection.ts';

/**
 * Opens a database server's engine; nothing is asked of it yet. Its driver is loaded with the first of its kind: all of them together are a fifth
 * of what the server loads at its start.
 * @param times what ClickHouse's times are
 */
export async function openDatabase(
  kind: 'postgres' | 'mysql' | 'mariadb' | 'clickhouse',
  connection: Connection,
  times?: 'moments' | 'wall clock',
): Promise<DatabaseEngine> {
  switch (kind) {
    case 'postgres':
      return (await import('./postgres/open-postgres.ts')).openPostgres(connection);
    case 'mysql':
    case 'mariadb':
      return (await import('./mysql/open-mysql.ts')).openMySql(connection, kind);
    case 'clickhouse':
      return (await import('./clickhouse/open-clickhouse.ts')).openClickHouse(connection, times);
  }
}
