import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gridColumns, packTiles } from './pack-tiles.ts';

const sizes = fc.array(
  fc.record({
    minColumns: fc.integer({ min: 1, max: gridColumns }),
    rows: fc.integer({ min: 1, max: 12 }),
  }),
  { maxLength: 14 },
);

test('packed tiles fill every row to the last column, never overlap, keep their order and have the room they need', () => {
  fc.assert(
    fc.property(sizes, fc.nat(40), (tiles, top) => {
      const boxes = packTiles(tiles, top);
      expect(boxes.length).toBe(tiles.length);
      let [x, y, rows] = [gridColumns, top, 0];
      boxes.forEach(([left, boxTop, columns, high], i) => {
        if (x === gridColumns) [x, y, rows] = [0, y + rows, high];
        expect([left, boxTop, high]).toEqual([x, y, rows]);
        expect(columns).toBeGreaterThanOrEqual(tiles[i]!.minColumns);
        expect(high).toBeGreaterThanOrEqual(tiles[i]!.rows);
        x += columns;
      });
      expect(x).toBe(gridColumns);
    }),
  );
});

test.each([
  [[8, 8, 8], [[8, 8, 8]]],
  [
    [8, 8, 8, 8],
    [
      [12, 12],
      [12, 12],
    ],
  ],
  [
    [8, 8, 8, 12, 8],
    [
      [8, 8, 8],
      [14, 10],
    ],
  ],
  [[6, 6, 6, 6], [[6, 6, 6, 6]]],
  [[16, 8], [[16, 8]]],
  [[12], [[24]]],
])('tiles that need %j columns get rows of %j', (least, rows) => {
  const boxes = packTiles(least.map(minColumns => ({ minColumns, rows: 8 })));
  expect(
    [...Map.groupBy(boxes, ([, y]) => y).values()].map(row => row.map(([, , columns]) => columns)),
  ).toEqual(rows);
});

test('a tile wider than the grid is refused', () => {
  expect(() => packTiles([{ minColumns: 25, rows: 3 }])).toThrow(RangeError);
});
