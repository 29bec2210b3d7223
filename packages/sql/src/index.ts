export type { Dialect } from './dialect.ts';
export { clickhouse } from './dialects/clickhouse.ts';
export { duckdb } from './dialects/duckdb.ts';
export { mariadb, mysql, mysqlSession } from './dialects/mysql.ts';
export { postgres } from './dialects/postgres.ts';
export { inParentheses, writeSql, type Statement } from './write-sql.ts';
