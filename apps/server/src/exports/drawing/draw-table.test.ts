import { lightTheme, textWidth } from '@belvedere/chart';
import { expect, test } from 'vitest';
import type { ExportColumn } from '../tables/export-table.ts';
import { drawTable } from './draw-table.ts';

const look = { theme: lightTheme, locale: 'en-US' } as Parameters<typeof drawTable>[2];

/** The texts of a table with one row of as many columns of each type. */
function drawn(types: readonly ExportColumn['type'][], width: number): readonly string[] {
  const columns = types.map((type, i): ExportColumn => ({ label: `Column ${i}`, type }));
  const values = { text: 'Rattlesnake Canyon Grocery', number: 1234.5, date: Date.UTC(1998, 4, 6) };
  const row = types.map(type => values[type as keyof typeof values]);
  return drawTable({ columns, rows: [row] }, { width, height: 100 }, look).marks.flatMap(mark =>
    mark.kind === 'text' ? [mark.text] : [],
  );
}

test('a table with room for all columns shows them whole', () => {
  expect(drawn(['text', 'number', 'date'], 500)).toEqual([
    'Column 0',
    'Rattlesnake Canyon Grocery',
    'Column 1',
    '1,234.5',
    'Column 2',
    'May 6, 1998',
  ]);
});

test('texts are cut before columns are left out; numbers, dates and labels never are', () => {
  const texts = drawn(['text', 'number', 'date'], 260);
  expect(texts).toHaveLength(6);
  expect(texts).toEqual(expect.arrayContaining(['Column 0', '1,234.5', 'May 6, 1998']));
  expect(texts[1]).toMatch(/^Rattlesnake.*…$/);
});

test('columns without room are counted, and the others stay within the width', () => {
  for (const width of [150, 300, 600, 900]) {
    const types = Array.from({ length: 12 }, (_, i) => (['text', 'number', 'date'] as const)[i % 3]!);
    const texts = drawn(types, width);
    const labels = texts.filter(text => text.startsWith('Column'));
    const [more] = texts.filter(text => text.startsWith('+'));
    expect(`+${12 - labels.length} columns`).toBe(more);
    expect(labels.reduce((sum, label) => sum + textWidth(label, 11), 0)).toBeLessThan(width);
  }
});

test('a shaded column has its scale from its own rows, and its total has no shade', () => {
  const columns: ExportColumn[] = [{ label: 'N', type: 'number', heat: { isAdditive: false } }];
  const fills = (rows: readonly number[]) =>
    drawTable(
      { columns, rows: rows.map(value => [value]), totals: new Set([3]) },
      { width: 90, height: 200 },
      look,
    ).marks.flatMap(mark => (mark.kind === 'rects' && mark.xywh[3]! > 2 ? [mark.fill] : []));
  const [least, middle, most, ...others] = fills([10, 15, 20, 45]);
  expect(new Set([least, middle, most]).size).toBe(3);
  expect(others).toEqual([]);
  expect(fills([100, 150, 200, 450])).toEqual([least, middle, most]);
});
