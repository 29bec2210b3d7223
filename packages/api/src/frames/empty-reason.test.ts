import type { Tile } from '@belvedere/document';
import { expect, test } from 'vitest';
import { emptyReasonOf, type EmptyReason } from './empty-reason.ts';
import type { CellsHeader } from './frames.ts';

const pie: Tile = { kind: 'pie', color: { field: 'k' }, theta: { measure: 'n' } };
const bar: Tile = { kind: 'bar', x: { field: 'k' }, y: { measure: 'n' } };

test.each<[string, Tile, number[], EmptyReason | undefined]>([
  ['a pie of zeros', pie, [0, Number.NaN], 'parts'],
  ['a pie of negative values', pie, [-3, 0, Number.NaN], 'positive'],
  ['a pie of one positive value among others', pie, [-3, 2], undefined],
  ['bars of negative values', bar, [-3, 0], undefined],
  ['bars of missing values', bar, [Number.NaN], 'values'],
])('%s says why it is empty, or is drawn', (_, tile, values, reason) => {
  expect(emptyReasonOf(tile, {} as CellsHeader, Float64Array.from(values))).toBe(reason);
});
