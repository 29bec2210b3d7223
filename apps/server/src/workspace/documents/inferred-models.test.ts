import type { ImportedTable } from '@belvedere/engine';
import type { ColumnProfile, TableProfile } from '@belvedere/model';
import { expect, test } from 'vitest';
import { schemaOf } from '../assemble-model.ts';
import { inferredModel, parentOf } from './inferred-models.ts';

const column = (name: string, distinct: number): ColumnProfile => ({
  name,
  type: 'integer',
  nulls: 0,
  empties: 0,
  distinct,
  isDistinctExact: true,
  top: [],
});
const table = (
  name: string,
  rows: number,
  columns: readonly ColumnProfile[],
  rest: Partial<ImportedTable> = {},
): ImportedTable => {
  const profile: TableProfile = { name, rows, columns };
  return {
    name,
    fingerprint: name,
    files: [],
    database: '',
    columns: columns.map(one => ({ name: one.name, type: one.type })),
    profile,
    report: { rowsRead: rows, rowsKept: rows, rowsRejected: 0, rejected: [], notes: [] },
    readAt: '',
    ...rest,
  };
};
const orders = table('orders', 10, [column('id', 10), column('total', 9)]);
const items = table('orders_items', 30, [column('orders_id', 8), column('n', 5)], {
  parent: { table: 'orders', column: 'orders_id', equals: 'id' },
});

test('the inferred model of a nested table joins its parent table, by its key', () => {
  const parent = parentOf(items, name => (name === 'orders' ? schemaOf(orders) : undefined));
  const model = inferredModel(items.name, items.profile, schemaOf(items), parent && { parent });
  expect(model!.joins).toMatchObject({
    orders: { table: 'orders', on: [{ column: 'orders_id', equals: 'id' }], isKeyed: true },
  });
  expect(Object.keys(model!.dimensions)).toContain('orders_id');
});

test('without the parent table it has no join, and gets one when the table appears', () => {
  expect(parentOf(items, () => undefined)).toBeUndefined();
  expect(inferredModel(items.name, items.profile, schemaOf(items))!.joins).toEqual({});
  expect(
    Object.keys(
      inferredModel(items.name, items.profile, schemaOf(items), {
        parent: parentOf(items, () => schemaOf(orders))!,
      })!.joins,
    ),
  ).toEqual(['orders']);
});
