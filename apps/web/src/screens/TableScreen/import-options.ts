import type { ImportOptions } from '@belvedere/api';

/** An option of the import that is not about one column. */
export type ImportOption = Exclude<keyof ImportOptions, 'columns' | 'files'>;

const optionsByKind: readonly (readonly [RegExp, readonly ImportOption[]])[] = [
  [
    /\.(json|geojson|topojson|ndjson|jsonl|geojsonl|geojsons)$/,
    ['nested', 'encoding', 'decimal', 'dates', 'nulls'],
  ],
  // A workbook says where its cells end and what their characters are.
  [/\.(xlsx|xlsm|xlsb|xls|ods)$/, ['header', 'skip', 'decimal', 'dates', 'nulls']],
  [/\.(parquet|pq|arrow|arrows|feather|avro|duckdb)$/, ['nested', 'dates']],
  [/\.(sqlite|sqlite3|db)$/, ['dates']],
];
const ofText: readonly ImportOption[] = [
  'encoding',
  'delimiter',
  'header',
  'skip',
  'decimal',
  'dates',
  'nulls',
];
const ofArchive: readonly ImportOption[] = ['nested', ...ofText];

/** Returns the options that the files of a table have. Archives may contain files of any kind. */
export function importOptionsOf(files: readonly string[]): ReadonlySet<ImportOption> {
  return new Set(
    files.flatMap(file => {
      const name = file.toLowerCase().replace(/\.(gz|zst)$/, '');
      if (/\.(zip|tar|tgz)$/.test(name)) return ofArchive;
      return optionsByKind.find(([pattern]) => pattern.test(name))?.[1] ?? ofText;
    }),
  );
}
