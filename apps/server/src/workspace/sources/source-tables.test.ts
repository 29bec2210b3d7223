import type { ServerSource } from '@belvedere/document';
import type { DatabaseTable } from '@belvedere/engine';
import { expect, test } from 'vitest';
import { schemaDrift } from './schema-drift.ts';
import { sourceTables } from './source-tables.ts';

const source = (kind: 'postgres' | 'mysql') =>
  ({ kind, connection: { database: 'shop', host: 'db', user: 'reader' } }) as ServerSource;
const table = (schema: string, name: string, columns: Record<string, 'integer' | 'text'>) =>
  ({
    schema,
    name,
    columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })),
  }) as unknown as DatabaseTable;
const profile = { name: 'orders', rows: 1, columns: [] };

test('tables outside of the usual schema are prefixed with theirs', () => {
  const names = (kind: 'postgres' | 'mysql') =>
    sourceTables(source(kind), [table('public', 'orders', {}), table('shop', 'orders', {})], []).map(
      one => one.called,
    );
  expect(names('postgres')).toEqual(['orders', 'shop.orders']);
  expect(names('mysql')).toEqual(['public.orders', 'orders']);
});

test('tables keep their profile as long as their columns are the same', () => {
  const before = sourceTables(source('postgres'), [table('public', 'orders', { id: 'integer' })], []).map(
    one => ({ ...one, profile }),
  );
  const profileAfter = (columns: Record<string, 'integer' | 'text'>) =>
    sourceTables(source('postgres'), [table('public', 'orders', columns)], before)[0]!.profile;
  expect(profileAfter({ id: 'integer' })).toBe(profile);
  expect(profileAfter({ id: 'text' })).toBeUndefined();
});

test('drift names removed tables and columns, their likely new names, and changed types', () => {
  const tables = (columns: Record<string, 'integer' | 'text'>, name = 'orders') =>
    sourceTables(source('postgres'), [table('public', name, columns)], []);
  const before = tables({ id: 'integer', amount: 'integer' });
  expect(schemaDrift(before, tables({ id: 'integer', amount: 'integer' }))).toEqual([]);
  expect(schemaDrift(before, tables({ id: 'text', amount: 'integer' }))).toEqual([
    '`orders.id` changed from integer to text.',
  ]);
  expect(schemaDrift(before, tables({ id: 'integer', price: 'integer' }))).toEqual([
    'The column `orders.amount` no longer exists; it may now be called `price`.',
  ]);
  expect(schemaDrift(before, tables({ id: 'integer' }))).toEqual([
    'The column `orders.amount` no longer exists.',
  ]);
  expect(schemaDrift(before, tables({}, 'order'))).toEqual([
    'The table `orders` no longer exists; it may now be called `order`.',
  ]);
});
