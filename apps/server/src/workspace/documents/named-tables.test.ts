import { readDocument } from '@belvedere/document';
import { expect, test } from 'vitest';
import { namedTables } from './named-tables.ts';
import type { DocumentText } from './read-documents.ts';

const model = (text: string): DocumentText<'model'> => ({
  file: 'm.yaml',
  text,
  updated: '',
  read: readDocument('model', text, 'm.yaml'),
});
const dashboard = (text: string): DocumentText<'dashboard'> => ({
  file: 'd.yaml',
  text,
  updated: '',
  read: readDocument('dashboard', text, 'd.yaml'),
});

test('tables are named by models, their joins and SQL, and by dashboards, even in documents with errors', () => {
  const named = namedTables({
    models: new Map([
      [
        'a',
        model(
          'version: 1\ntable: matches_1968 # the first\njoins:\n  clubs: { table: "clubs 2001", on: { club: id } }\n',
        ),
      ],
      ['b', model(`version: 1\nsql: select * from Matches_1970 join "daily-2024" using (day)\n`)],
      ['c', model('version: 1\ntable: broken_1\nwrong: 1\n')],
    ]),
    dashboards: new Map([
      [
        'd',
        dashboard(
          "version: 1\ntitle: T\nmodel: 'matches_1969'\npages: [{ title: P, tiles: { k: { kind: kpi, model: kpis_3, value: { measure: rows } } } }]\n",
        ),
      ],
    ]),
  });
  for (const name of [
    'matches_1968',
    'clubs 2001',
    'matches_1970',
    'daily-2024',
    'broken_1',
    'matches_1969',
    'kpis_3',
  ])
    expect(named).toContain(name);
  expect(named).not.toContain('T');
});
