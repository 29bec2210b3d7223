import { sql } from 'kysely';
import { setTimeout as wait } from 'node:timers/promises';
import { openJobs } from '../../../apps/server/src/jobs/open-jobs.ts';
import { openStateDatabase } from '../../../apps/server/src/state/database/state-database.ts';

/**
 * Runs a server's jobs in a process that tests kill: each message is a time, at which it runs the due jobs.
 */

const [folder, url, objects] = process.argv.slice(2) as [string, string, string];
const state = await openStateDatabase({ folder, url });
let now = Number(process.argv[5]);
const clock = { wall: () => now, elapsed: () => now, isTrusted: () => true };
const { runner, scheduler } = openJobs({ state, clock, isAlone: false });
runner.register({
  kind: 'work',
  atOnce: 4,
  timeoutMs: 60_000,
  backOffMs: Array.from({ length: 20 }, () => 60_000),
  run: async ({ object, dueAt }) => {
    await sql`insert into ran values (${object}, ${dueAt})`.execute(state.db);
    await wait(Math.random() * 20);
    return { kind: 'done' };
  },
});
await scheduler.setSchedules(
  'work',
  objects.split(',').map((object, i) => ({
    object,
    schedule: { kind: 'interval', everyMs: (1 + (i % 3)) * 60_000 },
  })),
);
process.on('message', async time => {
  now = time as number;
  await scheduler.tick();
  await runner.runDue();
  process.send!('done');
});
process.send!('ready');
