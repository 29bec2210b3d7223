import { buildModel, inferModel, type ColumnProfile, type TableProfile } from '@belvedere/model';
import { expect, test } from 'vitest';
import type { Workspace, WorkspaceDashboard, WorkspaceModel } from '../workspace.ts';
import { homeOrder, isLookupOverview, modelOrder } from './home-order.ts';

const column = (name: string, type: 'text' | 'number' | 'date'): ColumnProfile => ({
  name,
  type,
  nulls: 0,
  empties: 0,
  distinct: 4,
  isDistinctExact: true,
  top: [],
  ...(type !== 'text' && { min: 0, max: 9, low: 0, high: 9 }),
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
  // Fewer rows than lines, but with a time.
  { ...table('payments', 90, 'number'), columns: [column('amount', 'number'), column('paid', 'date')] },
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

test('Home lists saved dashboards, then overviews with a time by rows, other amounts, counts, and code lists', () => {
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
    'payments',
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

test.each<[name: string, more: Case, isLookup: boolean, why: string]>([
  ['colours', {}, true, 'few rows that are only counted'],
  ['keys', {}, false, 'many rows that are only counted, and no link'],
  ['keys', { joins: { colour: { on: [{ column: 'colour_id' }] } } }, true, 'rows that only connect others'],
  ['regions', { joins: { colour: { on: [{ column: 'colour_id' }] } } }, false, 'references and more'],
  ['orders', { joins: { colour: { on: [{ column: 'amount' }] } } }, false, 'amounts'],
  ['payments', { isLookup: true }, false, 'a time, though others refer to it'],
  ['keys', { isLookup: true }, true, 'neither time nor amounts, and others refer to it'],
])('the overview of %s %j is of a look-up table: %s (%s)', (name, { isLookup, joins }, expected) => {
  const found = workspace.models.get(name)!;
  const model = { ...found.model, ...(joins && { joins }) } as WorkspaceModel['model'];
  const models = new Map([[name, { ...found, model, ...(isLookup && { isLookup }) }]]);
  expect(isLookupOverview(dashboard(name, 'overview', name), { ...workspace, models })).toBe(expected);
  expect(isLookupOverview(dashboard(name, 'saved', name), { ...workspace, models })).toBe(false);
});
interface Case {
  readonly isLookup?: true;
  readonly joins?: Readonly<Record<string, object>>;
}

test('lists inside the rows of another table are look-ups unless they add up money', () => {
  const nested = (amount: string) => {
    const list = { ...table('lists', 3000, 'number'), columns: [column(amount, 'number')] };
    const model = buildModel('lists', inferModel(list), [list]).model;
    return isLookupOverview(dashboard('lists', 'overview', 'lists'), {
      models: new Map([['lists', { model }]]),
      tables: new Map([['lists', { imported: { profile: list, parent: { table: 'orders' } } }]]),
    } as unknown as Workspace);
  };
  expect(nested('requests')).toBe(true);
  expect(nested('amount')).toBe(false);
});
