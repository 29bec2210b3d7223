import type { Tile } from '@belvedere/document';
import type { FieldFacts } from '@belvedere/query';
import { describe, expect, test } from 'vitest';
import type { FieldProfiles } from '../../editor/encoding/field-profiles.ts';
import { chartWith, distribution, distributionHeight, firstChart, withFilters } from './explore-chart.ts';

const fields: readonly FieldFacts[] = [
  { name: 'rows', label: 'Rows' },
  { name: 'revenue', label: 'Revenue' },
  { name: 'profit', label: 'Profit' },
  { name: 'day', label: 'Day', type: 'date' },
  { name: 'shop', label: 'Shop', type: 'text', profile: { distinct: 7 } },
  { name: 'product', label: 'Product', type: 'text', profile: { distinct: 77 } },
];
const profiles: FieldProfiles = {
  name: 'sales',
  label: 'Sales',
  fields,
  profile: undefined,
  time: 'day',
  of: name => fields.find(field => field.name === name),
};
const put = (chart: Tile, ...names: readonly string[]) =>
  names.reduce((before, name) => chartWith(before, profiles.of(name)!, profiles)!, chart);
const along = { field: 'day', timeUnit: 'month' };
const first = firstChart(profiles);

describe('a field put into the explored chart', () => {
  test('replaces the row count if it is a measure', () => {
    expect(put(first, 'revenue')).toEqual({ kind: 'area', x: along, y: { measure: 'revenue' } });
  });
  test('charts the chosen measure by it if it is a dimension', () => {
    expect(put(first, 'revenue', 'product')).toEqual({
      kind: 'bar',
      x: { measure: 'revenue' },
      y: { field: 'product', limit: 10 },
    });
  });
  test('divides a chart whose dimension was chosen', () => {
    expect(put(first, 'revenue', 'product', 'shop')).toMatchObject({
      y: { field: 'product' },
      color: { field: 'shop' },
    });
    expect(put(first, 'shop')).toEqual({ ...first, color: { field: 'shop', limit: 5 } });
  });
  test('is kept in the tooltip if the chart has a chosen measure already', () => {
    expect(put(first, 'revenue', 'profit')).toMatchObject({
      y: { measure: 'revenue' },
      tooltip: [{ measure: 'profit' }],
    });
  });
});

describe('a chart that exploring begins with', () => {
  const begun = (initial: NonNullable<FieldProfiles['profile']>['initial']): FieldProfiles => ({
    ...profiles,
    profile: { fields: {}, joined: {}, ...(initial && { initial }) },
  });
  const revenue = begun({ measure: 'revenue', isTotal: true, field: 'day', timeUnit: 'week' });

  test('shows the primary measure over time, as the trend of an overview', () => {
    const x = { field: 'day', timeUnit: 'week' };
    expect(firstChart(revenue)).toEqual({ kind: 'area', x, y: { measure: 'revenue' } });
    expect(firstChart(begun({ measure: 'profit', isTotal: false, field: 'day' }))).toEqual({
      kind: 'line',
      x: along,
      y: { measure: 'profit' },
    });
  });
  test('shows it by the best dimension where there is no time', () => {
    expect(firstChart(begun({ measure: 'revenue', isTotal: true, field: 'shop' }))).toEqual({
      kind: 'bar',
      x: { measure: 'revenue' },
      y: { field: 'shop', limit: 10 },
    });
    expect(firstChart(begun({ measure: 'revenue', isTotal: true }))).toMatchObject({
      y: { measure: 'revenue' },
    });
  });
  test('shows a chosen measure instead of it, and it by a chosen dimension', () => {
    const chosen = (name: string) => chartWith(firstChart(revenue), profiles.of(name)!, revenue);
    expect(chosen('profit')).toMatchObject({ kind: 'area', y: { measure: 'profit' } });
    expect(chosen('shop')).toMatchObject({ x: { measure: 'revenue' }, y: { field: 'shop' } });
  });
});

test('the distribution of a column of at most eight values shows all of them, in a higher tile', () => {
  const [shop, product] = [profiles.of('shop')!, profiles.of('product')!];
  expect(distribution(shop)).toMatchObject({ kind: 'bar', y: { field: 'shop', limit: 8 } });
  expect(distribution(product)).toMatchObject({ kind: 'bar', y: { field: 'product', limit: 4 } });
  expect(distributionHeight(shop)).toBe(distributionHeight(product) + 80);
});

test('the distribution of a column that was not counted has room for eight values', () => {
  const state = { name: 'state', label: 'State', type: 'text' } as const;
  expect(distribution(state)).toMatchObject({ kind: 'bar', y: { field: 'state', limit: 9 } });
  expect(distributionHeight(state)).toBe(260);
  expect(distribution({ ...state, type: 'boolean' })).toMatchObject({ y: { limit: 3 } });
  expect(distributionHeight({ ...state, type: 'boolean' })).toBe(160);
});

test('a chart keeps its own filters beside those that narrow it in Explore', () => {
  const own = { field: 'product', default: { oneOf: ['Tea'] } };
  const chart: Tile = { kind: 'kpi', value: { measure: 'rows' }, filters: [own] };
  expect(withFilters(chart, { filters: { shop: { oneOf: ['Bern'] }, day: null } })).toMatchObject({
    filters: [own, { field: 'shop', default: { oneOf: ['Bern'] } }],
  });
  expect(withFilters(chart, { filters: {} })).toBe(chart);
});
