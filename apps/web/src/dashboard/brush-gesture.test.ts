import type { Axis } from '@belvedere/query';
import { expect, test } from 'vitest';
import { boxBetween, type BrushChannel } from './brush-gesture.ts';

/** An axis of named places and of Other after them, each ten pixels wide. */
const named = (channel: 'x' | 'y', field: string, values: readonly string[]): BrushChannel => {
  const steps: Axis = { kind: 'categories', field, values, other: true };
  return { channel, steps, edges: undefined, position: { axis: steps, places: values.length + 1, fromPixel: pixel => pixel / 10, toPixel: place => place * 10, placeAt: pixel => Math.floor(pixel / 10) } as BrushChannel['position'] };
};
const brushes = [named('x', 'city', ['Bern', 'Celle']), named('y', 'kind', ['bus'])];

test.each([
  [[5, 5], [15, 5], { city: { oneOf: ['Bern', 'Celle'] }, kind: { oneOf: ['bus'] } }],
  [[15, 5], [25, 15], { city: { oneOf: ['Celle'] }, kind: { oneOf: ['bus'] } }],
  // Beside all that has a name there is nothing to select.
  [[25, 5], [28, 5], undefined],
  [[5, 12], [15, 18], undefined],
] as const)('from %j to %j: %j', ([ax, ay], [bx, by], box) => {
  expect(boxBetween(brushes, { x: ax, y: ay }, { x: bx, y: by })).toEqual(box);
});
