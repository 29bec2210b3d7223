export * from './result.ts';
export type { StoredTable } from './column-store/column-store.ts';
export { CircuitBreaker } from './database/circuit-breaker.ts';
export { CertificateError } from './database/verified-tls.ts';
export { isThisMachine } from './database/connection-errors.ts';
export type {
  Connection,
  DatabaseEngine,
  DatabaseTable,
  ForeignKey,
  ServerFacts,
} from './database/connection.ts';
export { sampleRows } from './database/sample-rows.ts';
export { openDuckDb, type Engine, type FileEngine } from './engine.ts';
export { openDatabase } from './open-database.ts';
export { asyncChannel } from './async-channel.ts';
export { linesOf } from './lines-of.ts';
export { entriesInTar } from './import/archives/tar-entries.ts';
export { FirstLines } from './import/csv/first-lines.ts';
export { discover } from './import/discovery/discover.ts';
export { partShownFirst, type TablePart } from './import/discovery/table-part.ts';
export { isProgramFolder, kindOfFile, reasonNotRead, supportedFiles } from './import/discovery/file-kinds.ts';
export type { DiscoveredTable } from './import/discovery/discovered-table.ts';
export { Importer } from './import/importer.ts';
export {
  inclusionIn,
  inclusionStatement,
  repeatedKeysStatement,
  serverInclusionIn,
  serverInclusionStatement,
  serverReferences,
} from './import/columns/measure-inclusion.ts';
export * from './import/report.ts';
export {
  irregularityOf,
  IrregularFileError,
  openRegularFile,
  readFileStart,
  readRegularFile,
} from './regular-file.ts';
export { redactPaths } from './redact-paths.ts';
