import { sql } from 'kysely';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nextDue } from '../../../apps/server/src/jobs/due-times.ts';
import { JobRecords } from '../../../apps/server/src/state/administration/jobs.ts';
import {
  openStateDatabase,
  type StateDatabase,
} from '../../../apps/server/src/state/database/state-database.ts';
import { randomFrom } from '../../random/random-from.ts';
import type { TestServer } from '../../servers/server-programs.ts';
import { startPostgres } from '../../servers/start-postgres.ts';

/* The jobs of two processes on one PostgreSQL database, of which one or the other is killed at any moment. */

const minute = 60_000;
const start = Date.UTC(2026, 0, 1, 12);
const objects = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const steps = 40;

let postgres: TestServer;
let folder: string;
let url: string;
let state: StateDatabase;
beforeAll(async () => {
  postgres = await startPostgres();
  const { user, host, port, database } = postgres;
  url = `postgres://${user}@${host}:${port}/${database}?schema=processes`;
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-processes-'));
  state = await openStateDatabase({ folder, url });
  await sql`create table ran (object text not null, due_at bigint not null)`.execute(state.db);
});
afterAll(async () => {
  await state.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

test('each due time runs once over two processes and their kills', async () => {
  const random = randomFrom(Number(process.env['BELVEDERE_SEED']));
  let now = start;
  const begin = async () => {
    const child = fork(path.join(import.meta.dirname, 'run-due-jobs.ts'), [
      folder,
      url,
      objects.join(','),
      `${now}`,
    ]);
    await once(child, 'message');
    return child;
  };
  const step = async (child: ChildProcess) => {
    child.send(now);
    await Promise.race([once(child, 'message'), once(child, 'exit')]);
  };
  const children = [await begin(), await begin()];
  let kills = 0;
  for (let i = 0; i < steps; i++) {
    now += minute;
    const both = Promise.all(children.map(step));
    if (random() < 0.3) {
      const killed = random() < 0.5 ? 0 : 1;
      await wait(random() * 40);
      children[killed]!.kill('SIGKILL');
      kills++;
      await both;
      children[killed] = await begin();
    }
    await both;
  }
  // The jobs of the last that was killed are taken over once its lease has ended.
  for (let i = 0; i < 3; i++) {
    now += minute + 1;
    await Promise.all(children.map(step));
  }
  for (const child of children) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  const expected = objects.flatMap((object, i) => {
    const times: string[] = [];
    const schedule = { kind: 'interval', everyMs: (1 + (i % 3)) * minute } as const;
    for (let at = nextDue(schedule, start)!; at <= start + steps * minute; at = nextDue(schedule, at)!)
      times.push(`${object} ${at}`);
    return times;
  });
  const jobs = (await new JobRecords(state).list({ kind: 'work' }, 10_000)).filter(
    ({ dueAt }) => dueAt <= start + steps * minute,
  );
  expect(jobs.map(({ object, dueAt }) => `${object} ${dueAt}`).toSorted()).toEqual(expected.toSorted());
  expect(new Set(jobs.map(job => job.state))).toEqual(new Set(['done']));
  const { rows } = await sql<{ object: string; due_at: string }>`select * from ran`.execute(state.db);
  const ran = Map.groupBy(rows, row => `${row.object} ${row.due_at}`);
  for (const { object, dueAt, attempt } of jobs) {
    const times = ran.get(`${object} ${dueAt}`)!.length;
    // It ran once, and once more for each process that was killed while it did.
    expect(times >= 1 && times <= attempt, `${object} ${dueAt}: ${times} of ${attempt}`).toBe(true);
  }
  expect(kills).toBeGreaterThan(5);
  expect(jobs.filter(({ attempt }) => attempt > 1).length).toBeLessThanOrEqual(kills * 4);
});
