import { expect, test } from 'vitest';
import { sampleQueries } from './sample-queries.ts';

const column = (name: string, type: string) => ({ name, type });

test('sample queries read the largest table and group it by its first text column', () => {
  expect(
    sampleQueries([
      { name: 'small', rows: 3, columns: [column('a', 'text')] },
      {
        name: 'Big table',
        rows: 900,
        columns: [column('id', 'integer'), column('city', 'text'), column('minutes', 'number')],
      },
    ]),
  ).toEqual([
    'select * from "Big table" limit 100',
    'select city, count(*) as row_count, avg(minutes) as average\nfrom "Big table"\ngroup by city\norder by row_count desc\nlimit 20',
  ]);
});

test('the table that is grouped may be smaller than the one without text', () => {
  expect(
    sampleQueries([
      { name: 'keys', rows: 99, columns: [column('a', 'integer'), column('customer_id', 'text')] },
      { name: 'cities', rows: 5, columns: [column('city', 'text')] },
    ])[1],
  ).toBe('select city, count(*) as row_count\nfrom cities\ngroup by city\norder by row_count desc\nlimit 20');
});

test('there are no sample queries without a table, and one for a table without text', () => {
  expect(sampleQueries([])).toEqual([]);
  expect(sampleQueries([{ name: 't', columns: [column('n', 'integer')] }])).toEqual([
    'select * from t limit 100',
  ]);
});
