import { expect, test } from 'vitest';
import type { ColumnProfile } from '../table.ts';
import { regionShapeOf } from './infer-regions.ts';

const column = (name: string, values: string): ColumnProfile => {
  const top = values.split(', ').map((value, i) => ({ value, rows: 90 - i }));
  return { name, type: 'text', nulls: 0, empties: 0, distinct: top.length, isDistinctExact: true, top };
};

test.each([
  ['country', 'DE, FR, IT', 'countries'],
  ['market', 'Germany, France, Brazil, Japan, Canada', 'countries'],
  ['region', 'Ohio, Texas, Maine, Utah, Iowa', 'us-states'],
  ['cc', 'DE, FR, IT, ES, PL, BR, JP, IN', 'countries'],
  ['where', 'DEU, FRA, BRA, JPN, USA', 'countries'],
  ['dest', 'OH, TX, WY, NY, FL', 'us-states'],
  // Codes of states that are codes of countries, too.
  ['place', 'AL, AR, CA, CO, DE, GA, ID, IL', undefined],
  ['airport', 'JFK, LAX, ORD, ATL, DFW', undefined],
  ['carrier', 'AA, AS, DE, FR, HA, MQ, US, VE', undefined],
  ['language', 'DE, FR, IT, ES, PL, PT, NL, TR', undefined],
  ['size', 'S, M, L, XL', undefined],
  ['grade', 'AA, AB, BB', undefined],
  ['status', 'open, closed, waiting, paid, sent', undefined],
  ['currency', 'EUR, USD, GBP, JPY, CHF', undefined],
])('the values of %s, %s, are regions: %s', (name, values, shape) => {
  expect(regionShapeOf(column(name, values))).toBe(shape);
});
