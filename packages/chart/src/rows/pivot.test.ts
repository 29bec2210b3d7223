import { describe, expect, test } from 'vitest';
import type { ChannelAxis } from '../chart.ts';
import { pivotColumns, pivotLines, pivotValues } from './pivot.ts';

const rows: ChannelAxis[] = [
  { channel: 'row', kind: 'categories', field: 'a', values: ['x', 'y'], other: false },
  { channel: 'row', kind: 'categories', field: 'b', values: ['p', 'q'], other: false },
];
const columns: ChannelAxis[] = [
  { channel: 'column', kind: 'categories', field: 'c', values: [1, 2], other: false },
];
//                       x.p    x.q     y.p    y.q
const main = Float64Array.of(1, 2, 3, 0, Number.NaN, 5, 7, 7);
const parts: Record<string, Float64Array> = {
  '2,1': main,
  '1,1': Float64Array.of(4, 2, 7, 12),
  '2,0': Float64Array.of(3, 3, 5, 14),
  '1,0': Float64Array.of(6, 19),
  '0,1': Float64Array.of(11, 14),
  '0,0': Float64Array.of(99),
};
const valueAt = pivotValues((r, c) => ({
  axes: [...rows.slice(0, r), ...columns.slice(0, c)],
  values: parts[`${r},${c}`]!,
}));

describe('a pivot', () => {
  test('uses the result of its own axes for each total, and adds nothing up', () => {
    expect([valueAt([0, 1], [0], 0), valueAt([1], [1], 0), valueAt([], [], 0)]).toEqual([3, 12, 99]);
  });
  test('lists branches before their children, the total last', () => {
    expect(pivotLines(rows, new Set(), () => true).map(line => line.key)).toEqual([
      '0',
      '0.0',
      '0.1',
      '1',
      '1.0',
      '1.1',
      'total',
    ]);
  });
  test('hides the children of a closed branch, and empty rows', () => {
    expect(
      pivotLines(rows, new Set(['0']), positions => positions.join('.') !== '1.0').map(line => line.key),
    ).toEqual(['0', '1', '1.1', 'total']);
  });
  test('is sorted within each branch, nulls last', () => {
    const valueOf = (positions: readonly number[]) => valueAt(positions, [0], 0);
    expect(
      pivotLines(rows, new Set(), () => true, { valueOf, isDescending: true }).map(line => line.key),
    ).toEqual(['1', '1.1', '1.0', '0', '0.1', '0.0', 'total']);
  });
  test('has each level’s total after its columns', () => {
    expect(pivotColumns(columns).map(column => column.key)).toEqual(['0', '1', 'all']);
  });
});
