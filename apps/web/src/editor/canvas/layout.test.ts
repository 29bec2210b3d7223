import type { GridBox, TileKind } from '@belvedere/document';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  align,
  autoPosition,
  boxesIn,
  boxesOf,
  changedBoxes,
  dropPosition,
  freePosition,
  referenceLinesFor,
  moveBoxes,
  position,
  resizeBox,
  type Boxes,
} from './layout.ts';

const boxes: Boxes = { a: [0, 0, 12, 4], b: [12, 0, 12, 4], c: [0, 4, 24, 6] };
const overlap = (a: GridBox, b: GridBox) =>
  a[0] < b[0] + b[2] && b[0] < a[0] + a[2] && a[1] < b[1] + b[3] && b[1] < a[1] + a[3];

test('a tile moved to a free position changes no other tile', () => {
  const wanted = { a: [0, 10, 12, 4] as GridBox };
  expect(changedBoxes(boxes, position(boxes, wanted))).toEqual(wanted);
});

test('overlapped tiles move down, and push others down', () => {
  expect(position(boxes, { a: [12, 0, 12, 4] })).toEqual({
    a: [12, 0, 12, 4],
    b: [12, 4, 12, 4],
    c: [0, 8, 24, 6],
  });
});

test('tiles without a position are written where they are shown', () => {
  expect(
    boxesOf({
      a: { kind: 'text', text: '' },
      b: { kind: 'text', text: '', at: [20, 2, 9, 3] },
      c: { kind: 'text', text: '' },
    }),
  ).toEqual({ a: [0, 0, 12, 8], b: [20, 2, 4, 3], c: [0, 8, 12, 8] });
});

test('a group moves as a unit, up to the edge', () => {
  expect(moveBoxes(boxes, ['a', 'b'], 5, -2)).toEqual({ a: [0, 0, 12, 4], b: [12, 0, 12, 4] });
  expect(moveBoxes({ a: [2, 2, 4, 4], b: [8, 3, 4, 4] }, ['a', 'b'], -9, 1)).toEqual({
    a: [0, 3, 4, 4],
    b: [6, 4, 4, 4],
  });
});

test('a resize moves one edge and keeps the opposite one', () => {
  expect(resizeBox([4, 4, 8, 8], 'se', 3, -2)).toEqual([4, 4, 11, 6]);
  expect(resizeBox([4, 4, 8, 8], 'nw', -9, 20)).toEqual([0, 10, 12, 2]);
  expect(resizeBox([4, 4, 8, 8], 'e', 40, 40)).toEqual([4, 4, 20, 8]);
});

test('alignment uses the first selected tile', () => {
  expect(align({ a: [2, 0, 6, 4], b: [9, 5, 4, 8] }, ['a', 'b'], 'right')).toEqual({
    a: [2, 0, 6, 4],
    b: [4, 5, 4, 8],
  });
  expect(align({ a: [2, 0, 6, 4], b: [9, 5, 4, 8] }, ['a', 'b'], 'same height')).toEqual({
    a: [2, 0, 6, 4],
    b: [9, 5, 4, 4],
  });
});

test('a new tile takes the first gap it fits in, else the end', () => {
  expect(freePosition({ a: [0, 0, 12, 4] }, [12, 4])).toEqual([12, 0, 12, 4]);
  expect(freePosition(boxes, [6, 3])).toEqual([0, 10, 6, 3]);
  expect(freePosition({}, [6, 3])).toEqual([0, 0, 6, 3]);
});

test('random pages: no tile overlaps, a moved tile stays at its target, none leaves the grid, none moves up', () => {
  const box = fc.tuple(
    fc.integer({ min: 0, max: 20 }),
    fc.integer({ min: 0, max: 20 }),
    fc.integer({ min: 1, max: 4 }),
    fc.integer({ min: 1, max: 8 }),
  ) as fc.Arbitrary<GridBox>;
  fc.assert(
    fc.property(fc.array(box, { minLength: 1, maxLength: 12 }), fc.nat(), box, (list, which, target) => {
      // A page without overlaps, as editing leaves it.
      const page = list.reduce<Boxes>(
        (before, next, i) =>
          position(before, { ...before, [`t${i}`]: freePosition(before, [next[2], next[3]]) }),
        {},
      );
      const id = `t${which % list.length}`;
      const after = position(page, { [id]: target });
      expect(after[id]).toEqual(target);
      const all = Object.entries(after);
      for (const [a, one] of all) {
        expect(one[0] + one[2]).toBeLessThanOrEqual(24);
        if (a !== id) expect(one[1]).toBeGreaterThanOrEqual(page[a]![1]);
        for (const [b, other] of all) if (a < b) expect([a, b, overlap(one, other)]).toEqual([a, b, false]);
      }
    }),
    { numRuns: 300 },
  );
});

test('a rubber band selects the tiles it overlaps, and not those it only touches', () => {
  const boxes: Boxes = { a: [0, 0, 6, 4], b: [6, 0, 6, 4], c: [0, 4, 12, 8] };
  expect(boxesIn(boxes, [5.5, 1, 2, 1])).toEqual(['a', 'b']);
  expect(boxesIn(boxes, [0, 4, 1, 1])).toEqual(['c']);
  expect(boxesIn(boxes, [12, 0, 5, 12])).toEqual([]);
});

