import { filterOn } from '@belvedere/query';
import type { Model } from '@belvedere/model';
import { describe, expect, test } from 'vitest';
import { isRowNamed, rowAsShown, rowName } from './row-name.ts';

const columns = [
  { name: 'id', type: 'integer' },
  { name: 'city', type: 'text' },
  { name: 'day', type: 'date' },
  { name: 'at', type: 'time' },
];
const day = Date.UTC(2024, 0, 5);
const row = [7, null, day, day + 3_600_000];

describe('rows of tables', () => {
  test('are named by their key', () => {
    expect(rowName(columns, row, ['id'])).toEqual({ id: { oneOf: [7] } });
  });

  test('are named by all of their columns without a key, times as text', () => {
    expect(rowName(columns, row, ['id', 'city', 'day', 'at'])).toEqual({
      id: { oneOf: [7] },
      city: { oneOf: [null] },
      day: { oneOf: ['2024-01-05'] },
      at: { oneOf: ['2024-01-05T01:00:00'] },
    });
  });

  test('have no name if the table does not show its key', () => {
    expect(rowName(columns, row, ['order_no'])).toBeUndefined();
    expect(rowName(columns, row, [])).toBeUndefined();
  });

  test('are found by their name, and not by that of another row or of another table', () => {
    const name = rowName(columns, row, ['id', 'day'])!;
    expect(isRowNamed(columns, row, name)).toBe(true);
    expect(isRowNamed(columns, [8, null, day, day], name)).toBe(false);
    expect(isRowNamed(columns.slice(0, 1), [7], name)).toBe(false);
    expect(isRowNamed(columns, row, { id: { from: 1 } })).toBe(false);
  });

  test.each([day, day + 3_600_000, day + 1, -1, Date.UTC(12_000, 1, 1)])(
    'keep the time %d in a query',
    time => {
      const dimension = { name: 'at', label: 'At', type: 'time' };
      const model = { dimensions: { at: dimension } } as unknown as Model;
      const { at } = rowName(columns, [1, '', 0, time], ['at'])!;
      expect(filterOn(model, 'at', at!, { now: 0 } as never)).toEqual({
        kind: 'oneOf',
        field: 'at',
        values: [time],
      });
    },
  );

  test('are shown with the numbers of their tables', () => {
    const shown = (id: number, format?: string) => rowAsShown({ id: { oneOf: [id] } }, () => format, 'en-US');
    expect(shown(10_260)).toEqual({ id: { oneOf: ['10260'] } });
    expect(shown(10_260, '0.00')).toEqual({ id: { oneOf: [10_260] } });
  });
});
