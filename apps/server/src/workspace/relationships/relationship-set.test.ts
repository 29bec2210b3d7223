import type { RelationshipDecision, TableProfile } from '@belvedere/model';
import { describe, expect, test } from 'vitest';
import type { ComparedTables } from './compared-tables.ts';
import { RelationshipSet } from './relationship-set.ts';

const table = (name: string, ...columns: readonly string[]): ComparedTables['tables'][number] => ({
  version: name,
  profile: {
    name,
    rows: 100,
    columns: columns.map(column => ({
      name: column,
      type: 'integer',
      nulls: 0,
      empties: 0,
      distinct: 90,
      isDistinctExact: false,
      min: 1,
      max: 100,
      top: [],
    })),
  } as TableProfile,
});

const chosen: RelationshipDecision = {
  from: { table: 'orders', columns: ['code'] },
  to: { table: 'vips', columns: ['vip'] },
  isUsed: true,
};
/** Ten of a hundred orders have a code of a VIP. */
const compared = (more: Partial<ComparedTables> = {}): ComparedTables => ({
  tables: [table('orders', 'order_id', 'code'), table('vips', 'vip', 'name')],
  declared: [],
  decisions: [chosen],
  settleMs: 0,
  inclusion: async () => ({ rows: 100, matched: 10 }),
  isUnique: async () => true,
  ...more,
});

const verdictsOf = async (set: RelationshipSet, wanted: ComparedTables) => {
  set.want(wanted);
  await set.settled();
  return set.current.map(({ verdict, reason }) => reason ?? verdict);
};

describe('a chosen relationship', () => {
  test('is used however few rows match, also by a server that was just started', async () => {
    expect(await verdictsOf(new RelationshipSet(() => {}), compared())).toEqual(['used']);
  });

  test('is used although its key was not counted as a guess, for lack of matches', async () => {
    const set = new RelationshipSet(() => {});
    const tables = [table('orders', 'order_id', 'vip_id'), table('vips', 'vip_id', 'name')];
    const guessed = compared({ tables, decisions: [] });
    expect(await verdictsOf(set, guessed)).toEqual(['unrelated']);
    const decision = {
      ...chosen,
      from: { table: 'orders', columns: ['vip_id'] },
      to: { table: 'vips', columns: ['vip_id'] },
    };
    expect(await verdictsOf(set, compared({ tables, decisions: [decision] }))).toEqual(['used']);
  });

  test('is measured again if that failed once', async () => {
    const set = new RelationshipSet(() => {});
    const failing = compared({ inclusion: () => Promise.reject(new Error('The connection was lost.')) });
    expect(await verdictsOf(set, failing)).toEqual(['not measured']);
    const other = compared({ tables: [...failing.tables, table('notes', 'text')] });
    expect(await verdictsOf(set, other)).toEqual(['used']);
  });
});

test('a few counts for users run at a time, without cancelled ones', async () => {
  let running = 0;
  let most = 0;
  let runs = 0;
  const set = new RelationshipSet(() => {});
  set.want(
    compared({
      decisions: [],
      inclusion: async () => {
        most = Math.max(most, ++running);
        runs++;
        await new Promise(resolve => setTimeout(resolve, 5));
        running--;
        return { rows: 100, matched: 10 };
      },
    }),
  );
  await set.settled();
  const signals = Array.from({ length: 20 }, (_, i) =>
    i % 5 === 3 ? AbortSignal.abort() : new AbortController().signal,
  );
  const counted = await Promise.all(signals.map(signal => set.measure(chosen, signal)));
  expect(counted.map(one => one?.isUnique)).toEqual(
    signals.map(signal => (signal.aborted ? undefined : true)),
  );
  expect([most, runs]).toEqual([4, 16]);
});