test('alignment guides join equal edges, over the extent of all aligned tiles', () => {
  const boxes: Boxes = { a: [0, 0, 6, 4], b: [6, 10, 6, 4], c: [0, 20, 12, 8] };
  expect(referenceLinesFor(boxes, ['a'])).toEqual([{ along: 'column', at: 0, from: 0, below: 28 }]);
  expect(referenceLinesFor(boxes, ['b'])).toEqual([{ along: 'column', at: 12, from: 10, below: 28 }]);
  expect(referenceLinesFor({ ...boxes, b: [6, 0, 6, 4] }, ['b'])).toEqual([
    { along: 'column', at: 12, from: 0, below: 28 },
    { along: 'row', at: 0, from: 0, below: 12 },
    { along: 'row', at: 4, from: 0, below: 12 },
  ]);
  expect(referenceLinesFor(boxes, ['a', 'b', 'c'])).toEqual([]);
});

/** A page of tiles of these kinds, each added where it goes by itself. */
function pageOf(...kinds: readonly TileKind[]): Boxes {
  return kinds.reduce<Boxes>((before, kind, i) => {
    const known = Object.fromEntries(kinds.map((one, k) => [`t${k}`, one]));
    const { box, others } = autoPosition(before, known, kind);
    return position(before, { ...others, [`t${i}`]: box });
  }, {});
}

const bottomOf = (page: Boxes) => Math.max(...Object.values(page).map(box => box[1] + box[3]));
const freeCells = (page: Boxes) =>
  24 * bottomOf(page) - Object.values(page).reduce((sum, box) => sum + box[2] * box[3], 0);

test('added figures form a row, and a chart goes below it', () => {
  expect(pageOf('kpi', 'bar', 'kpi', 'kpi', 'kpi')).toEqual({
    t0: [0, 0, 6, 3],
    t1: [0, 3, 24, 8],
    t2: [6, 0, 6, 3],
    t3: [12, 0, 6, 3],
    t4: [18, 0, 6, 3],
  });
});

test('added charts fill their rows, two to a row', () => {
  expect(pageOf('bar', 'line', 'donut', 'table')).toEqual({
    t0: [0, 0, 12, 8],
    t1: [12, 0, 12, 8],
    t2: [0, 8, 24, 8],
    t3: [0, 16, 24, 10],
  });
});

test('a chart added to a file from elsewhere moves no other tile', () => {
  expect(autoPosition(pageOf('bar'), { t0: 'bar' }, 'line', false)).toEqual({
    box: [0, 8, 24, 8],
    others: {},
  });
});

test('an added chart takes all of the free room beside others', () => {
  const kinds: Record<string, TileKind> = { a: 'line', b: 'bar' };
  expect(autoPosition({ a: [0, 0, 9, 10], b: [0, 10, 24, 8] }, kinds, 'donut').box).toEqual([9, 0, 15, 10]);
  // Room that is too narrow to read a chart in stays free.
  expect(autoPosition({ a: [0, 0, 18, 10], b: [0, 10, 23, 8] }, kinds, 'donut').box).toEqual([0, 18, 24, 8]);
});

test.each<[string, TileKind, readonly [number, number], GridBox]>([
  ['where it is dropped, if it has room', 'bar', [12, 9], [12, 9, 12, 8]],
  ['into a row of its own, if dropped across two others', 'bar', [6, 1], [0, 0, 24, 8]],
  ['at the nearest line between rows', 'bar', [6, 3], [0, 4, 24, 8]],
  ['where it is dropped, as a figure, which fills no row', 'kpi', [6, 3], [6, 3, 6, 3]],
])('a dropped tile goes %s', (_, kind, [column, row], box) => {
  const page: Boxes = { a: [0, 0, 12, 4], b: [12, 0, 12, 4], c: [0, 4, 10, 12] };
  expect(dropPosition(page, kind, { column, row })).toEqual(box);
});

test('random pages: a chart dropped on full rows leaves no free cell', () => {
  const kind = fc.constantFrom<TileKind>('bar', 'line', 'table', 'text', 'pie');
  const cell = fc.record({ column: fc.nat({ max: 23 }), row: fc.nat({ max: 30 }) });
  fc.assert(
    fc.property(fc.array(kind, { minLength: 1, maxLength: 10 }), cell, (kinds, at) => {
      const page = pageOf(...kinds);
      const dropped = dropPosition(page, 'bar', { ...at, row: at.row % bottomOf(page) });
      expect(freeCells(position(page, { dropped }))).toBe(0);
    }),
  );
});

test('random pages: automatically placed charts and tables leave no free cell', () => {
  const kind = fc.constantFrom<TileKind>('bar', 'line', 'table', 'text', 'pie');
  fc.assert(
    fc.property(fc.array(kind, { minLength: 1, maxLength: 10 }), kinds => {
      const page = pageOf(...kinds);
      expect(freeCells(page)).toBe(0);
      const boxes = Object.values(page);
      for (const [i, a] of boxes.entries())
        for (const b of boxes.slice(i + 1)) expect([a, b, overlap(a, b)]).toEqual([a, b, false]);
    }),
  );
});
