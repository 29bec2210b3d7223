export * from './answer.ts';
export type { StoredTable } from './coded/coded-tables.ts';
export { openDuckDb, type Engine } from './engine.ts';
export { discover, kindOfFile, type FoundTable, type LeftOut } from './import/discover.ts';
export { Importer } from './import/importer.ts';
export * from './import/report.ts';
