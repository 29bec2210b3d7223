import { expect, test } from 'vitest';
import { nameColumn, sharedName, stemOf } from './file-name-columns.ts';

test.each<[readonly string[], string, string | undefined, (readonly string[])?]>([
  [
    ['matches_1968.csv', 'matches_1969.csv', 'matches_2024.csv'],
    'matches',
    'file_year',
    ['1968', '1969', '2024'],
  ],
  [['matches_2001.csv.gz', 'matches_2002.csv'], 'matches', 'file_year', ['2001', '2002']],
  [['2020-01-22.csv', '2020-02-22.csv'], '', 'file_date', ['2020-01-22', '2020-02-22']],
  [['01-22-2020.csv', '03-02-2020.csv'], '', 'file_date', ['2020-01-22', '2020-03-02']],
  [['22.01.2020.csv', '02.03.2020.csv'], '', 'file_date', ['2020-01-22', '2020-03-02']],
  [['01-02-2020.csv', '03-04-2020.csv'], '2020', 'file_name', ['01-02', '03-04']],
  [['log20240131.csv', 'log20240201.csv'], 'log', 'file_date', ['2024-01-31', '2024-02-01']],
  [['2024-01.csv', '2024-02.csv'], '', 'file_month', ['2024-01-01', '2024-02-01']],
  [['202401 trips.csv', '202312 trips.csv'], 'trips', 'file_month', ['2024-01-01', '2023-12-01']],
  [['week1.csv', 'week12.csv'], 'week', 'file_number', ['1', '12']],
  [['v2_1.csv', 'v2_3.csv'], 'v2', 'file_number', ['1', '3']],
  [['part-0.csv', 'part-1.csv'], 'part', undefined],
  [['sales_north.csv', 'sales_far_north.csv'], 'sales_north', 'file_name', ['', 'far_']],
  [['north.csv', 'south.csv'], '', 'file_name', ['north', 'south']],
  [['north_2024.csv', 'south_2024.csv'], '2024', 'file_name', ['north', 'south']],
  [['a/2001/x.csv', 'a/2002/x.csv'], 'x', 'file_year', ['2001', '2002']],
])('names: %j', (files, shared, column, values) => {
  const found = nameColumn(files);
  expect([sharedName(files.map(stemOf)), found?.name, found?.values]).toEqual([shared, column, values]);
});

test('names of many digits are compared in linear time', () => {
  const long = (digit: string) => digit.repeat(200);
  expect(nameColumn([`${long('1')}x.csv`, `${long('2')}y.csv`])?.values).toHaveLength(2);
  expect(nameColumn([`${long('1')}x1.csv`, `${long('1')}x2.csv`])?.values).toEqual(['1', '2']);
});
