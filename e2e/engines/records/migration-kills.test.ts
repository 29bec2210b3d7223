import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { migrations } from '../../../apps/server/src/state/migrations/migrate.ts';
import { contentsOf, makeOld } from '../../../apps/server/src/state/migrations/old-versions-fixture.ts';
import { restorePostgres } from '../../../apps/server/src/state/database/postgres.ts';
import { openStateDatabase } from '../../../apps/server/src/state/database/state-database.ts';
import { randomFrom } from '../../random/random-from.ts';
import type { TestServer } from '../../servers/server-programs.ts';
import { startPostgres } from '../../servers/start-postgres.ts';

// A migration that is killed at any statement leaves the old state or the new one, and the next start ends it
// (F5). Killed means for SQLite: its files as they are at that moment; for PostgreSQL: its connections cut.
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-migration-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

async function expectWhole(location: Parameters<typeof openStateDatabase>[0], expected: unknown, at: string) {
  const database = await openStateDatabase(location);
  try {
    expect([at, database.damage, await contentsOf(database)]).toEqual([at, undefined, expected]);
    const applied = await database.db
      .selectFrom('migration' as 'document')
      .selectAll()
      .execute();
    expect(applied).toHaveLength(Object.keys(migrations).length);
  } finally {
    await database.close();
  }
}

/** Runs a child that migrates, and kills it some time after it has begun. */
async function killedAfter(ms: number, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'migrate-state.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  const timer = setTimeout(() => child.kill('SIGKILL'), ms);
  await ended;
  clearTimeout(timer);
}

describe('a SQLite file', () => {
  async function expectedOf(version: number) {
    const at = path.join(folder, `whole-${version}`);
    mkdirSync(at);
    makeOld(at, version);
    const database = await openStateDatabase({ folder: at });
    const contents = await contentsOf(database);
    await database.close();
    return contents;
  }

  test.each([1, 6])('of version %i, killed before any statement of its migration', async version => {
    const expected = await expectedOf(version);
    const from = path.join(folder, 'from');
    mkdirSync(from);
    makeOld(from, version);
    let [statements, taken, last] = [0, 0, ''];
    const take = () => {
      statements++;
      // The file of shared memory is rebuilt by the next process.
      const files = readdirSync(from).filter(name => !name.endsWith('-shm'));
      const hash = createHash('sha256');
      for (const name of files) hash.update(name).update(readFileSync(path.join(from, name)));
      const now = hash.digest('hex');
      // Most statements of a transaction leave the files as they are.
      if (now === last) return;
      last = now;
      const to = path.join(folder, `killed-${taken++}`);
      mkdirSync(to);
      for (const name of files) copyFileSync(path.join(from, name), path.join(to, name));
    };
    const { exec } = DatabaseSync.prototype;
    const { run, all } = StatementSync.prototype;
    vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, text) {
      take();
      exec.call(this, text);
    });
    vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (this: StatementSync, ...values) {
      take();
      return run.apply(this, values);
    });
    vi.spyOn(StatementSync.prototype, 'all').mockImplementation(function (this: StatementSync, ...values) {
      take();
      return all.apply(this, values);
    });
    await (await openStateDatabase({ folder: from })).close();
    take();
    vi.restoreAllMocks();
    expect(statements).toBeGreaterThan(100);
    expect(taken).toBeGreaterThan(3);
    for (let i = 0; i < taken; i++)
      await expectWhole({ folder: path.join(folder, `killed-${i}`) }, expected, `state ${i} of ${taken}`);
  });

  test('whose process is killed at random moments', async () => {
    const expected = await expectedOf(6);
    const random = randomFrom(7);
    for (let i = 0; i < 6; i++) {
      const at = path.join(folder, `child-${i}`);
      mkdirSync(at);
      makeOld(at, 6);
      await killedAfter(random() * 120, [at]);
      await expectWhole({ folder: at }, expected, `kill ${i}`);
    }
  });
});

describe('a PostgreSQL database', () => {
  let postgres: TestServer;
  let schemas = 0;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());
  const fresh = () =>
    `postgres://${postgres.user}@${postgres.host}:${postgres.port}/${postgres.database}?schema=killed_${++schemas}`;

  const [first = ''] = Object.keys(migrations);
  const at = '2026-01-02T03:04:05.000Z';
  const rows = [
    {
      table: 'document',
      rows: [{ id: 'd1', kind: 'dashboard', path: 'dashboards/sales.yaml', deleted_at: null }],
    },
    { table: 'draft', rows: [{ document_id: 'd1', text: 'draft text', base: 'base', version: 4, at }] },
    { table: 'favourite', rows: [{ user_id: 'owner', document_id: 'd1', at }] },
    {
      table: 'event_note',
      rows: [{ id: 5, document_id: 'd1', start: '2026-01-01', below: null, text: 'Launch', at }],
    },
  ];
  async function makeFirst(): Promise<string> {
    const url = fresh();
    await restorePostgres(
      url,
      first,
      (async function* () {
        yield* rows;
      })(),
    );
    return url;
  }

  test('whose connection is cut before any statement of its migration', async () => {
    const whole = await makeFirst();
    const database = await openStateDatabase({ folder, url: whole });
    const expected = await contentsOf(database);
    await database.close();
    expect(expected).toMatchObject({ draft: 4, favourites: ['sales'], notes: ['Launch'] });

    const query = pg.Client.prototype.query;
    /** Cuts the connection before a statement. @returns how many there were, or undefined if it was cut */
    async function migrated(url: string, cut: number): Promise<number | undefined> {
      let count = 0;
      vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: never[]) {
        if (count++ === cut) {
          const { connection } = this as unknown as { connection: { stream: { destroy: () => void } } };
          connection.stream.destroy();
        }
        return (query as (...all: never[]) => never).apply(this, args);
      } as never);
      const opened = await openStateDatabase({ folder, url }).catch(() => undefined);
      vi.restoreAllMocks();
      await opened?.close();
      return opened && count;
    }
    const all = (await migrated(await makeFirst(), Infinity))!;
    expect(all).toBeGreaterThan(100);
    // All are in one transaction, so a few of its statements are enough beside the first and last ones.
    const cuts = [
      0,
      1,
      2,
      3,
      4,
      5,
      ...Array.from({ length: 8 }, (_, i) => 6 + Math.floor(((all - 9) * i) / 8)),
    ];
    for (const cut of [...cuts, all - 3, all - 2, all - 1]) {
      const url = await makeFirst();
      await migrated(url, cut);
      await expectWhole({ folder, url }, expected, `statement ${cut} of ${all}`);
    }
  });

  test('whose server process is killed at random moments', async () => {
    const random = randomFrom(11);
    for (let i = 0; i < 3; i++) {
      const url = await makeFirst();
      await killedAfter(random() * 400, [folder, url]);
      const database = await openStateDatabase({ folder, url });
      expect(await contentsOf(database)).toMatchObject({
        draft: 4,
        favourites: ['sales'],
        notes: ['Launch'],
      });
      await database.close();
    }
  });
});
