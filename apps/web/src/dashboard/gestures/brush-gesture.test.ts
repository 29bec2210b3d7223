import type { Axis } from '@belvedere/query';
import { expect, test } from 'vitest';
import { boxBetween, type BrushChannel } from './brush-gesture.ts';

/** An axis of named places and of Other after them, each ten pixels wide. */
const named = (channel: 'x' | 'y', field: string, values: readonly string[]): BrushChannel => {
  const steps: Axis = { kind: 'categories', field, values, other: true };
  return {
    channel,
    steps,
    edges: undefined,
    axisScale: {
      axis: steps,
      positions: values.length + 1,
      fromPixel: pixel => pixel / 10,
      toPixel: position => position * 10,
      positionAt: pixel => Math.floor(pixel / 10),
    } as BrushChannel['axisScale'],
  };
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

// The frame of the first two cities begins and ends where places do, at 0 and 20.
test.each([
  ['moved by less than half a step', [4, 24], ['Aachen', 'Bern']],
  ['moved by more than half a step', [6, 26], ['Bern', 'Celle']],
  ['moved by a step', [10, 30], ['Bern', 'Celle']],
  ['with its far edge dragged inwards', [0, 14], ['Aachen']],
  ['with its near edge dragged over the far one', [20, 33], ['Celle']],
  ['with both edges at one position', [10, 10], ['Bern']],
] as const)('a frame %s selects the nearest steps, and as many as before', (_, [from, below], cities) => {
  const along = [named('x', 'city', ['Aachen', 'Bern', 'Celle', 'Davos'])];
  expect(boxBetween(along, { x: from, y: 0 }, { x: below, y: 0 }, 'nearest')).toEqual({
    city: { oneOf: cities },
  });
});
