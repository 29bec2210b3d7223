import type { Tile } from '@belvedere/document';
import type { DataType } from '@belvedere/model';
import { expect, test } from 'vitest';
import { adjustTile, canDrill, type Adjustment } from './adjust-tile.ts';

const types: Record<string, DataType> = {
  date: 'date',
  at: 'time',
  carrier: 'text',
  delay: 'integer',
  state: 'text',
  city: 'text',
};
const typeOf = (field: string) => types[field];
const flights = { measure: 'flights' };
const byMonth: Tile = { kind: 'line', x: { field: 'date', timeUnit: 'month' }, y: flights };
const byState: Tile = { kind: 'bar', x: flights, y: { field: 'state' }, drill: ['state', 'city'] };
const histogram: Tile = { kind: 'bar', x: { field: 'delay', bin: { step: 10 } }, y: flights };
const june = { date: { from: '2024-06-01', below: '2024-07-01' } };

test.each<[string, Tile, Adjustment, object]>([
  ['another grain', byMonth, { timeUnit: 'year' }, { x: { field: 'date', timeUnit: 'year' } }],
  ['a break-out', byMonth, { color: 'carrier' }, { color: { field: 'carrier' } }],
  ['a breakdown without a field is ignored', byMonth, { color: 'nothing' }, byMonth],
  [
    'a breakdown of a kind without series is ignored',
    { kind: 'waterfall', x: { field: 'carrier' }, y: flights },
    { color: 'carrier' },
    { kind: 'waterfall' },
  ],
  [
    'a month drilled down shows only its own days',
    byMonth,
    { drill: [june] },
    { x: { field: 'date', timeUnit: 'day' }, filters: [{ field: 'date', default: june.date }] },
  ],
  [
    'a state drilled down shows its cities',
    byState,
    { drill: [{ state: { oneOf: ['GA'] } }] },
    { y: { field: 'city' }, filters: [{ field: 'state', default: { oneOf: ['GA'] } }] },
  ],
  [
    'a zoomed time range chooses its own grain',
    byMonth,
    { zoom: { from: '2024-01-01', below: '2024-02-01' } },
    {
      x: { field: 'date' },
      filters: [{ field: 'date', default: { from: '2024-01-01', below: '2024-02-01' } }],
    },
  ],
  [
    'a zoomed range of numbers gets new bins',
    histogram,
    { zoom: { from: 0, below: 30 } },
    { x: { field: 'delay', bin: true, scale: { domain: [0, 30] } } },
  ],
])('%s', (_, tile, adjustment, expected) => {
  expect(adjustTile(tile, adjustment, typeOf)).toMatchObject(expected);
});

test('a day of a date column and the last field have no lower level', () => {
  expect(canDrill({ ...byMonth, x: { field: 'date', timeUnit: 'day' } } as Tile, typeOf)).toBeUndefined();
  expect(
    canDrill({ ...byMonth, x: { field: 'at', timeUnit: 'day' } } as Tile, typeOf)?.encoding.timeUnit,
  ).toBe('hour');
  expect(
    canDrill(adjustTile(byState, { drill: [{ state: { oneOf: ['GA'] } }] }, typeOf), typeOf),
  ).toBeUndefined();
});

test('a tile without levels of its own drills down along its field’s hierarchy', () => {
  const plain: Tile = { kind: 'bar', x: flights, y: { field: 'state' } };
  const positions = [
    ['carrier', 'delay'],
    ['state', 'city'],
  ];
  expect(canDrill(plain, typeOf)).toBeUndefined();
  expect(canDrill(plain, typeOf, positions)).toMatchObject({ channel: 'y', encoding: { field: 'city' } });
  expect(canDrill({ ...plain, drill: ['state', 'carrier'] }, typeOf, positions)).toMatchObject({
    encoding: { field: 'carrier' },
  });
  const opened = adjustTile(plain, { drill: [{ state: { oneOf: ['GA'] } }] }, typeOf, positions);
  expect(opened).toMatchObject({
    y: { field: 'city' },
    filters: [{ field: 'state', default: { oneOf: ['GA'] } }],
  });
  expect(canDrill(opened, typeOf, positions)).toBeUndefined();
});

test('the original tile is not changed', () => {
  const before = JSON.stringify(byMonth);
  adjustTile(
    byMonth,
    { drill: [june], color: 'carrier', zoom: { from: '2024-06-01', below: '2024-06-08' } },
    typeOf,
  );
  expect(JSON.stringify(byMonth)).toBe(before);
});

test('an axis keeps its options, except a title that may name another grain or field', () => {
  const titled = {
    ...byMonth,
    x: { field: 'date', timeUnit: 'month', axis: { title: 'Month', grid: true } },
  } as Tile;
  for (const adjustment of [
    { timeUnit: 'week' },
    { drill: [june] },
    { zoom: { from: '2024-06-01', below: '2024-06-08' } },
  ] as const)
    expect(adjustTile(titled, adjustment, typeOf)).toMatchObject({ x: { axis: { grid: true } } });
  for (const adjustment of [
    { timeUnit: 'week' },
    { drill: [june] },
    { zoom: { from: '2024-06-01', below: '2024-06-08' } },
  ] as const)
    expect(JSON.stringify(adjustTile(titled, adjustment, typeOf))).not.toContain('Month');
  expect(adjustTile(titled, { color: 'carrier' }, typeOf)).toMatchObject({ x: { axis: { title: 'Month' } } });
});

test('annotations at values of a field are removed for another field, and stay at another grain', () => {
  const noted = { ...byState, annotations: [{ y: 'GA', text: 'Atlanta' }] } as Tile;
  expect(adjustTile(noted, { drill: [{ state: { oneOf: ['GA'] } }] }, typeOf)).toMatchObject({
    annotations: [],
  });
  const strike = { ...byMonth, annotations: [{ x: '2024-03', text: 'A strike' }] } as Tile;
  for (const adjustment of [{ timeUnit: 'week' }, { drill: [june] }, { color: 'carrier' }] as const)
    expect(adjustTile(strike, adjustment, typeOf)).toMatchObject({ annotations: [{ x: '2024-03' }] });
  const ofOne = {
    ...byMonth,
    color: { field: 'carrier' },
    annotations: [{ x: '2024-03', color: 'AA', text: 'A strike' }],
  } as Tile;
  expect(adjustTile(ofOne, { color: 'state' }, typeOf)).toMatchObject({ annotations: [] });
});
