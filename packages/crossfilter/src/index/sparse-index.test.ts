import type { Axis, Box } from '@belvedere/query';
import { describe, expect, test } from 'vitest';
import { areasOfEach, meetBoxes, sumWithin } from './sparse-index.ts';

const categories = (field: string, values: readonly string[]): Axis => ({
  kind: 'categories',
  field,
  values,
  other: true,
});
const city = categories('city', ['Bonn', 'Celle']);
const kind = categories('kind', ['book', 'toy']);
const own = categories('size', ['s']);

describe('cells of a sparse index', () => {
  // [city, kind, size, sum, max], each by its slot; slot 2 and size 1 are the other values.
  const rows = [
    [0, 0, 0, 1, 5],
    [0, 1, 0, 2, 3],
    [1, 1, 0, 4, 9],
    [2, 1, 1, 8, 7],
    [0, 1, 1, 16, Number.NaN],
  ] as const;
  const cells = {
    groups: Int32Array.from(rows, ([a, b, size]) => (a * 3 + b) * 2 + size),
    parts: [Float64Array.from(rows, row => row[3]), Float64Array.from(rows, row => row[4])],
  };
  const pair = { brush: [city, kind], axes: [own], merges: ['sum', 'max'] as const };
  const under = (boxes: readonly Box[], kept = 0) => {
    const { groups, parts } = sumWithin(pair, cells, areasOfEach(pair.brush, boxes)!, kept);
    return Array.from(groups, (group, i) => [group, ...parts.map(part => part[i])]);
  };

  test.each<[string, Box[], number[][]]>([
    [
      'everything',
      [{}],
      [
        [0, 7, 9],
        [1, 24, 7],
      ],
    ],
    [
      'two conditions',
      [{ city: { oneOf: ['Bonn', 'Celle'] }, kind: { oneOf: ['toy'] } }],
      [
        [0, 6, 9],
        [1, 16, Number.NaN],
      ],
    ],
    [
      'boxes that overlap, whose rows count once',
      [{ city: { oneOf: ['Bonn'] } }, { kind: { oneOf: ['book'] } }],
      [
        [0, 3, 5],
        [1, 16, Number.NaN],
      ],
    ],
    ['values that exclude each other', [{ city: { oneOf: [] } }], []],
  ])('are summed under %s', (_, boxes, expected) => {
    expect(under(boxes)).toEqual(expected);
  });

  test('keep the axes of a chart, so that it can be brushed under filters', () => {
    expect(under([{ kind: { oneOf: ['toy'] } }], 1)).toEqual([
      [0, 2, 3],
      [1, 16, Number.NaN],
      [2, 4, 9],
      [5, 8, 7],
    ]);
  });

  test('are not summed under conditions that are not on their steps', () => {
    expect(areasOfEach(pair.brush, [{ city: { oneOf: ['Emden'] } }])).toBeUndefined();
    expect(areasOfEach(pair.brush, [{ city: { noneOf: ['Bonn'] } }])).toBeUndefined();
  });
});

test.each<[Box, Box, Box | undefined]>([
  [{ a: { oneOf: [1, 2] } }, { b: { oneOf: [3] } }, { a: { oneOf: [1, 2] }, b: { oneOf: [3] } }],
  [{ a: { oneOf: [1, 2] } }, { a: { oneOf: [2, 3] } }, { a: { oneOf: [2] } }],
  [{ a: { from: 1, below: 5 } }, { a: { from: 3, below: 9 } }, { a: { from: 3, below: 5 } }],
  [{ a: { from: 1, below: 2 } }, { a: { from: 3, below: 9 } }, { a: { from: 3, below: 3 } }],
  [
    { a: { from: '2024-01', below: '2024-03-01' } },
    { a: { from: '2024-01-15T10:00', below: '2025-01-01' } },
    { a: { from: '2024-01-15T10:00', below: '2024-03-01' } },
  ],
  [{ a: { oneOf: [1] } }, { a: { from: 1, below: 5 } }, undefined],
])('rows in %j and in %j are those in %j', (a, b, expected) => {
  expect(meetBoxes(a, b)).toEqual(expected);
});
