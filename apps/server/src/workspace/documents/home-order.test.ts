import { buildModel, inferModel, type ColumnProfile, type TableProfile } from '@belvedere/model';
import { expect, test } from 'vitest';
import type { Workspace, WorkspaceDashboard } from '../workspace.ts';
import { homeOrder } from './home-order.ts';

const column = (name: string, type: 'text' | 'number'): ColumnProfile => ({
  name,
  type,
  nulls: 0,
  empties: 0,
  distinct: 4,
  isDistinctExact: true,
  top: [],
  ...(type === 'number' && { min: 0, max: 9, low: 0, high: 9 }),
});
const table = (name: string, rows: number, type: 'text' | 'number'): TableProfile => ({
  name,
  rows,
  columns: [column('amount', type)],
});
const tables = [
  table('regions', 4000, 'text'),
  table('colours', 4, 'text'),
  table('orders', 800, 'number'),
  table('lines', 2000, 'number'),
];
const workspace = {
  models: new Map(
    tables.map(one => [one.name, { model: buildModel(one.name, inferModel(one), [one]).model }]),
  ),
  tables: new Map(tables.map(one => [one.name, { imported: { profile: one } }])),
} as unknown as Workspace;
const dashboard = (title: string, origin: 'saved' | 'overview', model: string) =>
  ({ title, origin, document: { model } }) as unknown as WorkspaceDashboard;

test('Home lists saved dashboards, then overviews by rows, then those of look-up tables', () => {
  const listed = [
    ...tables.map(({ name }) => dashboard(name, 'overview', name)),
    dashboard('reading', 'overview', 'none'),
    dashboard('Sales', 'saved', 'orders'),
    dashboard('Costs', 'saved', 'lines'),
  ];
  expect(listed.toSorted(homeOrder(workspace)).map(({ title }) => title)).toEqual([
    'Costs',
    'Sales',
    'lines',
    'orders',
    'regions',
    'colours',
    'reading',
  ]);
});
