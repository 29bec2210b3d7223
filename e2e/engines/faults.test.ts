import { Circuit, EngineError, openClickHouse, openMySql, openPostgres, type Answer, type DatabaseEngine, type RunOptions } from '@belvedere/engine';
import type { CellsHeader, Frame } from '@belvedere/api';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allRead, collect, runBelvedere, sourcesReady, type Running } from '../running-belvedere.ts';
import { startTcpProxy, type TcpProxy } from '../servers/tcp-proxy.ts';
import { databases, loadPostgres, type LoadedEngine, type StatedTable } from './loaded-engines.ts';
import { sourceFile } from './workspace-on.ts';

/* SAFETY part 2, F12 to F19: what a database may do to those who ask it, and what they must see. */

const many: StatedTable = { name: 'many', columns: [{ name: 'n', type: 'integer' }, { name: 'word', type: 'text' }], rows: Array.from({ length: 20_000 }, (_, i) => [i, `word ${i % 97}`]) };
const numbered = [{ name: 'n', type: 'integer' }, { name: 'word', type: 'text' }] as const;
const usual: RunOptions = { as: 'values', timeoutMs: 20_000, maxRows: 100_000 };

/** For each: a statement that runs for ever, and one that counts how often it is running. */
const runaways = {
  PostgreSQL: ['select count(*) from generate_series(1, 100000000000)', "select count(*) from pg_stat_activity where state = 'active' and query like '%generate_series(1, 1000%' and pid <> pg_backend_pid()"],
  MariaDB: ['select count(*) from many a, many b, many c, many d', "select count(*) from information_schema.processlist where info like 'select count(*) from many a%'"],
  // It multiplies counts: only what looks at every row takes for ever.
  MySQL: ['select sum(a.n * b.n - c.n * d.n) from many a, many b, many c, many d', "select count(*) from information_schema.processlist where info like 'select sum(a.n * b.n - c.n%'"],
  ClickHouse: ['select count() from system.numbers where number % 7 = 3', "select count() from system.processes where query like 'select count() from system.numbers%'"],
} as const;

