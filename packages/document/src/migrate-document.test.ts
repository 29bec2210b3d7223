import { expect, test } from 'vitest';
import { migrateDocument } from './migrate-document.ts';
import { readDocument } from './read-document.ts';

test.each([
  [
    '# yaml-language-server: $schema=…\n\n# Ours\ntitle: Delays # of all\npages: []\n',
    '# yaml-language-server: $schema=…\n\n# Ours\nversion: 1\ntitle: Delays # of all\npages: []\n',
  ],
  ['{ title: Delays, pages: [] }\n', '{ version: 1, title: Delays, pages: [] }\n'],
  ['---\r\ntitle: Delays\r\n', '---\r\nversion: 1\ntitle: Delays\r\n'],
  ['{}', '{ version: 1}'],
])('a document without a version gets the first: %j', (before, after) => {
  expect(migrateDocument(before)).toBe(after);
  expect(migrateDocument(after)).toBe(after);
});

test.each([
  'version: 1\ntitle: Delays\n',
  'version: 2\nlater: true\n',
  'version: one\n',
  'title: [\n',
  '- a\n',
  '',
  'just words\n',
])('everything else is left as it is: %j', text => {
  expect(migrateDocument(text)).toBe(text);
});

test('a migrated document can be read', () => {
  expect(
    readDocument(
      'dashboard',
      migrateDocument('title: Delays\npages:\n  - title: One\n    tiles: {}\n'),
      'dashboards/delays.yaml',
    ).ok,
  ).toBe(true);
});
