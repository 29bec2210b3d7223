import { buildModel, inferModel, type ColumnProfile, type TableProfile } from '@belvedere/model';
import { expect, test } from 'vitest';
import type { Workspace, WorkspaceDashboard, WorkspaceModel } from '../workspace.ts';
import { homeOrder, modelOrder } from './home-order.ts';

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
  // Each row refers to a colour: those are counted, and nothing is measured.
  { ...table('keys', 9000, 'text'), columns: [column('colour_id', 'text')] },
  table('orders', 800, 'number'),
  table('lines', 2000, 'number'),
];
const workspace = {
  models: new Map(
    tables.map(one => [one.name, { model: buildModel(one.name, inferModel(one), [one]).model }]),
  ),
  tables: new Map(tables.map(one => [one.name, { imported: { profile: one } }])),
} as unknown as Workspace;
const dashboard = (title: string, origin: 'saved' | 'overview', model: string, kinds = ['bar', 'table']) =>
  ({
    title,
    origin,
    document: { model, pages: [{ tiles: Object.fromEntries(kinds.map(kind => [kind, { kind }])) }] },
  }) as unknown as WorkspaceDashboard;

test('Home lists saved dashboards, then overviews by rows, then those that only count, then code lists', () => {
  const listed = [
    ...tables.map(({ name }) =>
      dashboard(name, 'overview', name, name === 'regions' ? ['table'] : ['bar', 'table']),
    ),
    dashboard('reading', 'overview', 'none'),
    dashboard('Sales', 'saved', 'orders'),
    dashboard('Costs', 'saved', 'lines'),
  ];
  expect(listed.toSorted(homeOrder(workspace)).map(({ title }) => title)).toEqual([
    'Costs',
    'Sales',
    'lines',
    'orders',
    'keys',
    'colours',
    'regions',
    'reading',
  ]);
});

test('models to choose from begin with saved ones, then those that measure something, and end with look-ups', () => {
  const model = (name: string, more: Partial<WorkspaceModel> = { isGuessed: true }) =>
    ({ ...workspace.models.get(name)!, isGuessed: false, ...more }) as WorkspaceModel;
  const offered = [
    model('colours', { isGuessed: true, isLookup: true }),
    model('keys'),
    model('orders'),
    model('lines'),
    model('regions', { isGuessed: false }),
  ];
  expect(offered.toSorted(modelOrder(workspace)).map(({ model: { name } }) => name)).toEqual([
    'regions',
    'lines',
    'orders',
    'keys',
    'colours',
  ]);
});
