export type { Dialect } from './dialect.ts';
export { clickhouse } from './dialects/clickhouse.ts';
export { duckdb } from './dialects/duckdb.ts';
export { mariadb, mysql, mysqlSession } from './dialects/mysql.ts';
export { postgres } from './dialects/postgres.ts';
export type { FunctionCall } from './custom/custom-query.ts';
export { customStatement, describingStatement } from './custom/custom-statement.ts';
export { SqlError } from './custom/tokens.ts';
export { writeSql, type Statement } from './write-sql.ts';
