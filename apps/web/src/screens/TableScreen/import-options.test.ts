import { expect, test } from 'vitest';
import { importOptionsOf } from './import-options.ts';

const ofText = ['encoding', 'delimiter', 'header', 'skip', 'decimal', 'dates', 'nulls'];

test.each([
  ['orders.csv', ofText],
  ['orders.tsv.gz', ofText],
  ['orders.XLSX', ['header', 'skip', 'decimal', 'dates', 'nulls']],
  ['events.ndjson.zst', ['nested', 'encoding', 'decimal', 'dates', 'nulls']],
  ['events.parquet', ['nested', 'dates']],
  ['events.avro', ['nested', 'dates']],
  ['shop.sqlite', ['dates']],
  ['archive.tar.gz', ['nested', ...ofText]],
])('the import options of %s are %j', (file, options) => {
  expect([...importOptionsOf([file])]).toEqual(options);
});
