import type { Tile } from '@belvedere/document';
import { expect, test } from 'vitest';
import type { Picture } from '../../live/live-tile.ts';
import { fewBars, heightClass } from './phone-height.ts';

const picture = (channel: string, count: number) =>
  ({
    axes: [
      { kind: 'categories', channel, field: 'city', values: Array.from({ length: count }, (_, i) => `${i}`) },
    ],
  }) as unknown as Picture;
const across: Tile = { kind: 'bar', x: { measure: 'rows' }, y: { field: 'city' } };
const upright: Tile = { kind: 'bar', x: { field: 'city' }, y: { measure: 'rows' } };

test.each([
  ['three bars', across, picture('y', 3), 3],
  ['eleven bars', across, picture('y', 11), undefined],
  ['no bars', across, picture('y', 0), undefined],
  ['upright bars', upright, picture('x', 3), undefined],
  ['small multiples', { ...across, row: { field: 'year' } } as Tile, picture('y', 3), undefined],
  ['a result that has not arrived', across, undefined, undefined],
])('on phones, a tile of %s is as high as its bars need', (_, tile, result, bars) => {
  expect(fewBars(tile, result)).toBe(bars);
});

test('maps of the world are lower than other charts on phones, maps of places are not', () => {
  const world: Tile = {
    kind: 'map',
    shape: 'countries',
    region: { field: 'country' },
    color: { measure: 'rows' },
  };
  expect(heightClass(world)).toBe('tile-chart tile-world');
  for (const shape of ['us-states', 'us-counties', 'districts.geojson'] as const)
    expect(heightClass({ ...world, shape })).toBe('tile-chart');
  expect(
    heightClass({ kind: 'map', shape: 'countries', longitude: { field: 'lng' }, latitude: { field: 'lat' } }),
  ).toBe('tile-chart');
  expect(heightClass(across)).toBe('tile-chart');
});
