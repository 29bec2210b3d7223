export * from './answer.ts';
export type { StoredTable } from './coded/coded-tables.ts';
export { Circuit } from './database/circuit.ts';
export { isThisMachine } from './database/connection-trouble.ts';
export type { Connection, DatabaseEngine, DatabaseTable, ServerFacts } from './database/connection.ts';
export { profileRows } from './database/profile-rows.ts';
export { openDuckDb, type Engine, type FileEngine } from './engine.ts';
export { openDatabase } from './open-database.ts';
export { handedOver } from './handed-over.ts';
export { FirstLines } from './import/first-lines.ts';
export { discover, kindOfFile } from './import/discover.ts';
export type { FoundTable } from './import/found-table.ts';
export { Importer } from './import/importer.ts';
export * from './import/report.ts';
export {
  irregularityOf,
  IrregularFileError,
  openRegularFile,
  readFileStart,
  readRegularFile,
} from './regular-file.ts';
export { withoutPaths } from './without-paths.ts';
