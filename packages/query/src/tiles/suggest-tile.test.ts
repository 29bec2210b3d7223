import { TileFile, type Tile, type TileKind } from '@belvedere/document';
import { describe, expect, test } from 'vitest';
import { convertTile, missingField } from './convert-tile.ts';
import type { FieldFacts } from './field-facts.ts';
import { labelsBeyondReading } from './label-limits.ts';
import { suggestTile } from './suggest-tile.ts';

const day = 86_400_000;
const facts: Record<string, FieldFacts> = {
  date: { name: 'date', label: 'Date', type: 'date', profile: { distinct: 90, min: 0, max: 90 * day } },
  year: { name: 'year', label: 'Year', type: 'date', profile: { distinct: 358, min: 0, max: 364 * day } },
  moment: { name: 'moment', label: 'Moment', type: 'instant' },
  delay: {
    name: 'delay',
    label: 'Delay',
    type: 'number',
    profile: { distinct: 900, min: -20, max: 900, low: -12, high: 178 },
  },
  distance: {
    name: 'distance',
    label: 'Distance',
    type: 'integer',
    profile: { distinct: 800, low: 100, high: 2400 },
  },
  hour: { name: 'hour', label: 'Hour', type: 'integer', profile: { distinct: 24 } },
  origin: { name: 'origin', label: 'Origin', type: 'text' },
  country: { name: 'country', label: 'Country', type: 'text', regions: 'countries' },
  carrier: { name: 'carrier', label: 'Carrier', type: 'text' },
  late: { name: 'late', label: 'Late', type: 'boolean' },
  flights: { name: 'flights', label: 'Flights' },
  mean_delay: { name: 'mean_delay', label: 'Mean delay' },
};
const of = (...names: string[]) => suggestTile(names.map(name => facts[name]!));

describe('the suggested chart for', () => {
  test.each<[string, unknown]>([
    ['flights', { kind: 'kpi', value: { measure: 'flights' } }],
    ['date', { kind: 'area', x: { field: 'date', timeUnit: 'day' }, y: { measure: 'rows' } }],
    ['year', { kind: 'area', x: { field: 'year', timeUnit: 'week' }, y: { measure: 'rows' } }],
    ['moment', { kind: 'area', x: { field: 'moment', timeUnit: 'month' }, y: { measure: 'rows' } }],
    [
      'delay',
      {
        kind: 'bar',
        x: { field: 'delay', bin: { step: 10 }, scale: { domain: [-20, 180] } },
        y: { measure: 'rows' },
      },
    ],
    ['hour', { kind: 'bar', x: { field: 'hour' }, y: { measure: 'rows' } }],
    ['origin', { kind: 'bar', x: { measure: 'rows' }, y: { field: 'origin', limit: 10 } }],
    ['date flights', { kind: 'line', x: { field: 'date', timeUnit: 'day' }, y: { measure: 'flights' } }],
    ['origin mean_delay', { kind: 'bar', x: { measure: 'mean_delay' }, y: { field: 'origin', limit: 10 } }],
    [
      'date carrier',
      {
        kind: 'line',
        x: { field: 'date', timeUnit: 'day' },
        y: { measure: 'rows' },
        color: { field: 'carrier', limit: 5 },
      },
    ],
    [
      'delay distance',
      {
        kind: 'scatter',
        x: { field: 'delay', scale: { domain: [-12, 178] } },
        y: { field: 'distance', scale: { domain: [100, 2400] } },
      },
    ],
    [
      'origin carrier',
      {
        kind: 'heatmap',
        x: { field: 'carrier', limit: 12 },
        y: { field: 'origin', limit: 12 },
        color: { measure: 'rows' },
      },
    ],
    [
      'origin delay',
      { kind: 'bar', x: { field: 'delay', aggregate: 'mean' }, y: { field: 'origin', limit: 10 } },
    ],
    [
      'date flights mean_delay',
      {
        kind: 'combo',
        x: { field: 'date', timeUnit: 'day' },
        layers: [
          { mark: 'bar', y: { measure: 'flights' } },
          { mark: 'line', y: { measure: 'mean_delay' }, axis: 'right' },
        ],
      },
    ],
    [
      'origin flights mean_delay',
      {
        kind: 'scatter',
        x: { measure: 'flights' },
        y: { measure: 'mean_delay' },
        detail: { field: 'origin' },
      },
    ],
    [
      'origin carrier flights mean_delay',
      { kind: 'table', columns: ['origin', 'carrier', 'flights', 'mean_delay'] },
    ],
  ])('%s', (names, tile) => {
    expect(of(...names.split(' '))).toEqual(tile);
    expect(TileFile.safeParse(tile).success).toBe(true);
  });
});

