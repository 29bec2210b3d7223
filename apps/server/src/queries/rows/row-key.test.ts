import type { Model } from '@belvedere/model';
import { expect, test } from 'vitest';
import type { Workspace } from '../../workspace/workspace.ts';
import { rowKey } from './row-key.ts';

const column = (name: string) => ({ expression: { kind: 'column', name }, type: 'integer' });
const model = {
  name: 'orders',
  source: 'files',
  table: 'orders',
  dimensions: { number: column('id'), city: column('city') },
} as unknown as Model;
const profile = {
  rows: 3,
  columns: [
    { name: 'city', nulls: 0, distinct: 2, isDistinctExact: true },
    { name: 'id', nulls: 0, distinct: 3, isDistinctExact: true },
  ],
};
const workspace = {
  tables: new Map([
    ['orders', { imported: { name: 'orders', columns: [{ name: 'city' }, { name: 'id' }], profile } }],
  ]),
  sources: new Map(),
} as unknown as Workspace;
const rows = { kind: 'rows', dimensions: ['city', 'number'] } as never;
const groups = { kind: 'groups', dimensions: ['city'] } as never;

test('rows are named by a column whose values are unique, groups by what they are grouped by', () => {
  expect([rowKey(workspace, model, rows), rowKey(workspace, model, groups)]).toEqual([['number'], ['city']]);
});

test('rows of a model with row policies are named by their first columns, whatever is unique', () => {
  const limited = { ...model, policies: [{ name: 'own', groups: ['sales'] }] } as unknown as Model;
  expect(rowKey(workspace, limited, rows)).toEqual(['city', 'number']);
});
