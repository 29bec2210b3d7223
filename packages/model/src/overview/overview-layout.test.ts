import type { Tile } from '@belvedere/document';
import { expect, test } from 'vitest';
import { placed } from './overview-layout.ts';

const bars: Tile = { kind: 'bar', x: { measure: 'rows' }, y: { field: 'brand' } };
const rows: Tile = { kind: 'table', columns: ['brand'] };
const figure = (id: string) => ({
  id,
  tile: { kind: 'kpi', value: { measure: 'rows' } } as Tile,
  minColumns: 6,
  rows: 2,
});
const boxesOf = (tiles: Readonly<Record<string, Tile>>) =>
  Object.fromEntries(Object.entries(tiles).map(([id, { at }]) => [id, at]));

test('two figures stand above a chart rather than beside bars that are twice as high', () => {
  const tiles = placed(
    [figure('figure_1'), figure('figure_2')],
    ['top_1', 'top_2', 'top_3'].map(id => ({ id, tile: bars, minColumns: 8, rows: 8 })),
    { id: 'rows_table', tile: rows, minColumns: 24, rows: 10 },
  );
  expect(boxesOf(tiles)).toEqual({
    figure_1: [0, 0, 6, 2],
    figure_2: [6, 0, 6, 2],
    top_1: [0, 2, 12, 8],
    top_2: [12, 0, 12, 10],
    top_3: [0, 10, 24, 8],
    rows_table: [0, 18, 24, 10],
  });
  const alone = placed(
    [figure('figure_1'), figure('figure_2')],
    [{ id: 'top_1', tile: bars, minColumns: 8, rows: 8 }],
    { id: 'rows_table', tile: rows, minColumns: 24, rows: 10 },
  );
  expect(boxesOf(alone)).toEqual({
    figure_1: [0, 0, 6, 2],
    figure_2: [6, 0, 6, 2],
    top_1: [0, 2, 12, 8],
    rows_table: [12, 0, 12, 10],
  });
});
