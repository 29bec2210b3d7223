import {
  EngineError,
  openDatabase,
  type QueryResult,
  type DatabaseEngine,
  type RunOptions,
} from '@belvedere/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTcpProxy, type TcpProxy } from '../../servers/tcp-proxy.ts';
import { databaseKinds, databases, type LoadedEngine, type StatedTable } from '../loaded-engines.ts';

/** SAFETY part 2, F12 to F19: failures of databases, and what users see of each. */

const many: StatedTable = {
  name: 'many',
  columns: [
    { name: 'n', type: 'integer' },
    { name: 'word', type: 'text' },
  ],
  rows: Array.from({ length: 20_000 }, (_, i) => [i, `word ${i % 97}`]),
};
const numbered = [
  { name: 'n', type: 'integer' },
  { name: 'word', type: 'text' },
] as const;
const usual: RunOptions = { as: 'values', timeoutMs: 20_000, maxRows: 100_000 };

/** For each database: a statement that runs forever, and one that counts how often it is running. */
const runaways = {
  PostgreSQL: [
    'select count(*) from generate_series(1, 100000000000)',
    "select count(*) from pg_stat_activity where state = 'active' and query like '%generate_series(1, 1000%' and pid <> pg_backend_pid()",
  ],
  MariaDB: [
    'select count(*) from many a, many b, many c, many d',
    "select count(*) from information_schema.processlist where info like 'select count(*) from many a%'",
  ],
  // The database multiplies counts, so only an expression that reads every row takes forever.
  MySQL: [
    'select sum(a.n * b.n - c.n * d.n) from many a, many b, many c, many d',
    "select count(*) from information_schema.processlist where info like 'select sum(a.n * b.n - c.n%'",
  ],
  ClickHouse: [
    'select count() from system.numbers where number % 7 = 3',
    "select count() from system.processes where query like 'select count() from system.numbers%'",
  ],
} as const;

