import { expect, test } from 'vitest';
import type { DiscoveredTable } from './discovered-table.ts';
import { partShownFirst } from './table-part.ts';

const mib = 2 ** 20;
const table = (files: number, bytes: number, kind: DiscoveredTable['kind'] = 'csv'): DiscoveredTable => ({
  name: 'log',
  kind,
  files: Array.from({ length: files }, (_, i) => `log-${i}.csv`),
  isHive: false,
  bytes,
  fingerprint: 'abc',
});

const sampled = { unit: 'bytes', count: 4 * mib, of: 900 * mib };

test.each<[what: string, DiscoveredTable, part: unknown]>([
  ['one large file', table(1, 900 * mib), sampled],
  ['a large file of objects on lines', table(1, 900 * mib, 'ndjson'), sampled],
  ['a large file of one list', table(1, 900 * mib, 'json'), undefined],
  ['a large Parquet file', table(1, 900 * mib, 'parquet'), undefined],
  ['a large compressed file', { ...table(1, 900 * mib), files: ['log.csv.gz'] }, undefined],
  ['few large files, of which two are much', table(15, 900 * mib), sampled],
  ['few large files in folders that name a column', { ...table(15, 900 * mib), isHive: true }, undefined],
  ['some large files', table(16, 900 * mib), { unit: 'files', count: 2, of: 16 }],
  ['many files of 1 MiB', table(500, 500 * mib), { unit: 'files', count: 4, of: 500 }],
  ['thousands of small files', table(3000, mib), { unit: 'files', count: 20, of: 3000 }],
  ['files that are imported in a moment', table(300, 40 * mib), undefined],
  ['a file that is imported in a moment', table(1, 40 * mib), undefined],
  ['an archive of many entries', table(500, 500 * mib, 'archive'), undefined],
])('the part of %s', (_, found, part) => {
  expect(partShownFirst(found)?.part).toEqual(part);
});

test('first files are a table of their own, of about their bytes', () => {
  expect(partShownFirst(table(500, 500 * mib))?.table).toEqual({
    ...table(4, 4 * mib),
    fingerprint: 'abc-part',
  });
});

test('sampled lines are of the table’s own files', () => {
  expect(partShownFirst(table(1, 900 * mib))?.table).toEqual({
    ...table(1, 4 * mib),
    sampledBytes: 4 * mib,
    fingerprint: 'abc-part',
  });
});
