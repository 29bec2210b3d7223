import { DuckDBInstance } from '@duckdb/node-api';
import type { Relationship } from '@belvedere/model';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { allRead, runBelvedere, type Running } from '../running-belvedere.ts';

/** Waits until all tables have been read and compared. */
async function related(running: Running): Promise<readonly Relationship[]> {
  await allRead(running);
  await running.server.store.relationships.settled();
  return running.server.store.relationships.current.get('files')!;
}

describe('a folder of three tables', () => {
  const customers = [
    ['ALFKI', 'Alfreds', 'Germany'],
    ['BONAP', 'Bon app', 'France'],
    ['CHOPS', 'Chop-suey', 'Switzerland'],
    ['DRACD', 'Drachenblut', 'Germany'],
  ] as const;
  const orders = Array.from({ length: 40 }, (_, i) => ({
    id: 1000 + i,
    // Every ninth customer is unknown.
    customer: i % 9 === 8 ? 'XXXXX' : customers[(i * 7) % 4]![0],
    date: `1997-0${1 + (i % 6)}-1${i % 9}`,
  }));
  const lines = Array.from({ length: 130 }, (_, i) => ({
    order: 1000 + ((i * 11) % 40),
    price: 2 + ((i * 13) % 50) / 4,
    quantity: 1 + ((i * 5) % 12),
    discount: [0, 0.25, 0.5][i % 3]!,
  }));

  async function opened(): Promise<Running> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'related-'));
    const csv = (name: string, rows: readonly (readonly (string | number)[])[]) =>
      writeFile(path.join(folder, `${name}.csv`), rows.map(row => row.join(',')).join('\n') + '\n');
    await csv('customers', [['customer_id', 'company_name', 'country'], ...customers]);
    await csv('orders', [
      ['order_id', 'customer_id', 'order_date'],
      ...orders.map(({ id, customer, date }) => [id, customer, date]),
    ]);
    await csv('order_lines', [
      ['order_id', 'unit_price', 'quantity', 'discount'],
      ...lines.map(({ order, price, quantity, discount }) => [order, price, quantity, discount]),
    ]);
    return runBelvedere(folder);
  }

  const countryOf = (order: number) => {
    const { customer } = orders.find(({ id }) => id === order)!;
    return customers.find(([id]) => id === customer)?.[2] ?? null;
  };
  const value = ({ price, quantity, discount }: (typeof lines)[number]) => price * quantity * (1 - discount);

  test('revenue, orders and their mean value by customer country match plain loops', async () => {
    const running = await opened();
    try {
      await related(running);
      const { rows } = await running.client.postQuery({
        params: { name: 'order_lines' },
        body: { dimensions: ['customer_country'], measures: ['revenue', 'orders', 'avg_order_value'] },
      });
      const expected = [...new Set(lines.map(({ order }) => countryOf(order)))].map(country => {
        const some = lines.filter(({ order }) => countryOf(order) === country);
        const revenue = some.reduce((sum, line) => sum + value(line), 0);
        const count = new Set(some.map(({ order }) => order)).size;
        return [country, [revenue, count, revenue / count]] as const;
      });
      expect(rows.length).toBe(expected.length);
      for (const [country, figures] of expected)
        for (const [i, figure] of figures.entries())
          expect(Number(rows.find(([name]) => name === country)![i + 1])).toBeCloseTo(figure, 6);
    } finally {
      await running.close();
    }
  });

  test('the time of order lines is the date of their orders', async () => {
    const running = await opened();
    try {
      await related(running);
      const { rows } = await running.client.postQuery({
        params: { name: 'order_lines' },
        body: { dimensions: [{ field: 'order_date', timeUnit: 'month' }], measures: ['rows'] },
      });
      const monthOf = (order: number) => orders.find(({ id }) => id === order)!.date.slice(0, 7);
      const counts = Map.groupBy(lines, ({ order }) => monthOf(order));
      expect(rows.map(([, count]) => Number(count)).toSorted()).toEqual(
        [...counts.values()].map(({ length }) => length).toSorted(),
      );
      expect(running.server.store.current.models.get('order_lines')!.model.time).toBe('order_date');
    } finally {
      await running.close();
    }
  });

  test('an author removes, chooses and forgets relationships; the table’s file says so, and models follow', async () => {
    const running = await opened();
    const params = { name: 'files' };
    const { root } = running.server.store.folders;
    const file = path.join(root, 'tables', 'order_lines.yaml');
    const toOrders = {
      from: { table: 'order_lines', columns: ['order_id'] },
      to: { table: 'orders', columns: ['order_id'] },
    };
    const found = async () => {
      const { relationships } = await running.client.getRelationships({ params });
      return relationships.find(({ from }) => from.table === 'order_lines');
    };
    const joins = () => Object.keys(running.server.store.current.models.get('order_lines')!.model.joins);
    try {
      await related(running);
      expect(await found()).toEqual({
        ...toOrders,
        cardinality: 'many-to-one',
        verdict: 'used',
        origin: 'found',
        matches: { rows: 130, matched: 130, isUnique: true },
      });

      const { readAt } = running.server.store.current.tables.get('order_lines')!.imported!;
      await running.client.saveRelationship({ params, body: { ...toOrders, use: 'never' } });
      expect(await found()).toMatchObject({ verdict: 'refused', reason: 'removed' });
      expect(joins()).toEqual([]);
      expect(await readFile(file, 'utf8')).toContain('use: false');
      // A decision is no import option: nothing is imported again.
      await running.server.store.reload();
      expect(running.server.store.current.tables.get('order_lines')).toMatchObject({
        state: 'ready',
        imported: { readAt },
      });

      // Other lines of the file stay, and neither kind of decision loses the other.
      await writeFile(file, `${await readFile(file, 'utf8')}# Checked by Ana.\ndecimal: '.'\n`);
      await running.server.store.reload();
      await running.client.setImportOptions({
        params: { table: 'order_lines' },
        body: { decimal: '.', nulls: ['?'] },
      });
      await related(running);
      expect(await found()).toMatchObject({ verdict: 'refused', reason: 'removed' });

      await running.client.saveRelationship({ params, body: { ...toOrders, use: 'always' } });
      expect(await found()).toMatchObject({ verdict: 'used', origin: 'chosen' });
      expect(joins()).toEqual(['order', 'customer']);

      await running.client.saveRelationship({ params, body: { ...toOrders, use: 'automatic' } });
      expect(await found()).toMatchObject({ verdict: 'used', origin: 'found' });
      expect(await readFile(file, 'utf8')).not.toContain('relationships');
      expect(await readFile(file, 'utf8')).toContain('nulls');

      const notUnique = {
        from: { table: 'order_lines', columns: ['quantity'] },
        to: { table: 'order_lines', columns: ['order_id'] },
      };
      expect(await running.client.countMatches({ params, body: notUnique })).toEqual({
        matches: { rows: 130, matched: 0, isUnique: false },
      });
      await expect(
        running.client.saveRelationship({ params, body: { ...notUnique, use: 'always' } }),
      ).rejects.toMatchObject({ problem: { type: 'request-invalid' } });
    } finally {
      await running.close();
    }
  });

  test('a decision about a table or column that does not exist is a problem of its file', async () => {
    const running = await opened();
    try {
      await related(running);
      await mkdir(path.join(running.server.store.folders.root, 'tables'), { recursive: true });
      await writeFile(
        path.join(running.server.store.folders.root, 'tables', 'orders.yaml'),
        [
          'version: 1',
          'relationships:',
          '  - { table: customer, on: { customer_id: customer_id } }',
          '  - { table: customers, on: { id: country } }',
          '  - { table: customers, on: { customer_id: country } }\n',
        ].join('\n'),
      );
      await running.server.store.reload();
      await related(running);
      expect(
        running.server.store.current.problems.map(({ file, line, message }) => [file, line, message]),
      ).toEqual([
        ['tables/orders.yaml', 3, 'There is no table `customer`; did you mean `customers`?'],
        ['tables/orders.yaml', 4, expect.stringMatching(/^`orders` has no column `id`/)],
        [
          'tables/orders.yaml',
          5,
          expect.stringMatching(/^`customers.country` has values that occur more than/),
        ],
      ]);
    } finally {
      await running.close();
    }
  });

  test('versions with validity dates are offered; used, each sale has the price of its day; overlaps are refused', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-versions-'));
    const days = Array.from({ length: 60 }, (_, i) =>
      new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10),
    );
    const sales = days.flatMap((day, i) => [
      ['A', day, 1],
      ['B', day, i % 3],
    ]);
    const prices = (overlap: string) =>
      [
        'product,valid_from,valid_to,price',
        'A,2024-01-01,2024-01-11,10',
        'A,2024-01-11,,20',
        `B,2024-01-05,${overlap},3`,
        'B,2024-02-01,,4',
      ].join('\n');
    await writeFile(
      path.join(folder, 'sales.csv'),
      ['product,sold_on,quantity', ...sales.map(row => row.join())].join('\n'),
    );
    await writeFile(path.join(folder, 'product.csv'), prices('2024-02-01'));
    const running = await runBelvedere(folder);
    const params = { name: 'files' };
    try {
      await related(running);
      const offered = async () => (await running.client.getRelationships({ params })).relationships[0]!;
      const between = { column: 'sold_on', begin: 'valid_from', end: 'valid_to' };
      const ends = {
        from: { table: 'sales', columns: ['product'] },
        to: { table: 'product', columns: ['product'] },
        between,
      };
      expect(await offered()).toMatchObject({
        ...ends,
        verdict: 'offered',
        reason: 'versions',
        matches: { rows: 120, matched: 116, isUnique: true },
      });
      await running.client.saveRelationship({ params, body: { ...ends, use: 'always' } });
      expect(await offered()).toMatchObject({ between, verdict: 'used', origin: 'chosen' });
      expect(await readFile(path.join(folder, 'tables', 'sales.yaml'), 'utf8')).toContain(
        'between: { sold_on: [valid_from, valid_to] }',
      );
      const text = await running.client.getModelText({ params: { name: 'sales' } });
      const body = `${text.text.trimEnd()}\n`.replace(
        'measures:',
        "measures:\n  turnover: { expr: 'sum(quantity * product.price)' }",
      );
      await running.client.saveModelText({ params: { name: 'sales' }, body: { text: body, message: '' } });
      const { rows } = await running.client.postQuery({
        params: { name: 'sales' },
        body: { dimensions: ['product'], measures: ['rows', 'turnover'], order: [{ by: 'product' }] },
      });
      const ofB = days.map((day, i) => (i % 3) * (day < '2024-01-05' ? 0 : day < '2024-02-01' ? 3 : 4));
      expect(rows.map(row => row.map(value => (typeof value === 'string' ? value : Number(value))))).toEqual([
        ['A', 60, 10 * 10 + 50 * 20],
        ['B', 60, ofB.reduce((sum, amount) => sum + amount, 0)],
      ]);

      await writeFile(path.join(folder, 'product.csv'), prices('2024-02-02'));
      await running.server.store.reload();
      await related(running);
      expect(await offered()).toMatchObject({ verdict: 'refused', reason: 'overlaps' });
      expect(running.server.store.current.problems.map(({ file, message }) => [file, message])).toEqual([
        ['tables/sales.yaml', expect.stringContaining('Ranges of `product` overlap for the same `product`')],
      ]);
      await expect(
        running.client.saveRelationship({ params, body: { ...ends, use: 'always' } }),
      ).rejects.toMatchObject({ problem: { type: 'request-invalid' } });
    } finally {
      await running.close();
    }
  });

  test('a saved model keeps the joins of its file', async () => {
    const running = await opened();
    try {
      await related(running);
      const text = 'version: 1\ntable: orders\nmeasures:\n  rows: { expr: count(*) }\n';
      await running.client.saveModelText({ params: { name: 'orders' }, body: { text, message: '' } });
      const { models } = running.server.store.current;
      expect(models.get('orders')!.model.joins).toEqual({});
      expect(Object.keys(models.get('order_lines')!.model.joins)).toEqual(['order', 'customer']);
      expect([...models].filter(([, { isLookup }]) => isLookup).map(([name]) => name)).toEqual(['customers']);
    } finally {
      await running.close();
    }
  });
});

