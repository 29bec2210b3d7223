import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Schedule } from '../../../apps/server/src/jobs/due-times.ts';
import { nextDue } from '../../../apps/server/src/jobs/due-times.ts';
import { GiveUpError, type JobKind, type RunningJob } from '../../../apps/server/src/jobs/job-kind.ts';
import { JobRunner } from '../../../apps/server/src/jobs/job-runner.ts';
import { Scheduler } from '../../../apps/server/src/jobs/scheduler.ts';
import { JobRecords } from '../../../apps/server/src/state/administration/jobs.ts';
import {
  openStateDatabase,
  type StateDatabase,
} from '../../../apps/server/src/state/database/state-database.ts';
import { randomFrom } from '../../random/random-from.ts';
import { stateDatabases, stateKinds } from './state-databases.ts';

/* Jobs and schedules, on both state databases, by a clock that the tests set. */

const emptyState = stateDatabases();

const minute = 60_000;
const day = 86_400_000;
const start = Date.UTC(2026, 0, 1, 12);

class SetClock {
  now = start;
  trusted = true;
  wall = () => this.now;
  isTrusted = () => this.trusted;
}

describe.each(stateKinds)('jobs on %s', kind => {
  let database: StateDatabase;
  let jobs: JobRecords;
  let clock: SetClock;
  let open: { close: () => Promise<void> }[];
  beforeEach(async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-jobs-'));
    database = await emptyState(kind, folder);
    jobs = new JobRecords(database);
    clock = new SetClock();
    open = [];
  });
  afterEach(async () => {
    for (const one of open) await one.close();
    await database.close();
  });

  /** A server's runner with one kind of job, `work`. */
  const runnerOf = (run: JobKind['run'], options: Partial<JobKind> = {}, isAlone = false) => {
    const runner = new JobRunner({ jobs, clock, isAlone });
    runner.register({
      kind: 'work',
      atOnce: 4,
      timeoutMs: 5000,
      backOffMs: [minute, 5 * minute],
      run,
      ...options,
    });
    open.push(runner);
    return runner;
  };
  const work = (object: string, dueAt = start) => ({ kind: 'work', object, dueAt, key: `work:${object}` });
  const only = async () => (await jobs.list({}, 10))[0]!;

  test('a job runs once it is due, and once per key', async () => {
    const ran: string[] = [];
    const runner = runnerOf(async ({ object }) => {
      ran.push(object);
      return { kind: 'done', detail: 'as told' };
    });
    expect(await runner.enqueue(work('now'))).toBe(true);
    expect(await runner.enqueue(work('now'))).toBe(false);
    await runner.enqueue(work('later', start + minute));
    await runner.runDue();
    expect(ran).toEqual(['now']);
    clock.now += minute;
    await runner.runDue();
    expect(ran).toEqual(['now', 'later']);
    expect(await runner.enqueue(work('now'))).toBe(false);
    expect(await jobs.list({ object: 'now' }, 10)).toMatchObject([
      { state: 'done', detail: 'as told', attempt: 1, startedAt: start, endedAt: start },
    ]);
  });

  test('a job in a transaction that fails was never added', async () => {
    const runner = runnerOf(async () => ({ kind: 'done' }));
    const failing = database.transaction(async () => {
      await runner.enqueue(work('one'));
      throw new Error('No.');
    });
    await expect(failing).rejects.toThrow('No.');
    expect(await jobs.list({}, 10)).toEqual([]);
  });

  test('a job added in a transaction runs right after its commit', async () => {
    const ran = Promise.withResolvers<number>();
    let committed = 0;
    const runner = runnerOf(async () => {
      ran.resolve(committed);
      return { kind: 'done' };
    });
    await runner.start();
    await database.transaction(async () => {
      await runner.enqueue(work('one'));
      await new Promise(resolve => setTimeout(resolve, 50));
    });
    committed = 1;
    expect(await ran.promise).toBe(1);
  });

  test('after failures it waits longer each time, then it is given up', async () => {
    const tries: number[] = [];
    const runner = runnerOf(async ({ attempt }) => {
      tries.push(clock.now - start);
      throw new Error(`Try ${attempt} failed.`);
    });
    await runner.enqueue(work('one'));
    for (let i = 0; i < 20; i++) {
      await runner.runDue();
      clock.now += minute;
    }
    expect(tries).toEqual([0, minute, 6 * minute]);
    expect(await only()).toMatchObject({ state: 'given-up', attempt: 3, error: 'Try 3 failed.' });
    expect(await runner.retry((await only()).id)).toBe(true);
    await runner.runDue();
    expect(tries).toHaveLength(4);
  });

  test('an error that no further try can fix gives up at once', async () => {
    const runner = runnerOf(async () => {
      throw new GiveUpError('There is no such channel.');
    });
    await runner.enqueue(work('one'));
    await runner.runDue();
    expect(await only()).toMatchObject({ state: 'given-up', attempt: 1, error: 'There is no such channel.' });
  });

  test('a postponed job has not failed', async () => {
    let isQuiet = true;
    const runner = runnerOf(async () =>
      isQuiet ? { kind: 'postponed', until: clock.now + day } : { kind: 'done' },
    );
    await runner.enqueue(work('one'));
    await runner.runDue();
    expect(await only()).toMatchObject({ state: 'queued', attempt: 0, runAt: start + day });
    isQuiet = false;
    clock.now += day;
    await runner.runDue();
    expect(await only()).toMatchObject({ state: 'done', attempt: 1 });
  });

  test('one that hangs is ended, and does not hold its place', async () => {
    const signals: AbortSignal[] = [];
    const runner = runnerOf(
      async ({ signal }) => {
        signals.push(signal);
        return new Promise(() => {});
      },
      { timeoutMs: 50, backOffMs: [], atOnce: 1 },
    );
    await runner.enqueue(work('one'));
    await runner.enqueue(work('two'));
    await runner.runDue();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(await jobs.list({ state: 'given-up' }, 10)).toMatchObject([
      { error: 'It took longer than 0.05 seconds.' },
      { error: 'It took longer than 0.05 seconds.' },
    ]);
  });

  test('a running or waiting job can be cancelled', async () => {
    const began = Promise.withResolvers<RunningJob>();
    const runner = runnerOf(
      async job => {
        began.resolve(job);
        return new Promise(() => {});
      },
      { atOnce: 1 },
    );
    await runner.enqueue(work('one'));
    const done = runner.runDue();
    const { id, signal } = await began.promise;
    await runner.enqueue(work('two', start + day));
    const two = (await jobs.list({ object: 'two' }, 1))[0]!;
    expect(await runner.cancel(two.id)).toBe(true);
    expect(await runner.cancel(two.id)).toBe(false);
    expect(await runner.cancel(id)).toBe(true);
    await done;
    expect(signal.aborted).toBe(true);
    expect((await jobs.list({}, 10)).map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
  });

  test('paused jobs wait', async () => {
    const ran: string[] = [];
    const runner = runnerOf(async ({ object }) => {
      ran.push(object);
      return { kind: 'done' };
    });
    await runner.setPaused('work', true);
    await runner.enqueue(work('one'));
    await runner.runDue();
    expect(ran).toEqual([]);
    await runner.setPaused('work', false);
    await runner.runDue();
    expect(ran).toEqual(['one']);
  });

  test('of the due times that pass while a kind is paused, the last one runs', async () => {
    const ran: number[] = [];
    const runner = runnerOf(async ({ dueAt }) => {
      ran.push(dueAt);
      return { kind: 'done' };
    });
    const scheduler = new Scheduler({ jobs, runner, clock });
    const schedule: Schedule = { kind: 'interval', everyMs: minute };
    await scheduler.setSchedules('work', [{ object: 'a', schedule }]);
    await runner.setPaused('work', true);
    for (let i = 0; i < 5; i++) {
      clock.now += minute;
      await scheduler.tick();
    }
    expect(await jobs.list({}, 10)).toHaveLength(1);
    await runner.setPaused('work', false);
    await runner.runDue();
    expect(ran).toEqual([start + 5 * minute]);
  });

  test('a kind hears of its cancelled jobs, and may do their work again in its own way', async () => {
    const heard: string[] = [];
    const began = Promise.withResolvers<RunningJob>();
    const runner = runnerOf(
      async job => {
        began.resolve(job);
        return new Promise(() => {});
      },
      {
        atOnce: 1,
        cancelled: async object => void heard.push(`cancelled ${object}`),
        again: async object => void heard.push(`again ${object}`),
      },
    );
    await runner.enqueue(work('one'));
    await runner.enqueue(work('two', start + day));
    const done = runner.runDue();
    await runner.cancel((await began.promise).id);
    await done;
    const two = (await jobs.list({ object: 'two' }, 1))[0]!;
    expect(await runner.retry(two.id)).toBe(false);
    await runner.cancel(two.id);
    expect(await runner.retry(two.id)).toBe(true);
    expect(heard).toEqual(['cancelled one', 'cancelled two', 'again two']);
  });

  test('several servers run each job once', async () => {
    const ran: string[] = [];
    const servers = [1, 2, 3].map(() =>
      runnerOf(async ({ object }) => {
        ran.push(object);
        await new Promise(resolve => setTimeout(resolve, 2));
        return { kind: 'done' };
      }),
    );
    for (let i = 0; i < 60; i++) await servers[i % 3]!.enqueue(work(`job ${i}`));
    await Promise.all(servers.map(server => server.runDue()));
    expect(ran.toSorted()).toEqual(Array.from({ length: 60 }, (_, i) => `job ${i}`).toSorted());
  });

  test('the job of a dead process runs again after its lease, at once if no other can have it', async () => {
    const ran: number[] = [];
    const claim = () => jobs.claim('work', 9, { by: 'dead', now: clock.now, until: clock.now + minute }, []);
    const runner = runnerOf(async ({ attempt }) => {
      ran.push(attempt);
      return { kind: 'done' };
    });
    // Added past the runner, which would take it up before the dead process.
    await jobs.add(work('one'), clock.now);
    expect(await claim()).toHaveLength(1);
    await runner.runDue();
    expect(ran).toEqual([]);
    clock.now += minute + 1;
    await runner.runDue();
    expect(ran).toEqual([2]);

    await jobs.add(work('two'), clock.now);
    expect(await claim()).toHaveLength(1);
    const alone = runnerOf(
      async ({ attempt }) => {
        ran.push(attempt);
        return { kind: 'done' };
      },
      {},
      true,
    );
    await alone.start();
    await expect.poll(() => ran).toEqual([2, 2]);
  });

  test('a job that ends its process each time is given up', async () => {
    const runner = runnerOf(async () => ({ kind: 'done' }));
    await jobs.add(work('one'), clock.now);
    for (let i = 0; i < 3; i++) {
      await jobs.claim('work', 9, { by: `dead ${i}`, now: clock.now, until: clock.now + minute }, []);
      clock.now += 2 * minute;
    }
    await runner.runDue();
    expect(await only()).toMatchObject({
      state: 'given-up',
      error: 'The server stopped each time while this ran.',
    });
  });

  test('a job that was running when the server closed is not a failure', async () => {
    const began = Promise.withResolvers<void>();
    const runner = runnerOf(async () => {
      began.resolve();
      return new Promise(() => {});
    });
    await runner.enqueue(work('one'));
    await runner.start();
    await began.promise;
    await runner.close();
    expect(await only()).toMatchObject({ state: 'queued', attempt: 0 });
  });

  test('old jobs are deleted', async () => {
    const runner = runnerOf(async () => ({ kind: 'done' }), { keptMs: day });
    await runner.enqueue(work('one'));
    await runner.runDue();
    await runner.prune(start + day);
    expect(await jobs.list({}, 10)).toHaveLength(1);
    await runner.prune(start + day + 1);
    expect(await jobs.list({}, 10)).toEqual([]);
  });

  test('the list continues after any job, also among those of one moment', async () => {
    const runner = runnerOf(async () => ({ kind: 'done' }));
    for (const object of ['a', 'b', 'c', 'd', 'e']) await runner.enqueue(work(object));
    const all = await jobs.list({}, 10);
    const ids = all.map(({ id }) => id);
    expect(ids).toHaveLength(5);
    for (const [i, { queuedAt, id }] of all.entries())
      expect((await jobs.list({}, 10, [queuedAt, id])).map(one => one.id)).toEqual(ids.slice(i + 1));
  });

  const daily = (zone: string, at = '08:00'): Schedule => ({ kind: 'calendar', pattern: { at }, zone });

  test('a new or changed schedule is due from then on, a removed one never', async () => {
    const runner = runnerOf(async () => ({ kind: 'done' }));
    const scheduler = new Scheduler({ jobs, runner, clock });
    const dueNow = async () => {
      await scheduler.tick();
      await runner.runDue();
      return (await jobs.list({}, 50)).length;
    };
    await scheduler.setSchedules('work', [{ object: 'a', schedule: daily('UTC') }]);
    expect(await dueNow()).toBe(0);
    clock.now = start + 20 * 60 * minute;
    expect(await dueNow()).toBe(1);
    expect(await dueNow()).toBe(1);
    // At 08:00, for an hour that has passed.
    await scheduler.setSchedules('work', [{ object: 'a', schedule: daily('UTC', '07:00') }]);
    expect(await dueNow()).toBe(1);
    clock.now += 23 * 60 * minute;
    expect(await dueNow()).toBe(2);
    expect(scheduler.nextDue('work', 'a')).toBe(Date.UTC(2026, 0, 4, 7));
    await scheduler.setSchedules('work', []);
    clock.now += 5 * day;
    expect(await dueNow()).toBe(2);
    // As new.
    await scheduler.setSchedules('work', [{ object: 'a', schedule: daily('UTC') }]);
    expect(await dueNow()).toBe(2);
  });

  test('while the clock is not trusted nothing is due, and one that was wrong leaves no trace', async () => {
    const runner = runnerOf(async () => ({ kind: 'done' }));
    const scheduler = new Scheduler({ jobs, runner, clock });
    await scheduler.setSchedules('work', [{ object: 'a', schedule: daily('UTC') }]);
    clock.now += 3650 * day;
    clock.trusted = false;
    await scheduler.tick();
    expect(await jobs.list({}, 9)).toEqual([]);
    // Trusted although it is wrong: ten years are one job, and the days after the correction have theirs.
    clock.trusted = true;
    await scheduler.tick();
    expect(await jobs.list({}, 9)).toHaveLength(1);
    clock.now = start + day;
    await scheduler.tick();
    clock.now += day;
    await scheduler.tick();
    expect(await jobs.list({}, 9)).toHaveLength(2);
  });
});

