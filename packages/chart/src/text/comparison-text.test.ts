import { expect, test } from 'vitest';
import { comparisonText, latestChange } from './comparison-text.ts';

const spring = { from: Date.UTC(1996, 3, 1), below: Date.UTC(1996, 10, 1) };

test('a figure is not compared with a period that the data covers only in part', () => {
  const said = (dataFrom?: number) =>
    comparisonText(300, 100, {}, { ...spring, ...(dataFrom !== undefined && { dataFrom }) }, 'en-US');
  expect(said()).toMatchObject({ kind: 'change', change: '▲ 200.0%' });
  expect(said(Date.UTC(1996, 6, 4))).toEqual({
    kind: 'none',
    reason: 'No data before Jul 4, 1996',
  });
});

test('a figure of all time is compared by the last two whole periods of its sparkline', () => {
  const months = (count: number, partial?: { readonly last?: true }) =>
    ({
      kind: 'times',
      field: 'day',
      unit: 'month',
      from: Date.UTC(1998, 1, 1),
      count,
      ...(partial && { partial }),
    }) as const;
  const said = (values: readonly number[], partial?: { readonly last?: true }) =>
    latestChange(values, months(values.length, partial), { better: 'up' }, 'en-US');
  expect(said([80, 100, 125])).toMatchObject({
    change: '▲ 25.0%',
    basis: 'Apr 1998 vs Mar 1998',
    isGood: true,
  });
  // Two dates with their years are cut in a row of four figures.
  const parts = (unit: 'week' | 'day' | 'minute', from: number) =>
    latestChange([80, 100], { kind: 'times', field: 'day', unit, from, count: 2 }, {}, 'en-US');
  expect(parts('week', Date.UTC(2019, 0, 14))).toMatchObject({
    basis: expect.stringMatching(/^Jan 21\s–\s27 vs Jan 14\s–\s20$/),
    period: expect.stringMatching(/^Jan 21\s–\s27, 2019 vs Jan 14\s–\s20, 2019$/),
  });
  expect(parts('day', Date.UTC(2015, 4, 19))).toMatchObject({ basis: 'May 20 vs May 19' });
  expect(parts('week', Date.UTC(2018, 11, 24))?.basis).toContain('2019');
  expect(parts('minute', Date.UTC(2016, 6, 7, 0, 2))?.basis).toMatch(/^12:03\sAM vs 12:02\sAM$/);
  // A month that has only begun would look like a crash.
  expect(said([80, 100, 2], { last: true })).toMatchObject({ basis: 'Mar 1998 vs Feb 1998' });
  expect(said([100, 2], { last: true })).toBeUndefined();
  expect(said([100])).toBeUndefined();
  expect(said([0, 100])).toBeUndefined();
  expect(said([100, Number.NaN])).toBeUndefined();
  expect(said([Number.NaN, 100])).toBeUndefined();
  expect(
    latestChange(
      [1, 2],
      { kind: 'categories', field: 'city', values: ['A', 'B'], other: false },
      {},
      'en-US',
    ),
  ).toBeUndefined();
});

test.each([
  [150, 100, '▲ 50.0%'],
  [999, 100, '▲ 899.0%'],
  [1200, 100, '▲ ×12'],
  [7.1, 0.55, '▲ ×13'],
  [-1200, -100, '▼ ×12'],
  [1, 100, '▼ 99.0%'],
  [4.5, -2, '▲ 6.50'],
  [-2, 4.5, '▼ 6.50'],
])('a figure of %d after %d changed by %s', (value, previous, change) => {
  expect(comparisonText(value, previous, { format: '.2f' }, spring, 'en-US')).toMatchObject({ change });
});
