import { lightTheme } from '@belvedere/chart';
import { describe, expect, test } from 'vitest';
import {
  amountColumns,
  colourColumns,
  isAlongTime,
  isRepeated,
  resultChartInput,
  type ResultChartKind,
} from './result-chart-input.ts';

const [january, february] = [Date.UTC(2024, 0), Date.UTC(2024, 1)];
const sales = {
  columns: [
    { name: 'month', type: 'date' },
    { name: 'shop', type: 'text' },
    { name: 'sold', type: 'integer' },
  ],
  rows: [
    [january, 'North', 1],
    [january, 'South', 2],
    [february, 'South', 4],
  ],
};
const [month, shop, sold] = [0, 1, 2];
const drawn = (kind: ResultChartKind, colour: number | undefined, height = 200) =>
  resultChartInput(
    sales,
    { kind, label: month, amount: sold, other: undefined, colour },
    { size: { width: 300, height }, theme: lightTheme, locale: 'en-US' },
  );

describe('a chart of a result', () => {
  test('offers as colour the columns that distinguish rows with the same name', () => {
    expect(amountColumns(sales)).toEqual([sold]);
    expect(isRepeated(sales, month)).toBe(true);
    expect(colourColumns(sales, month, sold)).toEqual([shop]);
    const twice = { ...sales, rows: [...sales.rows, [january, 'North', 8]] };
    expect(colourColumns(twice, month, sold)).toEqual([]);
    const many = { ...sales, rows: Array.from({ length: 9 }, (_, i) => [january, `shop ${i}`, i]) };
    expect(colourColumns(many, month, sold)).toEqual([]);
  });

  test('draws a line of each colour along time, with gaps where there is no row', () => {
    expect([isAlongTime(sales, month, undefined), isAlongTime(sales, month, shop)]).toEqual([false, true]);
    const { input } = drawn('line', shop);
    expect(input.axes).toMatchObject([
      { channel: 'x', kind: 'times', unit: 'month', from: january, count: 2 },
      { channel: 'color', values: ['North', 'South'] },
    ]);
    expect([...input.base.subarray(0, 4)]).toEqual([1, 2, Number.NaN, 4]);
  });

  test('draws one group of bars for each name', () => {
    const { input, drawn: rows } = drawn('bar', shop);
    expect(input.axes).toMatchObject([
      { channel: 'y', values: ['Jan 1, 2024', 'Feb 1, 2024'] },
      { channel: 'color', values: ['North', 'South'] },
    ]);
    expect([...input.base]).toEqual([1, 2, Number.NaN, 4]);
    expect(rows).toBe(3);
    expect(drawn('bar', shop, 41)).toMatchObject({ drawn: 2, input: { base: { length: 2 } } });
  });

  test('gives each row a bar of its own without colours', () => {
    const { input } = drawn('bar', undefined);
    expect(input.axes).toMatchObject([{ values: ['Jan 1, 2024', 'Jan 1, 2024', 'Feb 1, 2024'] }]);
    expect([...input.base]).toEqual([1, 2, 4]);
  });

  test('of slices is coloured by its names only', () => {
    expect(drawn('donut', shop).input.axes).toHaveLength(1);
  });
});
