export type { Dialect } from './dialect.ts';
export { duckdb } from './dialects/duckdb.ts';
export { writeSql, type Statement } from './write-sql.ts';
