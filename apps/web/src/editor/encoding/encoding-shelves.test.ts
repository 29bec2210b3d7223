import { TileFile, type Tile } from '@belvedere/document';
import type { FieldFacts } from '@belvedere/query';
import { describe, expect, test } from 'vitest';
import { placementOf, placementsOf, shelvesOf, withField, type Shelf } from './encoding-shelves.ts';

const fields: Record<string, FieldFacts> = {
  delay: { name: 'delay', label: 'Delay', type: 'number' },
  carrier: { name: 'carrier', label: 'Carrier', type: 'text' },
  flights: { name: 'flights', label: 'Flights' },
  revenue: { name: 'revenue', label: 'Revenue' },
};
const rows: Tile = {
  kind: 'scatter',
  x: { field: 'distance' },
  y: { field: 'speed' },
  color: { field: 'haul', limit: 5 },
  at: [0, 0, 8, 8],
};
const measures: Tile = {
  kind: 'scatter',
  x: { measure: 'flights' },
  y: { measure: 'rows' },
  detail: { field: 'carrier' },
};
const { at } = rows;

describe('a field dropped onto a scatter', () => {
  test.each<[string, Tile, Shelf['key'], string, object]>([
    [
      'as a measure makes it one of measures, with the distinguishing field as its detail',
      rows,
      'x',
      'flights',
      {
        kind: 'scatter',
        at,
        detail: { field: 'haul' },
        x: { measure: 'flights' },
        y: { field: 'speed', aggregate: 'mean' },
      },
    ],
    [
      'as its detail makes it one of means',
      rows,
      'detail',
      'carrier',
      {
        kind: 'scatter',
        at,
        detail: { field: 'carrier' },
        color: { field: 'haul', limit: 5 },
        x: { field: 'distance', aggregate: 'mean' },
        y: { field: 'speed', aggregate: 'mean' },
      },
    ],
    [
      'a size does too',
      rows,
      'size',
      'flights',
      {
        kind: 'scatter',
        at,
        size: { measure: 'flights' },
        detail: { field: 'haul' },
        x: { field: 'distance', aggregate: 'mean' },
        y: { field: 'speed', aggregate: 'mean' },
      },
    ],
    [
      'as a number of one of measures becomes its mean',
      measures,
      'y',
      'delay',
      { ...measures, y: { field: 'delay', aggregate: 'mean' } },
    ],
    [
      'as a number of one of rows stays the number',
      { ...rows, color: undefined } as unknown as Tile,
      'x',
      'delay',
      { kind: 'scatter', at, x: { field: 'delay', bin: true }, y: { field: 'speed' } },
    ],
  ])('%s', (_, tile, key, field, expected) => {
    const next = withField(
      tile,
      shelvesOf.scatter.find(shelf => shelf.key === key)!,
      fields[field]!,
    )!;
    expect(JSON.parse(JSON.stringify(next))).toEqual(expected);
    expect(TileFile.safeParse(JSON.parse(JSON.stringify(next))).success).toBe(true);
  });
});

describe('a measure dropped onto a tile', () => {
  const by = { field: 'carrier', limit: 10 };
  const rows = { measure: 'rows' };
  const revenue = { measure: 'revenue' };
  test.each<[string, Tile, Tile]>([
    ['replaces the row count of bars', { kind: 'bar', x: rows, y: by }, { kind: 'bar', x: revenue, y: by }],
    [
      'replaces a count of rows written as an aggregate',
      { kind: 'line', x: { field: 'day', timeUnit: 'month' }, y: { aggregate: 'count' } },
      { kind: 'line', x: { field: 'day', timeUnit: 'month' }, y: revenue },
    ],
    [
      'replaces the row count of a heatmap',
      { kind: 'heatmap', x: by, y: { field: 'haul' }, color: rows },
      { kind: 'heatmap', x: by, y: { field: 'haul' }, color: revenue },
    ],
    [
      'replaces the layer of the row count, and keeps its mark',
      {
        kind: 'combo',
        x: by,
        layers: [
          { mark: 'bar', y: rows },
          { mark: 'line', y: { measure: 'flights' }, axis: 'right' },
        ],
      },
      {
        kind: 'combo',
        x: by,
        layers: [
          { mark: 'bar', y: revenue },
          { mark: 'line', y: { measure: 'flights' }, axis: 'right' },
        ],
      },
    ],
    [
      'replaces the row count among the values of a pivot table',
      { kind: 'pivot', rows: [by], values: [{ measure: 'flights' }, rows] },
      { kind: 'pivot', rows: [by], values: [{ measure: 'flights' }, revenue] },
    ],
    [
      'shades a chart whose measure was chosen',
      { kind: 'bar', x: { measure: 'flights' }, y: by },
      { kind: 'bar', x: { measure: 'flights' }, y: by, color: revenue },
    ],
  ])('%s', (_, tile, expected) => {
    expect(placementOf(tile, fields['revenue']!)!.tile).toEqual(expected);
  });

  test('is offered every shelf that takes it, by name', () => {
    const bars: Tile = { kind: 'bar', x: rows, y: by };
    expect(placementsOf(bars, fields['revenue']!).map(({ shelf }) => shelf.key)).toEqual([
      'x',
      'y',
      'color',
      'tooltip',
    ]);
    expect(placementsOf(bars, fields['carrier']!).map(({ shelf }) => shelf.key)).toEqual([
      'x',
      'y',
      'color',
      'column',
      'row',
      'tooltip',
    ]);
  });
});

describe('the color shelf', () => {
  const bar: Tile = { kind: 'bar', x: { measure: 'revenue' }, y: { field: 'carrier' } };
  const colour = (tile: Tile) => shelvesOf[tile.kind].find(({ key }) => key === 'color')!;

  test('of bars takes a measure, which shades them, or a field, which divides them', () => {
    expect(withField(bar, colour(bar), fields['flights']!)).toEqual({
      ...bar,
      color: { measure: 'flights' },
    });
    expect(withField(bar, colour(bar), fields['carrier']!)).toMatchObject({ color: { field: 'carrier' } });
  });

  test('of points of measures takes a measure', () => {
    expect(withField(measures, colour(measures), fields['revenue']!)).toEqual({
      ...measures,
      color: { measure: 'revenue' },
    });
  });

  test('of points of rows takes a measure if a field tells the points apart, which becomes their detail', () => {
    expect(withField(rows, colour(rows), fields['revenue']!)).toMatchObject({
      x: { field: 'distance', aggregate: 'mean' },
      detail: { field: 'haul' },
      color: { measure: 'revenue' },
    });
    const { color: _, ...plain } = rows as Extract<Tile, { kind: 'scatter' }>;
    expect(withField(plain, colour(plain), fields['revenue']!)).toBeUndefined();
  });

  test('of lines takes no measure', () => {
    const line: Tile = { kind: 'line', x: { field: 'day' }, y: { measure: 'revenue' } };
    expect(withField(line, colour(line), fields['flights']!)).toBeUndefined();
  });
});
