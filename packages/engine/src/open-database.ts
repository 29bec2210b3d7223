import type { Connection, DatabaseEngine } from './database/connection.ts';

/**
 * Opens a database server's engine without connecting yet. Its driver is loaded on first use, because all
 * drivers together are a fifth of the modules that the server loads at its start.
 * @param times how to interpret ClickHouse's times
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
