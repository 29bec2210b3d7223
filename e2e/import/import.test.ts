import { DuckDBInstance } from '@duckdb/node-api';
import { readFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allRead, runBelvedere, type Running } from '../running-belvedere.ts';

/** Import of files: automatic detection, questions to the user, saved options, and hostile files. */

let folder: string;
let running: Running;
const put = (name: string, content: string | Buffer) => writeFile(path.join(folder, 'data', name), content);
const table = (name: string) => running.client.getTable({ params: { table: name } });
const rowsOf = async (name: string) =>
  (await running.client.getTableRows({ params: { table: name }, query: { limit: 50 } })).rows;
const until = async (what: () => boolean | Promise<boolean>) => {
  const end = Date.now() + 60_000;
  while (!(await what())) {
    if (Date.now() > end) throw new Error('waited too long');
    await new Promise(resolve => setTimeout(resolve, 50));
  }
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-reading-'));
  for (const name of ['data', 'models', 'sources']) await mkdir(path.join(folder, name));
  await writeFile(path.join(folder, 'belvedere.yaml'), 'version: 1\ntimezone: UTC\n');
  await put('ambiguous.csv', 'id,when\n1,01/02/2024\n2,03/04/2024\n3,11/12/2024\n4,05/05/2024\n');
  await put('clear.csv', 'id,when\n1,01/02/2024\n2,13/04/2024\n');
  await put('codes.csv', 'id;amount;note\n1;1.234,5;-\n2;2,5;none\n3;x;b\n');
  await put('cyrillic.csv', Buffer.from('name,size\n\xcf\xf0\xe8\xe2\xe5\xf2,1\n', 'latin1'));
  const sqlite = new DatabaseSync(path.join(folder, 'data', 'shop.sqlite'));
  sqlite.exec(
    "create table orders (id integer primary key, amount real, placed text, mixed, picture blob); insert into orders values (1, 1.5, '2024-01-02', 'a', x'00ff'), (2, null, '2024-02-03', 7, null), (9007199254740993, 3, null, null, null); create table empty_one (a)",
  );
  sqlite.close();
  const other = await DuckDBInstance.create(path.join(folder, 'events.duckdb'));
  const connection = await other.connect();
  await connection.run(
    "create schema raw; create table visits as select i as id, 'p' || (i % 3) as page from range(100) t(i); create table raw.clicks as select 1 as n",
  );
  connection.closeSync();
  other.closeSync();
  const every = await DuckDBInstance.create(path.join(folder, 'data', 'every.duckdb'));
  const everyConnection = await every.connect();
  await everyConnection.run('create table kinds as select * from test_all_types()');
  everyConnection.closeSync();
  every.closeSync();
  await writeFile(
    path.join(folder, 'sources', 'events.yaml'),
    'version: 1\nkind: duckdb\nconnection: { path: events.duckdb }\n',
  );
  await writeFile(
    path.join(folder, 'models', 'visits.yaml'),
    'version: 1\nsource: events\ntable: visits\ndimensions: { page: {} }\nmeasures: { visits: { expr: count(*) } }\n',
  );
  running = await runBelvedere(folder);
  await allRead(running);
});
afterAll(async () => {
  await running?.close();
  await rm(folder, { recursive: true, force: true });
});

