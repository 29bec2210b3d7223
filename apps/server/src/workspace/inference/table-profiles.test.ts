import type { Relationship, TableProfile } from '@belvedere/model';
import { expect, test } from 'vitest';
import { relatedInSource } from './table-profiles.ts';
import { inferredModel } from '../documents/inferred-models.ts';
import type { SourceState, SourceTable } from '../sources/source.ts';

const table = (called: string, columns: readonly string[], more: Partial<SourceTable> = {}): SourceTable => ({
  called,
  name: called,
  schema: 'public',
  isView: false,
  columns: columns.map(name => ({ name, type: 'text' })),
  profile: {
    name: called,
    rows: 20,
    columns: columns.map(name => ({
      name,
      type: 'text',
      nulls: 0,
      empties: 0,
      distinct: 20,
      isDistinctExact: false,
      top: [],
    })),
  } as TableProfile,
  ...more,
});
const used: Relationship = {
  from: { table: 'orders', columns: ['customer_id'] },
  to: { table: 'customers', columns: ['customer_id'] },
  score: 1,
  evidence: { rows: 20, matched: 20, isUnique: true },
  verdict: 'used',
};

test.each([
  ['was unique when it was counted', {}, false],
  ['is unique, as the database guarantees', { unique: ['customer_id'] }, true],
])('a guessed model of a database relies on a key that %s: %j', (_, keys, isKeyed) => {
  const orders = table('orders', ['order_id', 'customer_id', 'note']);
  const customers = table('customers', ['customer_id', 'name'], keys);
  const source = { name: 'shop', tables: [orders, customers] } as unknown as SourceState;
  const related = relatedInSource(source, orders.profile!, [used]);
  const model = inferredModel(
    'orders',
    orders.profile!,
    { name: 'orders', columns: orders.columns },
    { source: 'shop', related },
  );
  expect(Object.values(model!.joins)).toMatchObject([{ table: 'customers', isKeyed }]);
});
