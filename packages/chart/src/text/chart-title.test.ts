import type { Tile } from '@belvedere/document';
import { expect, test } from 'vitest';
import { chartTitle } from './chart-title.ts';

const byCountry = (show: 'share of total'): Tile => ({
  kind: 'bar',
  x: { measure: 'revenue', show },
  y: { field: 'country' },
});
const overTime = (show: 'running total' | 'difference' | 'percent change'): Tile => ({
  kind: 'line',
  x: { field: 'date' },
  y: { measure: 'revenue', show },
});

const binned: Tile = { kind: 'bar', x: { field: 'price', bin: { step: 5 } }, y: { measure: 'rows' } };

test.each([
  ['Rows', 'en-US', 'Distribution of unit price'],
  ['Rows', 'de-DE', 'Verteilung: Unit price'],
  ['Rows', 'zh-CN', 'Unit price 的分布'],
  ['Orders', 'en-US', 'Orders by unit price'],
])('a histogram that counts %s is titled in %s: %s', (label, locale, title) => {
  expect(chartTitle(binned, label, () => 'Unit price', 'date', locale)).toBe(title);
});

test.each([
  [byCountry('share of total'), 'en-US', 'Share of revenue by country'],
  [byCountry('share of total'), 'de-DE', 'Revenue (Anteil) nach Country'],
  [byCountry('share of total'), 'zh-CN', 'Revenue 占比（按 Country）'],
  [overTime('running total'), 'en-US', 'Cumulative revenue over time'],
  [overTime('difference'), 'en-US', 'Change in revenue over time'],
  [overTime('percent change'), 'en-US', 'Percent change in revenue over time'],
])('the title of %j names its table calculation in %s', (tile, locale, title) => {
  expect(chartTitle(tile, 'Revenue', () => 'Country', 'date', locale)).toBe(title);
});