test('in a year with restarts, kills and clocks set back, each due time runs exactly once', async () => {
  const seed = Number(process.env['BELVEDERE_SEED'] ?? Date.now() % 1e9);
  console.info(`seed ${seed}`);
  const random = randomFrom(seed);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-year-'));
  const clock = new SetClock();
  const scheduled = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'].flatMap(zone =>
    [
      { at: '02:30' },
      { at: '01:30', days: 'weekdays' as const },
      { at: '08:00', days: 'last working day' as const },
    ].map(pattern => ({
      object: `${zone} ${pattern.at}`,
      schedule: { kind: 'calendar', pattern, zone } satisfies Schedule,
    })),
  );
  const ran = new Map<string, number>();
  const missed = new Set<string>();
  const end = start + 410 * day;
  while (clock.now < end) {
    const database = await openStateDatabase({ folder });
    const jobs = new JobRecords(database);
    const runner = new JobRunner({ jobs, clock, isAlone: true });
    let kills = 0;
    runner.register({
      kind: 'work',
      atOnce: 4,
      timeoutMs: 5000,
      backOffMs: [minute],
      run: async ({ object, dueAt }) => {
        // A process that is killed leaves its lease behind; here the try fails in its place.
        if (random() < 0.05 && kills++ < 1) throw new Error('killed');
        const key = `${object} ${new Date(dueAt).toISOString()}`;
        ran.set(key, (ran.get(key) ?? 0) + 1);
        return { kind: 'done' };
      },
    });
    const scheduler = new Scheduler({ jobs, runner, clock });
    await scheduler.setSchedules('work', scheduled);
    const stop = clock.now + (1 + Math.floor(random() * 20)) * day;
    while (clock.now < Math.min(stop, end)) {
      await scheduler.tick();
      await runner.runDue();
      // Clocks are set back by up to 50 minutes now and then.
      if (random() < 0.01) clock.now -= Math.floor(random() * 50) * minute;
      clock.now += 10 * minute + Math.floor(random() * 170 * minute);
    }
    await scheduler.tick();
    const down = clock.now;
    await runner.runDue();
    // Further tries.
    clock.now += 2 * minute;
    await runner.runDue();
    await runner.close();
    await database.close();
    // Down for up to three days: the last of the missed times runs at the next start.
    clock.now += Math.floor(random() * 3 * day);
    for (const { object, schedule } of scheduled) {
      const passed: number[] = [];
      for (
        let due = nextDue(schedule, down);
        due !== undefined && due <= clock.now;
        due = nextDue(schedule, due)
      )
        passed.push(due);
      for (const due of passed.slice(0, -1)) missed.add(`${object} ${new Date(due).toISOString()}`);
    }
  }
  const expected: string[] = [];
  for (const { object, schedule } of scheduled)
    for (let due = nextDue(schedule, start); due !== undefined && due <= end; due = nextDue(schedule, due)) {
      const key = `${object} ${new Date(due).toISOString()}`;
      if (!missed.has(key)) expected.push(key);
    }
  expect([...ran.values()].filter(times => times !== 1)).toEqual([]);
  const all = new Set(ran.keys());
  expect(expected.filter(key => !all.has(key))).toEqual([]);
  expect([...all].filter(key => missed.has(key))).toEqual([]);
});