describe('a tile changed to another kind', () => {
  const kinds: TileKind[] = [
    'kpi',
    'bar',
    'line',
    'area',
    'combo',
    'heatmap',
    'scatter',
    'calendar',
    'boxplot',
    'waterfall',
    'candlestick',
    'pie',
    'donut',
    'treemap',
    'sunburst',
    'sankey',
    'funnel',
    'gauge',
    'radar',
    'map',
    'table',
    'pivot',
    'text',
    'image',
    'control',
  ];

  test('is valid in every kind offered for a suggestion of one or two fields', () => {
    const names = Object.keys(facts);
    for (const a of names) {
      for (const b of [undefined, ...names]) {
        const tile = b && b !== a ? of(a, b) : of(a);
        expect([a, b, TileFile.safeParse(tile).error?.message]).toEqual([a, b, undefined]);
        for (const kind of kinds) {
          const other = convertTile(tile, kind, name => facts[name]);
          if (other)
            expect([a, b, kind, TileFile.safeParse(other).error?.message]).toEqual([a, b, kind, undefined]);
        }
      }
    }
  });

  test('keeps its title, its position and its filters, and the limits of its fields', () => {
    const tile: Tile = {
      kind: 'bar',
      title: 'Busiest',
      at: [0, 3, 8, 8],
      filters: [{ field: 'late' }],
      x: { measure: 'flights' },
      y: { field: 'origin', limit: 4 },
    };
    expect(
      convertTile(
        {
          ...tile,
          x: { measure: 'flights', axis: { title: 'Flights' } },
          y: { field: 'origin', limit: 4, axis: false },
        } as Tile,
        'donut',
        name => facts[name],
      ),
    ).toEqual(convertTile(tile, 'donut', name => facts[name]));
    expect(convertTile(tile, 'donut', name => facts[name])).toEqual({
      kind: 'donut',
      title: 'Busiest',
      at: [0, 3, 8, 8],
      filters: [{ field: 'late' }],
      color: { field: 'origin', limit: 4 },
      theta: { measure: 'flights' },
    });
  });

  test('places become a map of their shapes, without a limit', () => {
    expect(convertTile(of('country', 'flights'), 'map', name => facts[name])).toEqual({
      kind: 'map',
      shape: 'countries',
      region: { field: 'country' },
      color: { measure: 'flights' },
    });
  });

  test.each<[string, TileKind]>([
    ['origin', 'calendar'],
    ['origin', 'scatter'],
    ['origin', 'sankey'],
    ['flights', 'line'],
    ['origin', 'map'],
    ['delay', 'boxplot'],
  ])('%s cannot become %s', (names, kind) => {
    expect(convertTile(of(...names.split(' ')), kind, name => facts[name])).toBeUndefined();
  });
});

describe('a kind that a tile cannot be converted to', () => {
  const factsOf = (name: string) => facts[name];
  test.each<[readonly string[], TileKind, string]>([
    [['carrier'], 'scatter', 'secondMeasure'],
    [['carrier', 'flights'], 'scatter', 'secondMeasure'],
    [['delay'], 'scatter', 'secondNumber'],
    [['carrier'], 'heatmap', 'secondDimension'],
    [['flights'], 'bar', 'dimension'],
    [['carrier'], 'calendar', 'time'],
    [['carrier'], 'boxplot', 'number'],
    [['delay'], 'boxplot', 'category'],
    [['carrier'], 'sankey', 'secondCategory'],
    [['date'], 'treemap', 'category'],
    [['carrier'], 'map', 'region'],
    [['carrier'], 'candlestick', 'ownFields'],
  ])('of %j as %s lacks: %s', (names, kind, missing) => {
    const tile = of(...names);
    expect(convertTile(tile, kind, factsOf)).toBeUndefined();
    expect(missingField(tile, kind, factsOf)).toBe(missing);
  });

  test('is unreadable with more labels than it can show', () => {
    const as = (name: string, kind: TileKind) => convertTile(of(name), kind, factsOf)!;
    expect(labelsBeyondReading(as('date', 'radar'), factsOf)).toBe(91);
    expect(labelsBeyondReading(as('date', 'pie'), factsOf)).toBe(91);
    expect(labelsBeyondReading(as('distance', 'donut'), factsOf)).toBeGreaterThan(12);
    expect(labelsBeyondReading(as('carrier', 'pie'), factsOf)).toBeUndefined();
    expect(labelsBeyondReading(as('carrier', 'radar'), factsOf)).toBeUndefined();
    expect(labelsBeyondReading(as('date', 'line'), factsOf)).toBeUndefined();
    expect(labelsBeyondReading(as('moment', 'radar'), factsOf)).toBeUndefined();
  });
});
