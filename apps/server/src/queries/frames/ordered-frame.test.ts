import { denseParts, encodeFrame, type Cells, type IndexHeader } from '@belvedere/api';
import { expect, test } from 'vitest';
import { orderedFrame } from './ordered-frame.ts';

const axis = {
  channel: 'x',
  field: 'city',
  kind: 'categories',
  values: ['A', 'B', 'C', 'D'],
  other: false,
} as const;
const header: IndexHeader = {
  kind: 'index',
  active: 'cities',
  tile: 'late',
  part: 'main',
  brush: [axis],
  unbound: [],
  axes: [],
  merges: ['sum', 'min'],
};
const fromEngine: Cells = {
  groups: Int32Array.of(3, 0, 1, 2),
  parts: [Float64Array.of(5, 0, Number.NaN, 0), Float64Array.of(1.5, Number.NaN, Number.NaN, 0)],
};
const fromColumns: Cells = {
  groups: Int32Array.of(2, 3),
  parts: [Int32Array.of(0, 5), Float64Array.of(0, 1.5)],
};

test('the engine and encoded columns give the same bytes, whatever their order and their empty cells', () => {
  const [one, other] = [fromEngine, fromColumns].map(cells =>
    Buffer.concat(encodeFrame(orderedFrame({ header, cells }))),
  );
  expect(one!.equals(other!)).toBe(true);
});

test('no value changes', () => {
  const { cells } = orderedFrame({ header, cells: fromEngine });
  expect(denseParts([axis], header.merges, cells!)).toEqual(denseParts([axis], header.merges, fromEngine));
});
