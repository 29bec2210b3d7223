import type { Frame, NamedAxis } from '@belvedere/api';
import type { Box } from '@belvedere/query';
import { expect, test } from 'vitest';
import { withinFilters } from './brushed-cells.ts';

const day = 86_400_000;
const days: NamedAxis = { kind: 'times', field: 'day', unit: 'day', from: 0, count: 4, channel: 'x' };
const cities: NamedAxis = {
  kind: 'categories',
  field: 'city',
  values: ['Bonn', 'Celle'],
  other: false,
  channel: 'color',
};

/** Four days, rows without a day and rows of other days, each by two cities. */
const frame: Frame = {
  header: {
    kind: 'cells',
    tile: 'a',
    part: 'main',
    scope: 'base',
    axes: [days, cities],
    merges: ['sum'],
    values: [],
    notes: [],
    engineMs: 0,
  },
  cells: {
    groups: Int32Array.from({ length: 12 }, (_, group) => group),
    parts: [Float64Array.from({ length: 12 }, (_, group) => group)],
  },
};

test('a chart along filtered days begins and ends with the filter', () => {
  const { header, cells } = withinFilters(frame, { day: { from: '1970-01-02', below: '1970-01-04' } });
  expect(header).toMatchObject({ axes: [{ from: day, count: 2 }, cities] });
  expect([...cells!.groups]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  // The days 1 and 2, then rows without a day and rows of other days.
  expect([...cells!.parts[0]!]).toEqual([2, 3, 4, 5, 8, 9, 10, 11]);
});

test('a chart is as it was where its filter leaves all of it, none of it, or values', () => {
  const all: Box[] = [
    {},
    { day: { from: '1960-01-01', below: '1980-01-01' } },
    { day: { from: '1980-01-01', below: '1981-01-01' } },
    { city: { oneOf: ['Bonn'] } },
  ];
  for (const filters of all) expect(withinFilters(frame, filters)).toBe(frame);
});
