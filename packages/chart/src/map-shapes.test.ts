import { describe, expect, test } from 'vitest';
import { loadShapes, regionKey, shapesFromGeoJson } from './map-shapes.ts';

const regionOf = async (shape: Parameters<typeof loadShapes>[0], value: string | number) =>
  (await loadShapes(shape)).regions.find(region => region.keys.includes(regionKey(value)))?.name;

describe('a value matches', () => {
  test.each([
    ['Germany', 'Germany'],
    ['DE', 'Germany'],
    ['DEU', 'Germany'],
    [276, 'Germany'],
    ['276', 'Germany'],
    ['The Gambia', 'Gambia'],
    ['Slovak Republic', 'Slovakia'],
    ["cote d'ivoire", "Côte d'Ivoire"],
    ['Côte d’Ivoire', "Côte d'Ivoire"],
    ['Atlantis', undefined],
  ] as const)('the country %s: %s', async (value, name) => {
    expect(await regionOf('countries', value)).toBe(name);
  });
  test.each([
    ['CA', 'California'],
    ['california', 'California'],
    ['06', 'California'],
    [6, 'California'],
    ['XX', undefined],
  ] as const)('the state %s: %s', async (value, name) => {
    expect(await regionOf('us-states', value)).toBe(name);
  });
  test.each([
    [1001, 'Autauga'],
    ['01001', 'Autauga'],
  ] as const)('the county %s: %s', async (value, name) => {
    expect(await regionOf('us-counties', value)).toBe(name);
  });
});

test('no two countries match one name', async () => {
  const { regions } = await loadShapes('countries');
  const seen = new Map<string, string>();
  for (const { name, keys } of regions)
    for (const key of keys) {
      expect(seen.get(key) ?? name, key).toBe(name);
      seen.set(key, name);
    }
});

test('regions of a custom file match their ids and properties; features without a shape are ignored', () => {
  const shape = {
    type: 'Polygon' as const,
    coordinates: [
      [
        [0, 0],
        [0, 1],
        [1, 1],
        [0, 0],
      ],
    ],
  };
  const { regions } = shapesFromGeoJson({
    type: 'FeatureCollection',
    features: [
      { type: 'Feature', id: 7, properties: { NAME: 'North', code: 'N-1' }, geometry: shape },
      { type: 'Feature', properties: {}, geometry: null as never },
    ],
  });
  expect(regions.map(({ name, keys }) => [name, keys])).toEqual([['North', ['7', 'north', 'n1']]]);
});
