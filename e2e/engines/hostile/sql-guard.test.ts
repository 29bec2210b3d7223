import { EngineError, openDatabase, type QueryResult, type RunOptions } from '@belvedere/engine';
import { customStatement, describingStatement, SqlError } from '@belvedere/sql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomFrom } from '../../random/random-from.ts';
import { startTcpProxy } from '../../servers/tcp-proxy.ts';
import { startCanary, type Canary, type GuardedName } from './canary.ts';
import { hostile, randomStatement, statementWithCall, variantsOf } from './hostile-statements.ts';
import { legitimate } from './legitimate-queries.ts';
import { databaseKinds, databases } from '../loaded-engines.ts';

/* SQL that people write only reads, and leaves nothing behind; here by a login that may do anything. */

const randomStatements = Number(process.env['BELVEDERE_STATEMENTS'] ?? 3000);
const seed = Number(process.env['BELVEDERE_SEED']);
const options: RunOptions = {
  as: 'values',
  timeoutMs: 4_000,
  maxRows: 200,
  mayCut: true,
  maxBytes: 32 * 2 ** 20,
};
const atOnce = 8;

describe.concurrent.each(databases)(
  '%s',
  (name, _) =>
    void describe('users’ SQL', { concurrent: false }, () => {
      const statements = hostile[name as GuardedName];
      let canary: Canary;
      beforeAll(async () => {
        canary = await startCanary(name as GuardedName);
      });
      afterAll(() => canary?.close());

      const run = async (sql: string): Promise<QueryResult> =>
        canary.engine.run(customStatement(sql, canary.engine.dialect), options);
      /** The reason of a refusal; undefined for a query that ran. */
      const refusal = (sql: string) =>
        run(sql).then(
          () => undefined,
          (error: unknown) => error,
        );
      const statementOf = (sql: string) => {
        try {
          return customStatement(sql, canary.engine.dialect);
        } catch {
          return undefined;
        }
      };
      const cells = ({ columns }: QueryResult) => columns.map(column => column.values[0]);
      const own = (text: string) => canary.engine.run({ text, parameters: [] }, options);
      /**
       * The figures of dashboards, and the settings of each connection: those for dashboards, and those for
       * SQL of users.
       */
      const seen = async () => ({
        figures: cells(await own('select sum(n) as s, count(*) as c, max(word) as w from canary')),
        sessions: [
          ...new Set(
            (await Promise.all(Array.from({ length: atOnce }, () => own(canary.session)))).map(answer =>
              JSON.stringify(cells(answer)),
            ),
          ),
        ],
        apart: [
          ...new Set(
            (await Promise.all(Array.from({ length: atOnce }, () => run(canary.session)))).map(answer =>
              JSON.stringify(cells(answer)),
            ),
          ),
        ],
        state: await canary.state(),
      });

      async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
        const left = items.values();
        await Promise.all(
          Array.from({ length: atOnce }, async () => {
            for (const item of left) await work(item);
          }),
        );
      }

      test(
        'hostile statements are refused with a message, and change nothing',
        { timeout: 300_000 },
        async () => {
          const before = await seen();
          expect([before.sessions.length, before.apart.length]).toEqual([1, 1]);
          const all = statements.flatMap((sql, place) => [sql, ...variantsOf(sql, place)]).map(canary.placed);
          expect(all.length).toBeGreaterThan(300);
          const wrong: string[] = [];
          await eachOf(all, async sql => {
            const error = await refusal(sql);
            if (
              !(error instanceof EngineError || error instanceof SqlError) ||
              !['query-failed', 'table-gone', 'column-gone'].includes(error.code)
            )
              wrong.push(`${sql} → ${error === undefined ? 'answered' : String(error)}`);
          });
          expect(wrong).toEqual([]);
          expect(await seen()).toEqual(before);
        },
      );

      test(
        `${randomStatements} random statements (seed ${seed}) change nothing`,
        { timeout: 3_600_000 },
        async () => {
          const before = await seen();
          const random = randomFrom(seed);
          const sent = Array.from({ length: randomStatements }, () =>
            canary.placed(randomStatement(statements, random)),
          );
          const wrong: string[] = [];
          await eachOf(sent, async sql => {
            const error = await refusal(sql);
            if (
              error !== undefined &&
              !(
                error instanceof SqlError ||
                (error instanceof EngineError && !error.code.startsWith('source-'))
              )
            )
              wrong.push(`${sql} → ${String(error)}`);
          });
          expect(wrong).toEqual([]);
          expect(await seen()).toEqual(before);
        },
      );

      test(
        `of ${randomStatements} statements with random quotes (seed ${seed}), each call that the server reads is found`,
        { timeout: 600_000 },
        async () => {
          const random = randomFrom(seed);
          const sent = Array.from({ length: randomStatements }, () =>
            canary.placed(statementWithCall(random)),
          );
          const wrong: string[] = [];
          let read = 0;
          await eachOf(sent, async sql => {
            const statement = statementOf(sql);
            if (!statement) return;
            // Sent without its calls, so that the server itself reports what it parsed.
            const called = await canary.engine.run({ ...statement, custom: [] }, options).then(
              () => undefined,
              (error: Error) => missingFunction(error.message),
            );
            if (called === undefined) return;
            read++;
            if (!statement.custom!.some(call => call.name.toLowerCase() === called)) wrong.push(sql);
          });
          expect(wrong).toEqual([]);
          expect(read).toBeGreaterThan(randomStatements / 50);
        },
      );

      test(
        'legitimate queries run, on their own and as the table of a model',
        { timeout: 120_000 },
        async () => {
          const wrong: string[] = [];
          await eachOf(legitimate[name as GuardedName], async sql => {
            const { dialect } = canary.engine;
            const hasTwins = sql.endsWith('2 as a');
            for (const statement of [
              customStatement(sql, dialect),
              ...(hasTwins ? [] : [describingStatement(sql, dialect)]),
            ]) {
              await canary.engine
                .run(statement, options)
                .catch((error: Error) => wrong.push(`${statement.text} → ${error.message}`));
            }
          });
          expect(wrong).toEqual([]);
        },
      );

      test('an invalid statement, or one with parameters, is reported as the user’s error', async () => {
        for (const sql of ['', ' ; ', '-- nothing'])
          expect(await refusal(sql)).toMatchObject({
            code: 'query-failed',
            message: expect.stringContaining('statement is empty'),
          });
        const parameter = { PostgreSQL: '$1', MariaDB: '?', MySQL: '?', ClickHouse: undefined }[name];
        if (parameter)
          expect(await refusal(`select ${parameter}`)).toMatchObject({
            code: 'query-failed',
            message: expect.stringContaining(`\`${parameter}\``),
          });
      });

      test(
        'a row too large for memory is cut off as it arrives, and the next statement succeeds',
        { timeout: 120_000 },
        async () => {
          const large = {
            PostgreSQL: "repeat('x', 60000000)",
            MariaDB: "repeat('x', 15000000) as a, repeat('x', 15000000) as b, repeat('z', 15000000)",
            MySQL: "repeat('x', 60000000)",
            ClickHouse: `arrayStringConcat(arrayMap(x -> '${'x'.repeat(300)}', range(150000)))`,
          }[name];
          const proxy = await startTcpProxy(canary.server);
          const engine = await openDatabase(databaseKinds[name as GuardedName], {
            ...canary.server,
            port: proxy.port,
            tls: 'off',
          });
          try {
            for (const statement of [
              customStatement(`select ${large} as c`, engine.dialect),
              { text: `select ${large} as c`, parameters: [] },
            ]) {
              await proxy.set({ kind: 'fair' });
              await expect(
                engine.run(statement, { ...options, maxBytes: 4 * 2 ** 20, timeoutMs: 60_000 }),
              ).rejects.toMatchObject({ code: 'query-too-large' });
              // The row has 45 MB and more; a few pieces are on their way when the limit is reached.
              expect(proxy.bytes).toBeLessThan(8 * 2 ** 20);
              expect((await engine.run({ text: 'select 1 as n', parameters: [] }, options)).rowCount).toBe(1);
            }
            expect(engine.status.running).toBe(0);
          } finally {
            await engine.close();
            await proxy.close();
          }
        },
      );

      // Nothing that people write gets so far; were it so, the driver's error took the server along.
      test.runIf(name === 'PostgreSQL')(
        'an error thrown by the driver ends its connection and is reported, without other effects',
        async () => {
          const uncaught: unknown[] = [];
          const note = (error: unknown) => void uncaught.push(error);
          process.on('uncaughtException', note);
          try {
            await expect(own('copy canary to stdout')).rejects.toMatchObject({ code: 'query-failed' });
            await expect(own('select $1::text')).rejects.toMatchObject({ code: 'query-failed' });
            expect(cells(await own('select count(*) as c from canary'))).toEqual([3]);
          } finally {
            process.off('uncaughtException', note);
          }
          expect(uncaught).toEqual([]);
          expect(canary.engine.status.running).toBe(0);
        },
      );
    }),
);

/** The function without which, by its message, a server refused a statement: in lower case, without its schema. */
function missingFunction(message: string): string | undefined {
  const name = /^function (.+?)(?:\(.*\))? does not exist/is.exec(message)?.[1];
  return (name ?? /unknown function:? [`'"]?([^`'".\s]+)/i.exec(message)?.[1])
    ?.toLowerCase()
    .split('.')
    .at(-1);
}