describe('dates', () => {
  test('in an ambiguous order prompt the user, and stay text until they decide', async () => {
    const { report, profile } = await table('ambiguous');
    expect(report!.questions).toEqual([{ kind: 'date order', columns: ['when'], example: '01/02/2024' }]);
    expect(profile.find(column => column.name === 'when')!.type).toBe('text');
  });

  test('in an order that one value proves are imported', async () => {
    const { report, profile } = await table('clear');
    expect(report!.questions).toBeUndefined();
    expect(profile.find(column => column.name === 'when')).toMatchObject({
      type: 'date',
      min: Date.UTC(2024, 1, 1),
      max: Date.UTC(2024, 3, 13),
    });
  });

  test('a decision is stored as text in the workspace, and the file imported again', async () => {
    expect(
      await running.client.setImportOptions({ params: { table: 'ambiguous' }, body: { dates: 'day first' } }),
    ).toEqual({ file: 'tables/ambiguous.yaml' });
    expect(await readFile(path.join(folder, 'tables', 'ambiguous.yaml'), 'utf8')).toContain(
      'dates: day first',
    );
    await until(async () => (await table('ambiguous')).profile[1]?.type === 'date');
    expect((await rowsOf('ambiguous')).map(row => row[1])).toEqual([
      Date.UTC(2024, 1, 1),
      Date.UTC(2024, 3, 3),
      Date.UTC(2024, 11, 11),
      Date.UTC(2024, 4, 5),
    ]);
    await running.client.setImportOptions({ params: { table: 'ambiguous' }, body: { dates: 'month first' } });
    await until(async () => (await rowsOf('ambiguous'))[0]?.[1] === Date.UTC(2024, 0, 2));
    expect((await table('ambiguous')).importOptions).toEqual({ dates: 'month first' });
  });
});

describe('a cancelled import', () => {
  test(
    'ends at once, is reported wherever the table is needed, and can be started again',
    { timeout: 120_000 },
    async () => {
      const large = path.join(folder, 'large.sqlite');
      const sqlite = new DatabaseSync(large);
      sqlite.exec(
        'create table a as with recursive n(i) as (select 1 union all select i + 1 from n where i < 600000) select i, hex(randomblob(8)) as word from n',
      );
      sqlite.close();
      await rename(large, path.join(folder, 'data', 'large.sqlite'));
      await until(async () =>
        ['importing'].includes((await table('large').catch(() => undefined))?.state ?? ''),
      );
      expect(await running.client.cancelImport({ params: { table: 'large' } })).toEqual({ stopped: true });
      await until(async () => (await table('large')).state === 'stopped');
      await writeFile(
        path.join(folder, 'models', 'large.yaml'),
        'version: 1\ntable: large\nmeasures: { all: { expr: count(*) } }\n',
      );
      await running.server.store.refresh();
      expect(
        running.server.store.current.problems.map(({ file, line, message }) => [file, line, message]),
      ).toContainEqual([
        'models/large.yaml',
        2,
        'The table `large` is not available: its import was cancelled.',
      ]);
      await rm(path.join(folder, 'models', 'large.yaml'));
      expect(await running.client.cancelImport({ params: { table: 'large' } })).toEqual({ stopped: false });
      expect(await running.client.retryImport({ params: { table: 'large' } })).toEqual({ begun: true });
      await until(async () => (await table('large_a').catch(() => undefined))?.state === 'ready');
      expect((await table('large_a')).rows).toBe(600_000);
      expect(await running.client.retryImport({ params: { table: 'large_a' } })).toEqual({ begun: false });
    },
  );

  test('keeps the version that was imported before', async () => {
    await put('replaced.csv', 'n\n1\n');
    await until(async () => (await table('replaced').catch(() => undefined))?.state === 'ready');
    await put(
      'replaced.csv',
      `n\n${Array.from({ length: 1_000_000 }, (_, i) => `${i},"${'x'.repeat(i % 40)}"`).join('\n')}\n`,
    );
    await until(async () => ['importing', 'waiting'].includes((await table('replaced')).state));
    await running.client.cancelImport({ params: { table: 'replaced' } });
    await until(async () => (await table('replaced')).state === 'stopped');
    expect(await rowsOf('replaced')).toEqual([[1]]);
  });
});

