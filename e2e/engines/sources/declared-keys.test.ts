import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { runBelvedere, sourcesReady, type Running } from '../../running-belvedere.ts';
import { databases, type Cell, type StatedTable } from '../loaded-engines.ts';
import { sourceFile } from '../workspace-on.ts';

/**
 * Relationships between tables of a database server: declared, found by names and values, and decided by an
 * author.
 */

const integers = (...names: readonly string[]) => names.map(name => ({ name, type: 'integer' as const }));
const rows = (count: number, of: (i: number) => Cell[]) => Array.from({ length: count }, (_, i) => of(i));
const day = (n: number) => Date.UTC(2024, 0, 1 + n);
const tables: readonly StatedTable[] = [
  {
    name: 'people',
    columns: [...integers('id', 'boss'), { name: 'country', type: 'text' }],
    rows: rows(30, i => [i, i === 0 ? null : Math.floor(i / 2), ['Peru', 'Chile'][i % 2]!]),
    unique: ['id'],
  },
  {
    name: 'order_lines',
    columns: integers('order_no', 'line', 'quantity'),
    rows: rows(60, i => [Math.floor(i / 3), i % 3, 5]),
  },
  {
    name: 'returns',
    // The name `buyer` matches no table; two rows match no line.
    columns: integers('return_no', 'buyer', 'order_no', 'line'),
    rows: rows(40, i => [i, i % 30, i < 38 ? i % 20 : null, i < 38 ? i % 3 : null]),
    unique: ['return_no'],
  },
  {
    name: 'visits',
    columns: integers('visit_no', 'people_id'),
    rows: rows(50, i => [i, i % 30]),
    unique: ['visit_no'],
  },
  {
    name: 'rates',
    columns: [
      { name: 'person_id', type: 'integer' },
      { name: 'valid_from', type: 'date' },
      { name: 'valid_to', type: 'date' },
      { name: 'rate', type: 'integer' },
    ],
    // Two versions of each person's rate, of which the second has no end.
    rows: rows(60, i => [Math.floor(i / 2), day(i % 2 ? 20 : 0), i % 2 ? null : day(20), i % 2 ? 7 : 5]),
  },
  {
    name: 'shifts',
    columns: [
      { name: 'shift_no', type: 'integer' },
      { name: 'person_id', type: 'integer' },
      { name: 'day', type: 'date' },
    ],
    rows: rows(80, i => [i, i % 30, day(i % 40)]),
    unique: ['shift_no'],
  },
];
const constraints = [
  'alter table people add foreign key (boss) references people (id)',
  'alter table order_lines add primary key (order_no, line)',
  'alter table returns add foreign key (buyer) references people (id)',
  'alter table returns add foreign key (order_no, line) references order_lines (order_no, line)',
];

const endText = ({ table, columns }: { readonly table: string; readonly columns: readonly string[] }) =>
  `${table}.${columns.join('+')}`;

/** The relationships in use, in words, once they have been measured. */
async function used(running: Running, count: number): Promise<string[]> {
  const found = () =>
    (running.server.store.relationships.current.get('warehouse') ?? [])
      .filter(({ verdict }) => verdict === 'used')
      .map(
        ({ from, to, evidence, origin }) =>
          `${endText(from)} → ${endText(to)} ${evidence?.matched}/${evidence?.rows} ${origin ?? 'found'}`,
      )
      .toSorted();
  for (const end = Date.now() + 20_000; found().length < count && Date.now() < end;)
    await new Promise(resolve => setTimeout(resolve, 50));
  return found();
}

describe.each(databases)('relationships on %s', (name, load) => {
  test('are declared, or found where none is declared; models join by them', async () => {
    const loaded = await load(tables);
    const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-keys-'));
    await mkdir(path.join(folder, 'sources'));
    await writeFile(path.join(folder, 'sources', 'warehouse.yaml'), sourceFile(loaded));
    let running: Running | undefined;
    try {
      const declares = name !== 'ClickHouse';
      if (declares)
        for (const statement of constraints)
          await loaded.keeper(
            statement.replaceAll(/(table|references) (\w+)/g, (_, word: string, table: string) => {
              return `${word} ${loaded.tableName(table)}`;
            }),
          );
      running = await runBelvedere(folder, { isTrusted: true });
      await sourcesReady(running);
      const found = await used(running, declares ? 6 : 5);
      const byName = 'visits.people_id → people.id 50/50 found';
      if (declares)
        expect(found).toEqual([
          'people.boss → people.id 29/29 declared',
          'rates.person_id → people.id 60/60 found',
          'returns.buyer → people.id 40/40 declared',
          'returns.order_no+line → order_lines.order_no+line 38/38 declared',
          'shifts.person_id → people.id 80/80 found',
          byName,
        ]);
      else expect(found).toContain(byName);
      const { rows: counted } = await running.client.postQuery({
        params: { name: 'warehouse_visits' },
        body: { dimensions: ['person_country'], measures: ['rows'] },
      });
      expect(counted.map(([country, count]) => [country, Number(count)]).toSorted()).toEqual([
        ['Chile', 25],
        ['Peru', 25],
      ]);
      const byRange = {
        from: { table: 'shifts', columns: ['person_id'] },
        to: { table: 'rates', columns: ['person_id'] },
        between: { column: 'day', begin: 'valid_from', end: 'valid_to' },
      };
      expect(await running.client.countMatches({ params: { name: 'warehouse' }, body: byRange })).toEqual({
        matches: { rows: 80, matched: 80, isUnique: true },
      });
      const backwards = { ...byRange, between: { ...byRange.between, begin: 'valid_to', end: 'valid_from' } };
      expect(
        (await running.client.countMatches({ params: { name: 'warehouse' }, body: backwards })).matches,
      ).toMatchObject({ matched: 0 });
      if (!declares) return;
      // A key of several columns joins each return to its line.
      const { models } = running.server.store.current;
      const { joins } = models.get('warehouse_returns')!.model;
      expect(Object.values(joins).find(({ table }) => table === 'order_lines')).toMatchObject({
        isKeyed: true,
        on: [{ column: 'order_no' }, { column: 'line' }],
      });
    } finally {
      await running?.close();
      await loaded.close();
      await rm(folder, { recursive: true, force: true });
    }
  }, 120_000);
});