describe.each(['sqlite', 'duckdb'] as const)('the tables of a %s file', kind => {
  test('have decisions under the name of their source, which check compares with them and authors change', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), `belvedere-${kind}-`));
    const statements = [
      'create table orders (order_no integer, buyer integer)',
      'create table people (person_no integer, country text)',
      ...Array.from(
        { length: 20 },
        (_, i) => `insert into people values (${i}, '${i % 2 ? 'Peru' : 'Chile'}')`,
      ),
      ...Array.from({ length: 60 }, (_, i) => `insert into orders values (${100 + i}, ${i % 20})`),
    ];
    const name = kind === 'sqlite' ? 'shop.db' : 'shop.duckdb';
    const file = path.join(folder, name);
    if (kind === 'sqlite') {
      const database = new DatabaseSync(file);
      for (const statement of statements) database.exec(statement);
      database.close();
    } else {
      const instance = await DuckDBInstance.create(file);
      const connection = await instance.connect();
      for (const statement of statements) await connection.run(statement);
      await connection.run('checkpoint');
      connection.closeSync();
      instance.closeSync();
    }
    await mkdir(path.join(folder, 'sources'));
    await writeFile(
      path.join(folder, 'sources', 'shop.yaml'),
      `version: 1\nkind: ${kind}\nconnection: { path: ${name} }\n`,
    );
    await mkdir(path.join(folder, 'tables', 'shop'), { recursive: true });
    const decisions = path.join(folder, 'tables', 'shop', 'orders.yaml');
    const first = 'version: 1\n# Ana says so.\nrelationships:\n';
    await writeFile(decisions, `${first}  - { table: people, on: { buyer: person_no } }\n`);
    const running = await runBelvedere(folder, { isTrusted: true });
    const params = { name: 'shop' };
    const ends = {
      from: { table: 'shop_orders', columns: ['buyer'] },
      to: { table: 'shop_people', columns: ['person_no'] },
    };
    const state = async () =>
      (await running.client.getRelationships({ params })).relationships
        .filter(({ from }) => from.columns[0] === 'buyer')
        .map(({ verdict, origin, reason }) => [verdict, origin, reason]);
    try {
      await related(running);
      expect(await state()).toEqual([['used', 'chosen', undefined]]);
      expect(Object.keys(running.server.store.current.models.get('shop_orders')!.model.joins)).toHaveLength(
        1,
      );

      await running.client.saveRelationship({ params, body: { ...ends, use: 'never' } });
      expect(await state()).toEqual([['refused', 'found', 'removed']]);
      expect(await readFile(decisions, 'utf8')).toBe(
        `${first}  - { table: people, on: { buyer: person_no }, use: false }\n`,
      );
      await running.client.saveRelationship({ params, body: { ...ends, use: 'automatic' } });
      expect(await readFile(decisions, 'utf8')).not.toContain('people');

      await writeFile(decisions, `${first}  - { table: peopel, on: { buyer: person_no } }\n`);
      await running.server.store.reload();
      await related(running);
      expect(running.server.store.current.problems.map(problem => [problem.file, problem.message])).toEqual([
        [
          'tables/shop/orders.yaml',
          expect.stringMatching(/^There is no table `shop_peopel`; did you mean `shop_people`/),
        ],
      ]);
    } finally {
      await running.close();
    }
  });
});