test('the least, greatest and strangest value of every type can be imported, viewed and queried', async () => {
  const { tables } = await running.client.listTables({});
  const ofFile = tables.filter(({ name }) => name.startsWith('every'));
  expect(ofFile.map(({ name, state, problem }) => [name, state, problem])).toEqual(
    ofFile.map(({ name }) => [name, 'ready', undefined]),
  );
  expect(ofFile.length).toBeGreaterThan(5);
  for (const { name, rows } of ofFile) {
    expect((await rowsOf(name)).length).toBe(rows);
    const { text, checked } = await running.client.getModelText({ params: { name } });
    // Parts of a time, such as its weekday, are extra columns.
    expect(Object.keys(checked.dimensions).length).toBeGreaterThanOrEqual((await table(name)).profile.length);
    for (const dimension of Object.keys(checked.dimensions)) {
      const preview = running.client.previewModel({ params: { name }, body: { text, part: { dimension } } });
      expect(await preview.catch((error: Error) => `${dimension}: ${error.message}`)).toMatchObject({
        kind: 'dimension',
      });
    }
  }
});

describe('import options', () => {
  test('are previewed: what would become null or be rejected is counted, and nothing changes', async () => {
    const preview = (body: Parameters<typeof running.client.previewImportOptions>[0]['body']) =>
      running.client.previewImportOptions({ params: { table: 'codes' }, body });
    const before = await table('codes');
    expect(await preview({ columns: { note: 'number', amount: 'text' } })).toEqual({
      rowsKept: 3,
      rowsRejected: 0,
      nulled: [{ column: 'note', values: 2 }],
    });
    expect(await preview({ columns: { note: 'text' } })).toMatchObject({ nulled: [] });
    expect(await table('codes')).toEqual(before);
  });

  test('set types, decimal commas and null texts: every cell that does not fit is counted', async () => {
    await running.client.setImportOptions({
      params: { table: 'codes' },
      body: { delimiter: ';', decimal: ',', nulls: ['-'], columns: { id: 'text', amount: 'decimal' } },
    });
    await until(async () => (await table('codes')).profile[1]?.type === 'decimal');
    const { report, profile } = await table('codes');
    expect(profile.map(column => [column.name, column.type])).toEqual([
      ['id', 'text'],
      ['amount', 'decimal'],
      ['note', 'text'],
    ]);
    expect(
      (await rowsOf('codes')).map(row =>
        row.map(cell => (typeof cell === 'string' && /^[\d.]+$/.test(cell) ? Number(cell) : cell)),
      ),
    ).toEqual([
      [1, 1234.5, null],
      [2, 2.5, 'none'],
      [3, null, 'b'],
    ]);
    expect(report!.notes.join()).toContain('1 value of “amount” could not be converted');
    expect([report!.rowsRead, report!.rowsKept, report!.rowsRejected]).toEqual([3, 3, 0]);
  });

  test('apply to JSON: objects as text, types of columns', async () => {
    await put('nested.ndjson', '{"id":1,"who":{"name":"a"}}\n{"id":2,"who":{"name":"b"}}\n');
    await until(async () => running.server.store.current.tables.get('nested')?.state === 'ready');
    expect((await table('nested')).profile.map(column => [column.name, column.type])).toEqual([
      ['id', 'integer'],
      ['who_name', 'text'],
    ]);
    await running.client.setImportOptions({
      params: { table: 'nested' },
      body: { nested: 'text', columns: { id: 'text' } },
    });
    await until(async () => (await table('nested')).profile[1]?.name === 'who');
    expect(await rowsOf('nested')).toEqual([
      ['1', '{"name":"a"}'],
      ['2', '{"name":"b"}'],
    ]);
  });

  test('set an encoding that cannot be detected', async () => {
    await running.client.setImportOptions({
      params: { table: 'cyrillic' },
      body: { encoding: 'Windows-1251' },
    });
    await until(async () => (await rowsOf('cyrillic'))[0]?.[0] === 'Привет');
  });

  test('a hand-written file sets no header and skipped lines; an error in it is shown with its line', async () => {
    await put('plain.csv', 'title\n\n1,2\n3,4\n');
    await writeFile(path.join(folder, 'tables', 'plain.yaml'), 'version: 1\nskip: 2\nheader: false\n');
    await until(() => running.server.store.current.tables.get('plain')?.state === 'ready');
    await until(async () => (await rowsOf('plain')).length === 2);
    expect(await rowsOf('plain')).toEqual([
      [1, 2],
      [3, 4],
    ]);
    await writeFile(path.join(folder, 'tables', 'plain.yaml'), 'version: 1\nskip: 2\ndates: sometimes\n');
    await until(() =>
      running.server.store.current.problems.some(
        problem => problem.file === 'tables/plain.yaml' && problem.line === 3,
      ),
    );
    await rm(path.join(folder, 'tables', 'plain.yaml'));
  });
});