describe.each(databases)('%s', (name, load) => {
  const [runaway, stillRunning] = runaways[name];
  let loaded: LoadedEngine;
  let proxy: TcpProxy;
  let engine: DatabaseEngine;
  const all = () => `select n, word from ${loaded.tableName('many')} order by n`;
  const ask = (text: string, options: Partial<RunOptions> = {}) => engine.run({ text, parameters: [], columns: numbered }, { ...usual, ...options });
  const outcome = (work: Promise<Answer>) => work.then(answer => answer.rowCount, (error: unknown) => (error instanceof EngineError ? error.code : `not ours: ${String(error)}`));

  beforeAll(async () => {
    loaded = await load([many]);
    proxy = await startTcpProxy(loaded.server!);
    const connection = { ...loaded.server!, port: proxy.port, tls: 'off' as const };
    engine = name === 'PostgreSQL' ? openPostgres(connection) : name === 'MariaDB' || name === 'MySQL' ? openMySql(connection, name === 'MySQL' ? 'mysql' : 'mariadb') : openClickHouse(connection);
  });
  afterAll(async () => {
    await engine?.close();
    await proxy?.close();
    await loaded?.close();
  });

  test('F12: while it is down every question says so at once, and once it is back they are answered', async () => {
    expect(await outcome(ask(all()))).toBe(20_000);
    await proxy.set({ kind: 'down' });
    const began = performance.now();
    expect(await outcome(ask(all()))).toBe('source-unreachable');
    expect(performance.now() - began).toBeLessThan(6_000);
    await proxy.set({ kind: 'fair' });
    expect(await outcome(ask(all()))).toBe(20_000);
  });

  test('F13: a server that takes connections and says nothing is given up', async () => {
    await proxy.set({ kind: 'silent' });
    const began = performance.now();
    const outcomes = await Promise.all([ask(all(), { timeoutMs: 1_500 }), ask(all(), { timeoutMs: 1_500 })].map(outcome));
    for (const one of outcomes) expect(['source-unreachable', 'query-timeout']).toContain(one);
    expect(performance.now() - began).toBeLessThan(10_500);
    await proxy.set({ kind: 'fair' });
    expect(engine.status.running).toBe(0);
    expect(await outcome(ask(all()))).toBe(20_000);
  });

  test('F13: a server that falls silent in the middle is given up after ten seconds', { timeout: 40_000 }, async () => {
    await ask('select 1 as n, \'x\' as word');
    await proxy.set({ kind: 'stall', afterBytes: 60_000 });
    const began = performance.now();
    expect(await outcome(ask(all()))).toBe('source-unreachable');
    expect(performance.now() - began).toBeLessThan(14_500);
    expect(engine.status.running).toBe(0);
    await proxy.set({ kind: 'fair' });
    expect(await outcome(ask(all()))).toBe(20_000);
  });

  test('F14: wherever the line is cut, the answer is whole or an error, never short', { timeout: 120_000 }, async () => {
    await ask(all());
    await proxy.set({ kind: 'fair' });
    await ask(all());
    const whole = proxy.bytes;
    expect(whole).toBeGreaterThan(30_000);
    const seen = new Set<string | number>();
    for (let i = 0; i <= 24; i++) {
      // The last steps lie within the last bytes, where an end that is missing is easily overlooked.
      const afterBytes = i <= 16 ? Math.max(1, Math.round((whole * i) / 16)) : whole - (25 - i) * 3;
      await proxy.set({ kind: 'cut', afterBytes });
      const got = await outcome(ask(all()));
      seen.add(got);
      expect([afterBytes, got === 20_000 || got === 'source-unreachable' || got === 'query-failed']).toEqual([afterBytes, true]);
    }
    expect(seen).toContain('source-unreachable');
    await proxy.set({ kind: 'fair' });
    expect(await outcome(ask(all()))).toBe(20_000);
  });

  test('F14: garbage is an error', async () => {
    await proxy.set({ kind: 'garbage' });
    const got = await outcome(ask(all(), { timeoutMs: 2_000 }));
    expect(['source-unreachable', 'query-failed', 'query-timeout', 'source-refused']).toContain(got);
    await proxy.set({ kind: 'fair' });
    expect(await outcome(ask(all()))).toBe(20_000);
  });

  test('F15: more rows than are wanted are refused, not cut off, and the connection is of use again', async () => {
    expect(await outcome(ask(all(), { maxRows: 19_999 }))).toBe('query-too-large');
    expect(await outcome(ask(all(), { maxRows: 20_000 }))).toBe(20_000);
  });

  test('an answer of any size is handed over row by row, the server waiting while one is put away; cut off, it fails', async () => {
    const seen: string[] = [];
    const taking = (row: readonly (string | null)[]) => {
      seen.push(row[0]!);
      return seen.length % 4_000 === 0 ? new Promise<void>(resolve => setTimeout(resolve, 20)) : undefined;
    };
    await engine.copy({ text: all(), parameters: [], columns: numbered }, usual, taking);
    expect([seen.length, seen[0], seen.at(-1)]).toEqual([20_000, '0', '19999']);
    await proxy.set({ kind: 'cut', afterBytes: 50_000 });
    await expect(engine.copy({ text: all(), parameters: [], columns: numbered }, usual, () => undefined)).rejects.toMatchObject({ code: 'source-unreachable' });
    await proxy.set({ kind: 'fair' });
    expect(await outcome(ask(all()))).toBe(20_000);
  });

  test('an answer of any size is read in pieces, however slowly; who leaves in the middle ends it in the server; cut off, it fails', { timeout: 60_000 }, async () => {
    const stream = () => engine.stream({ text: all(), parameters: [], columns: numbered }, { timeoutMs: 40_000 });
    const rows: unknown[] = [];
    let pieces = 0;
    for await (const { rowCount, columns } of stream()) {
      expect(columns.map(column => [column.name, column.values.length])).toEqual([['n', rowCount], ['word', rowCount]]);
      for (const value of columns[0]!.values) rows.push(value);
      // Longer than a server may be silent: it is not the server that waits here.
      if (pieces++ === 1) await new Promise(resolve => setTimeout(resolve, 11_000));
    }
    expect(pieces).toBeGreaterThan(3);
    expect(rows).toEqual(many.rows.map(([n]) => n));
    for await (const _ of stream()) break;
    for (let i = 0; i < 100 && engine.status.running > 0; i++) await new Promise(resolve => setTimeout(resolve, 50));
    expect(engine.status.running).toBe(0);
    expect(await outcome(ask(all()))).toBe(20_000);
    const none = await Array.fromAsync(engine.stream({ text: `select n, word from ${loaded.tableName('many')} where n < 0`, parameters: [], columns: numbered }, { timeoutMs: 5_000 }));
    expect(none.map(({ rowCount, columns }) => [rowCount, columns.map(column => column.name)])).toEqual([[0, ['n', 'word']]]);
    await proxy.set({ kind: 'cut', afterBytes: 50_000 });
    await expect(Array.fromAsync(stream())).rejects.toMatchObject({ code: 'source-unreachable' });
    await proxy.set({ kind: 'fair' });
    expect(await outcome(ask(all()))).toBe(20_000);
  });

  test('who leaves takes nobody along: the next question is answered, however late the server hears of the one before', { timeout: 60_000 }, async () => {
    for (let round = 0; round < 25; round++) {
      const leaves = new AbortController();
      // It is answered before the server is told that nobody waits for it.
      const left = outcome(ask(`select n, word from ${loaded.tableName('many')} where n < 3`, { signal: leaves.signal }));
      await new Promise(resolve => setTimeout(resolve, round % 5));
      leaves.abort();
      await left;
      expect(await outcome(ask(all()))).toBe(20_000);
    }
  });

  test('F19: a question without end is stopped in the server, by its limit and by its asker', { timeout: 60_000 }, async () => {
    const running = async () => Number(((await loaded.engine.run({ text: stillRunning, parameters: [] }, usual)).columns[0]!.values[0]) ?? 0);
    const gone = async () => {
      for (let i = 0; i < 40 && (await running()) > 0; i++) await new Promise(resolve => setTimeout(resolve, 100));
      return running();
    };
    const began = performance.now();
    expect(await outcome(ask(runaway, { timeoutMs: 1_000 }))).toBe('query-timeout');
    expect(performance.now() - began).toBeLessThan(3_500);
    expect(await gone()).toBe(0);
    const controller = new AbortController();
    const asked = outcome(ask(runaway, { signal: controller.signal }));
    await new Promise(resolve => setTimeout(resolve, 500));
    expect(await running()).toBeGreaterThan(0);
    controller.abort();
    expect(await asked).toBe('query-cancelled');
    expect(await gone()).toBe(0);
  });
});