test('tables of one file’s lists refer to its rows, by their own columns, and not to each other', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'related-lists-'));
  // One lead each, so that the key of the row is unique among them.
  const teams = Array.from({ length: 60 }, (_, i) => ({
    city: ['Bonn', 'Jena', 'Kiel'][i % 3],
    leads: [{ person: `lead ${i}` }],
    members: [{ person: `a ${i}` }, { person: `b ${i}` }],
    rooms: [{ floor: i % 5 }],
  }));
  await writeFile(path.join(folder, 'teams.ndjson'), teams.map(team => `${JSON.stringify(team)}\n`).join(''));
  const running = await runBelvedere(folder);
  try {
    const found = await related(running);
    expect(found.filter(({ verdict }) => verdict !== 'refused')).toEqual([]);
    const { relationships, tables } = await running.client.getRelationships({ params: { name: 'files' } });
    const columnsOf = new Map(tables.map(table => [table.name, table.columns.map(({ name }) => name)]));
    expect(relationships.map(({ from, to, origin }) => [from.table, to.table, origin])).toEqual([
      ['teams_leads', 'teams', 'nested'],
      ['teams_members', 'teams', 'nested'],
      ['teams_rooms', 'teams', 'nested'],
    ]);
    for (const { from, to } of relationships)
      for (const end of [from, to])
        expect(columnsOf.get(end.table)).toEqual(expect.arrayContaining([...end.columns]));
  } finally {
    await running.close();
  }
});