describe('database files', () => {
  test('an SQLite file has each of its tables imported, whole numbers exact, mixed columns as text', async () => {
    expect(await rowsOf('shop_orders')).toEqual([
      [1, 1.5, Date.UTC(2024, 0, 2), 'a', '00FF'],
      [2, null, Date.UTC(2024, 1, 3), '7', null],
      ['9007199254740993', 3, null, null, null],
    ]);
    expect((await table('shop_orders')).report!.notes.join()).toContain(
      '“mixed” has values of several types',
    );
    expect((await table('shop_empty_one')).rows).toBe(0);
  });

  test('a DuckDB file of a source is read like one in `data`, and models name the source', async () => {
    expect(
      (
        await running.client.postQuery({
          params: { name: 'visits' },
          body: { measures: ['visits'], dimensions: ['page'], order: [{ by: 'page' }] },
        })
      ).rows,
    ).toEqual([
      ['p0', 34],
      ['p1', 33],
      ['p2', 33],
    ]);
    expect(
      (await running.client.getSource({ params: { name: 'events' } })).tableList
        .map(one => one.name)
        .toSorted(),
    ).toEqual(['events_raw_clicks', 'events_visits']);
  });
});

test('rejected rows can be exported, without formulas', async () => {
  await put(
    'torn.csv',
    `id,amount\n${Array.from({ length: 200 }, (_, i) => `${i},${i}`).join('\n')}\n=1+1,2,3,4\n5,x\n`,
  );
  await until(() => running.server.store.current.tables.get('torn')?.state === 'ready');
  const response = (await running.client.getRejectedRows({
    params: { table: 'torn' },
  })) as unknown as Response;
  const text = await response.text();
  expect(response.headers.get('content-type')).toContain('text/csv');
  expect(text.split('\r\n')[0]).toBe('"file","line","column","reason","text"');
  const { report } = await table('torn');
  expect(text.trim().split('\r\n').length - 1).toBe(report!.rowsRejected);
  expect(text).not.toMatch(/(^|,)"=/m);
});

test('a plain folder of data keeps its data after a save and a restart', async () => {
  const plain = await mkdtemp(path.join(os.tmpdir(), 'belvedere-plain-'));
  await writeFile(path.join(plain, 'small.csv'), 'a,b\n1,2\n');
  await mkdir(path.join(plain, 'dashboards'));
  const again = await runBelvedere(plain);
  await allRead(again);
  expect([...again.server.store.current.tables.keys()]).toEqual(['small']);
  await again.close();
  await rm(plain, { recursive: true, force: true });
});

describe('hostile files are refused with a message, and other work continues', () => {
  const crafted: readonly (readonly [name: string, content: () => Buffer | string])[] = [
    ['deep.json', () => `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
    ['deep_objects.ndjson', () => `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}\n`],
    ['deep_once.ndjson', () => `{"a":1}\n${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}\n{"a":"{[{["}\n`],
    [
      'wide.csv',
      () =>
        `${Array.from({ length: 3000 }, (_, i) => `c${i}`).join(',')}\n${Array.from({ length: 3000 }, (_, i) => i).join(',')}\n`,
    ],
    ['long_line.csv', () => `a,b\n1,${'x'.repeat(64 * 2 ** 20)}\n`],
    ['large_cell.csv', () => `a,b\n1,${'x'.repeat(5 * 2 ** 20)}\n2,y\n`],
    ['truncated.parquet', () => Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(2000, 7)])],
    [
      'no_footer.parquet',
      () =>
        Buffer.concat([
          Buffer.from('PAR1'),
          Buffer.alloc(100, 255),
          Buffer.from([255, 255, 255, 127]),
          Buffer.from('PAR1'),
        ]),
    ],
    ['bomb.csv.gz', () => Buffer.from('H4sIAAAAAAAA/wrong', 'base64')],
    ['not_a_workbook.xlsx', () => Buffer.from('PK\x03\x04 not really')],
    ['not_sqlite.sqlite', () => Buffer.from('SQLite format 3\0 but no more')],
    ['not_duckdb.duckdb', () => Buffer.alloc(20_000, 1)],
    ['nuls.csv', () => Buffer.concat([Buffer.from('a,b\n'), Buffer.alloc(100_000, 0)])],
    ['quotes.csv', () => `a,b\n"${'x,"'.repeat(100_000)}\n`],
  ];

  test('many at once', { timeout: 240_000 }, async () => {
    const names = new Map<string, string>();
    for (const [name, content] of crafted) {
      await put(name, content());
      names.set(name, name.replace(/\.(csv|json|ndjson|parquet|xlsx|sqlite|duckdb)(\.gz)?$/, ''));
    }
    await until(() =>
      [...names.values()].every(
        name =>
          running.server.store.current.tables.has(name) ||
          [...running.server.store.current.tables.keys()].some(one => one.startsWith(name)),
      ),
    );
    const began = performance.now();
    // The CPU time of this thread between two events, because other processes may delay it, too.
    const workedMs = () => (process.threadCpuUsage().user + process.threadCpuUsage().system) / 1000;
    let longest = 0;
    let last = workedMs();
    const lag = setInterval(() => {
      longest = Math.max(longest, workedMs() - last);
      last = workedMs();
    }, 20);
    await allRead(running, 200_000);
    clearInterval(lag);
    const outcome = [...running.server.store.current.tables.values()].filter(one =>
      [...names.values()].some(name => one.name.startsWith(name)),
    );
    for (const one of outcome) {
      expect([one.name, one.state === 'ready' || one.state === 'rejected']).toEqual([one.name, true]);
      if (one.state === 'rejected')
        expect([one.name, one.problem!.message.length > 20]).toEqual([one.name, true]);
      else
        expect([one.name, one.imported!.report.rowsKept + one.imported!.report.rowsRejected]).toEqual([
          one.name,
          one.imported!.report.rowsRead,
        ]);
    }
    for (const name of ['truncated', 'no_footer', 'bomb', 'not_a_workbook', 'not_sqlite', 'not_duckdb'])
      expect([name, outcome.find(one => one.name === name)?.state]).toEqual([name, 'rejected']);
    expect(outcome.find(one => one.name === 'deep_once')?.imported?.report).toMatchObject({
      rowsRead: 3,
      rowsKept: 2,
      rejected: [{ line: 2, reason: expect.stringContaining('nested more than 1000 levels deep') as string }],
    });
    for (const [name, why] of [
      ['deep', 'nested more than 1000 levels deep'],
      ['deep_objects', 'nested more than 1000 levels deep'],
      ['quotes', 'this file has 100001 columns'],
      ['long_line', 'Line 2 of this file is longer than 16 MiB'],
    ] as const)
      expect(outcome.find(one => one.name === name)?.problem?.message).toContain(why);
    // Rows up to the largest possible size are read.
    expect(outcome.find(one => one.name === 'large_cell')?.imported?.report).toMatchObject({
      rowsRead: 2,
      rowsKept: 2,
    });
    // The server went on all the while: a file that blocked it would do so for many seconds. (This process
    // also holds the crafted files, so that its garbage collection alone takes some tenths.)
    expect(longest).toBeLessThan(1500);
    expect(await rowsOf('clear')).toHaveLength(2);
    expect(performance.now() - began).toBeLessThan(200_000);
  });
});