// Databases side by side, the tests of each in sequence: they mostly wait.
describe.concurrent.each(databases)(
  '%s',
  (name, load) =>
    void describe('a failing database', { concurrent: false }, () => {
      const [runaway, stillRunning] = runaways[name];
      let loaded: LoadedEngine;
      let proxy: TcpProxy;
      let engine: DatabaseEngine;
      const all = () => `select n, word from ${loaded.tableName('many')} order by n`;
      const ask = (text: string, options: Partial<RunOptions> = {}) =>
        engine.run({ text, parameters: [], columns: numbered }, { ...usual, ...options });
      const outcome = (work: Promise<QueryResult>) =>
        work.then(
          answer => answer.rowCount,
          (error: unknown) => (error instanceof EngineError ? error.code : `not ours: ${String(error)}`),
        );

      beforeAll(async () => {
        loaded = await load([many]);
        proxy = await startTcpProxy(loaded.server!);
        const connection = { ...loaded.server!, port: proxy.port, tls: 'off' as const };
        engine = await openDatabase(databaseKinds[name], connection);
      });
      afterAll(async () => {
        await engine?.close();
        await proxy?.close();
        await loaded?.close();
      });

      test('F12: that is down fails every query at once, and runs them once it is back', async () => {
        expect(await outcome(ask(all()))).toBe(20_000);
        await proxy.set({ kind: 'down' });
        const began = performance.now();
        expect(await outcome(ask(all()))).toBe('source-unreachable');
        expect(performance.now() - began).toBeLessThan(6_000);
        await proxy.set({ kind: 'fair' });
        expect(await outcome(ask(all()))).toBe(20_000);
      });

      test('F13: that accepts connections but sends nothing is given up', async () => {
        await proxy.set({ kind: 'silent' });
        const began = performance.now();
        const outcomes = await Promise.all(
          [ask(all(), { timeoutMs: 1_500 }), ask(all(), { timeoutMs: 1_500 })].map(outcome),
        );
        for (const one of outcomes) expect(['source-unreachable', 'query-timeout']).toContain(one);
        expect(performance.now() - began).toBeLessThan(10_500);
        await proxy.set({ kind: 'fair' });
        expect(engine.status.running).toBe(0);
        expect(await outcome(ask(all()))).toBe(20_000);
      });

      test(
        'F13: that falls silent in the middle is given up after ten seconds',
        { timeout: 40_000 },
        async () => {
          await ask("select 1 as n, 'x' as word");
          await proxy.set({ kind: 'stall', afterBytes: 60_000 });
          const began = performance.now();
          expect(await outcome(ask(all()))).toBe('source-unreachable');
          expect(performance.now() - began).toBeLessThan(14_500);
          expect(engine.status.running).toBe(0);
          await proxy.set({ kind: 'fair' });
          expect(await outcome(ask(all()))).toBe(20_000);
        },
      );

      test(
        'F14: with a connection cut anywhere returns a complete result or an error, never part of a result',
        { timeout: 120_000 },
        async () => {
          await ask(all());
          await proxy.set({ kind: 'fair' });
          await ask(all());
          const whole = proxy.bytes;
          expect(whole).toBeGreaterThan(30_000);
          const seen = new Set<string | number>();
          for (let i = 0; i <= 24; i++) {
            // The last steps are within the last bytes, where a missing end is easily overlooked.
            const afterBytes = i <= 16 ? Math.max(1, Math.round((whole * i) / 16)) : whole - (25 - i) * 3;
            await proxy.set({ kind: 'cut', afterBytes });
            const got = await outcome(ask(all()));
            seen.add(got);
            expect([
              afterBytes,
              got === 20_000 || got === 'source-unreachable' || got === 'query-failed',
            ]).toEqual([afterBytes, true]);
          }
          expect(seen).toContain('source-unreachable');
          await proxy.set({ kind: 'fair' });
          expect(await outcome(ask(all()))).toBe(20_000);
        },
      );

      test('F14: that sends garbage causes an error', async () => {
        await proxy.set({ kind: 'garbage' });
        const got = await outcome(ask(all(), { timeoutMs: 2_000 }));
        expect(['source-unreachable', 'query-failed', 'query-timeout', 'source-refused']).toContain(got);
        await proxy.set({ kind: 'fair' });
        expect(await outcome(ask(all()))).toBe(20_000);
      });

      test('F15: with more rows than allowed is refused, not truncated, and the connection can be used again', async () => {
        expect(await outcome(ask(all(), { maxRows: 19_999 }))).toBe('query-too-large');
        expect(await outcome(ask(all(), { maxRows: 20_000 }))).toBe(20_000);
      });

      test('sends a result of any size row by row, waiting while a row is processed; a cut connection is an error', async () => {
        const seen: string[] = [];
        const taking = (row: readonly (string | null)[]) => {
          seen.push(row[0]!);
          return seen.length % 4_000 === 0
            ? new Promise<void>(resolve => setTimeout(resolve, 20))
            : undefined;
        };
        await engine.copy({ text: all(), parameters: [], columns: numbered }, usual, taking);
        expect([seen.length, seen[0], seen.at(-1)]).toEqual([20_000, '0', '19999']);
        await proxy.set({ kind: 'cut', afterBytes: 50_000 });
        await expect(
          engine.copy({ text: all(), parameters: [], columns: numbered }, usual, () => undefined),
        ).rejects.toMatchObject({ code: 'source-unreachable' });
        await proxy.set({ kind: 'fair' });
        expect(await outcome(ask(all()))).toBe(20_000);
      });

      test(
        'sends a result of any size in pieces, however slow the reader; a cancelled query ends on the server, a cut one fails',
        { timeout: 60_000 },
        async () => {
          const stream = () =>
            engine.stream({ text: all(), parameters: [], columns: numbered }, { timeoutMs: 40_000 });
          const rows: unknown[] = [];
          let pieces = 0;
          for await (const { rowCount, columns } of stream()) {
            expect(columns.map(column => [column.name, column.values.length])).toEqual([
              ['n', rowCount],
              ['word', rowCount],
            ]);
            for (const value of columns[0]!.values) rows.push(value);
            // Longer than a server may be silent: it is not the server that waits here.
            if (pieces++ === 1) await new Promise(resolve => setTimeout(resolve, 11_000));
          }
          expect(pieces).toBeGreaterThan(3);
          expect(rows).toEqual(many.rows.map(([n]) => n));
          for await (const _ of stream()) break;
          for (let i = 0; i < 100 && engine.status.running > 0; i++)
            await new Promise(resolve => setTimeout(resolve, 50));
          expect(engine.status.running).toBe(0);
          expect(await outcome(ask(all()))).toBe(20_000);
          const none = await Array.fromAsync(
            engine.stream(
              {
                text: `select n, word from ${loaded.tableName('many')} where n < 0`,
                parameters: [],
                columns: numbered,
              },
              { timeoutMs: 5_000 },
            ),
          );
          expect(none.map(({ rowCount, columns }) => [rowCount, columns.map(column => column.name)])).toEqual(
            [[0, ['n', 'word']]],
          );
          await proxy.set({ kind: 'cut', afterBytes: 50_000 });
          await expect(Array.fromAsync(stream())).rejects.toMatchObject({ code: 'source-unreachable' });
          await proxy.set({ kind: 'fair' });
          expect(await outcome(ask(all()))).toBe(20_000);
        },
      );

      test(
        'with a cancelled query runs the next one, however late the server learns of the cancellation',
        { timeout: 60_000 },
        async () => {
          for (let round = 0; round < 25; round++) {
            const leaves = new AbortController();
            // The response arrives before the server learns that nobody waits for it.
            const left = outcome(
              ask(`select n, word from ${loaded.tableName('many')} where n < 3`, { signal: leaves.signal }),
            );
            await new Promise(resolve => setTimeout(resolve, round % 5));
            leaves.abort();
            await left;
            expect(await outcome(ask(all()))).toBe(20_000);
          }
        },
      );

      // A query that was canceled while it waited for a connection counted as an error of the server: after
      // three such queries the source was closed to everyone.
      test(
        'with a query cancelled at any moment returns all of it or nothing, and is not counted as failing',
        { timeout: 60_000 },
        async () => {
          for (let round = 0; round < 30; round++) {
            const leaves = new AbortController();
            const left = Array.from({ length: 3 }, () => outcome(ask(all(), { signal: leaves.signal })));
            await new Promise(resolve => setTimeout(resolve, 2 * round));
            leaves.abort();
            for (const one of await Promise.all(left))
              expect([20_000, 'query-cancelled'], `after ${2 * round} ms`).toContain(one);
          }
          expect(await outcome(ask(all(), { signal: AbortSignal.abort() }))).toBe('query-cancelled');
        },
      );

      // Of a `sleep` that is killed MariaDB and MySQL say that it gave 1.
      test.runIf(name === 'MariaDB' || name === 'MySQL')(
        'returns no result of a stopped statement',
        async () => {
          const sleeping = "select sleep(4) as n, 'x' as word";
          expect(await outcome(ask(sleeping, { timeoutMs: 500 }))).toBe('query-timeout');
          const leaves = new AbortController();
          setTimeout(() => leaves.abort(), 300);
          expect(await outcome(ask(sleeping, { signal: leaves.signal }))).toBe('query-cancelled');
        },
      );

      test(
        'F19: with an endless query stops it on the server, at its limit or when it is cancelled',
        { timeout: 60_000 },
        async () => {
          const running = async () =>
            Number(
              (await loaded.engine.run({ text: stillRunning, parameters: [] }, usual)).columns[0]!
                .values[0] ?? 0,
            );
          const gone = async () => {
            for (let i = 0; i < 40 && (await running()) > 0; i++)
              await new Promise(resolve => setTimeout(resolve, 100));
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
        },
      );
    }),
);
