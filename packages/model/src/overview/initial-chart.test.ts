import { expect, test } from 'vitest';
import { buildModel } from '../build-model.ts';
import { inferModel } from '../inference/infer-model.ts';
import { initialChart } from './initial-chart.ts';
import type { ColumnProfile, TableProfile } from '../table.ts';

const day = 86_400_000;
const column = (
  name: string,
  type: ColumnProfile['type'],
  more: Partial<ColumnProfile> = {},
): ColumnProfile => ({
  name,
  type,
  nulls: 0,
  empties: 0,
  distinct: 300,
  isDistinctExact: true,
  top: [],
  ...more,
});
const amount = column('amount', 'number', { min: 1, max: 90, low: 1, high: 90 });
const ordered = column('ordered', 'date', { min: 0, max: 299 * day, low: 0, high: 299 * day });
const channel = column('channel', 'text', {
  distinct: 3,
  top: ['Web', 'Shop', 'Phone'].map((value, i) => ({ value, rows: 300 - i * 40 })),
});

function chartOf(columns: readonly ColumnProfile[], isKnown = true) {
  const table: TableProfile = { name: 'orders', rows: 800, columns };
  const { model } = buildModel('orders', inferModel(table), [table]);
  return initialChart(model!, isKnown ? table : undefined);
}

test.each([
  ['over time', [channel, ordered, amount], { field: 'ordered', timeUnit: 'week' }],
  ['by its best dimension without a time', [channel, amount], { field: 'channel' }],
  ['alone without either', [amount], {}],
])('exploring begins with the primary measure %s', (_, columns, along) => {
  expect(chartOf(columns)).toEqual({ measure: 'total_amount', isTotal: true, ...along });
});

test('exploring a table of a database, of which no values are known, begins with its measure over time', () => {
  expect(chartOf([channel, ordered, amount], false)).toEqual({
    measure: 'total_amount',
    isTotal: true,
    field: 'ordered',
  });
});