describe('a workspace whose database has trouble', () => {
  let loaded: LoadedEngine;
  let proxy: TcpProxy;
  let folder: string;
  let running: Running;

  beforeAll(async () => {
    loaded = await loadPostgres([many]);
    await loaded.keeper("create role reader login password 'one'; grant select on all tables in schema public to reader");
    proxy = await startTcpProxy(loaded.server!);
    folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-faults-'));
    for (const name of ['data', 'sources', 'models', 'dashboards']) await mkdir(path.join(folder, name));
    await writeFile(path.join(folder, 'belvedere.yaml'), 'version: 1\ntimezone: UTC\n');
    await writeFile(path.join(folder, 'data', 'local.csv'), 'n,word\n1,a\n2,b\n');
    await writeFile(path.join(folder, 'sources', 'warehouse.yaml'), sourceFile({ server: { ...loaded.server!, port: proxy.port } }));
    await writeFile(path.join(folder, 'models', 'many.yaml'), 'version: 1\nsource: warehouse\ntable: many\ndimensions: { n: {}, word: {} }\nmeasures: { total: { expr: sum(n) } }\n');
    await writeFile(path.join(folder, 'models', 'local.yaml'), 'version: 1\ntable: local\ndimensions: { n: {}, word: {} }\n');
    await writeFile(path.join(folder, 'dashboards', 'both.yaml'), 'version: 1\ntitle: Both\nmodel: many\npages:\n  - title: One\n    tiles:\n      far: { kind: kpi, value: { measure: total } }\n      words: { kind: bar, x: { measure: rows }, y: { field: word } }\n      near: { kind: kpi, model: local, value: { measure: rows } }\n');
    await proxy.set({ kind: 'down' });
    running = await runBelvedere(folder);
    await allRead(running);
    await sourcesReady(running);
  });
  afterAll(async () => {
    await running?.close();
    await proxy?.close();
    await loaded?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const source = () => running.server.store.current.sources.get('warehouse')!;
  const answers = async (): Promise<readonly Frame[]> => collect(await running.client.postAnswers({ params: { id: 'both' }, body: { state: { page: 0, filters: {}, selections: {} } } }));
  const frameOf = (frames: readonly Frame[], tile: string) => frames.find(frame => 'tile' in frame.header && frame.header.tile === tile)!;
  const valueOf = (frame: Frame) => frame.cells?.parts[0]![0];
  const until = async (what: () => boolean, ms = 20_000) => {
    const end = Date.now() + ms;
    while (!what()) {
      if (Date.now() > end) throw new Error('waited too long');
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  };

  test('F12: down at the start it is failed and says why; everything else goes on; once it is up it is ready', { timeout: 60_000 }, async () => {
    expect([source().state, source().problem?.code]).toEqual(['failed', 'source-unreachable']);
    expect(valueOf(frameOf(await answers(), 'near'))).toBe(2);
    await proxy.set({ kind: 'fair' });
    await running.server.store.sources.retry('warehouse');
    await until(() => source().state === 'ready' && running.server.store.current.models.has('many'));
    const frames = await answers();
    expect(valueOf(frameOf(frames, 'far'))).toBe(199_990_000);
    expect(valueOf(frameOf(frames, 'near'))).toBe(2);
  });

  test('F12: down at a question, what it answered last is shown with its time, and three failures are enough', async () => {
    await answers();
    await proxy.set({ kind: 'down' });
    running.server.answers.cache.clear();
    running.server.streams.clear();
    const frames = await answers();
    const far = frameOf(frames, 'far');
    expect(valueOf(far)).toBe(199_990_000);
    expect((far.header as CellsHeader).notes.map(note => note.kind)).toContain('last-answer');
    expect(valueOf(frameOf(frames, 'near'))).toBe(2);
    for (let i = 0; i < 6; i++) await answers();
    const before = proxy.connections;
    for (let i = 0; i < 5; i++) await answers();
    expect(proxy.connections).toBe(before);
    await proxy.set({ kind: 'fair' });
    await running.server.store.sources.retry('warehouse');
    await until(() => source().state === 'ready');
    expect((frameOf(await answers(), 'far').header as CellsHeader).notes).toEqual([]);
  });

  test('F16: while it is slow, what does not need it is as quick as ever', async () => {
    await proxy.set({ kind: 'slow', ms: 600 });
    running.server.answers.cache.clear();
    running.server.streams.clear();
    const slow = answers();
    const began = performance.now();
    const near = await collect(await running.client.postAnswers({ params: { id: 'both' }, body: { state: { page: 0, filters: { n: { from: 2 } }, selections: {} }, tiles: ['near'] } }));
    expect(valueOf(frameOf(near, 'near'))).toBe(1);
    expect(performance.now() - began).toBeLessThan(1_000);
    await proxy.set({ kind: 'fair' });
    await slow;
  });

  test('F17: a column that goes is named by the tile that read it; the others go on; the drift says what it may be called now', async () => {
    await loaded.keeper('alter table many rename column word to words');
    running.server.answers.cache.clear();
    running.server.streams.clear();
    const frames = await answers();
    expect(valueOf(frameOf(frames, 'far'))).toBe(199_990_000);
    const problem = frameOf(frames, 'words').header;
    expect(problem).toMatchObject({ kind: 'problem', problem: { type: 'column-gone', status: 422 } });
    expect(JSON.stringify(problem)).toContain('word');
    await running.server.store.sources.retry('warehouse');
    await until(() => source().drift.length > 0);
    expect(source().drift).toEqual(['The column `many.word` is gone; it may be called `words` now.']);
    await loaded.keeper('alter table many rename column words to word');
    await running.server.store.sources.retry('warehouse');
    await until(() => source().tables[0]!.columns.some(column => column.name === 'word'));
  });

  test('a table that the login may not read is the fault of who asks for it: nobody else is kept waiting', async () => {
    await loaded.keeper('create table secret (n int)');
    const reader = openPostgres({ ...loaded.server!, user: 'reader', password: 'one', tls: 'off' });
    const circuit = new Circuit();
    for (let i = 0; i < 4; i++) await expect(circuit.run(() => reader.run({ text: 'select n from secret', parameters: [] }, usual))).rejects.toMatchObject({ code: 'query-failed', message: expect.stringContaining('may not read') });
    expect((await circuit.run(() => reader.run({ text: 'select count(*) as n from many', parameters: [] }, usual))).columns[0]!.values).toEqual([20_000]);
    await reader.close();
  });

  test('F18: a password that was changed is a refusal, and the account is not tried again and again', { timeout: 30_000 }, async () => {
    const refused = openPostgres({ ...loaded.server!, port: proxy.port, user: 'nobody', tls: 'off' });
    await expect(refused.check()).rejects.toMatchObject({ code: 'source-refused' });
    await refused.close();
    const text = sourceFile({ server: { ...loaded.server!, port: proxy.port, user: 'nobody' } });
    const before = proxy.connections;
    await writeFile(path.join(folder, 'sources', 'warehouse.yaml'), text);
    // It may still be out of reach from what came before: the new connection is what counts.
    await until(() => source().state === 'failed' && source().problem?.code === 'source-refused');
    for (let i = 0; i < 10; i++) {
      await answers();
      await new Promise(resolve => setTimeout(resolve, 300));
    }
    expect(proxy.connections - before).toBeLessThanOrEqual(3);
  });
});
