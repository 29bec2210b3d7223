import { JobRecords } from '../state/administration/jobs.ts';
import type { StateDatabase } from '../state/database/state-database.ts';
import type { Clock } from '../state/database/wall-clock.ts';
import { JobRunner } from './job-runner.ts';
import { Scheduler } from './scheduler.ts';

/** The jobs of a server, and what makes and runs them. */
export interface Jobs {
  readonly records: JobRecords;
  readonly runner: JobRunner;
  readonly scheduler: Scheduler;
  /** Begins to run them, after all kinds have been registered. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** @param isAlone whether no other process uses the state database */
export function openJobs({
  state,
  clock,
  isAlone,
}: {
  readonly state: StateDatabase;
  readonly clock: Clock;
  readonly isAlone: boolean;
}): Jobs {
  const records = new JobRecords(state);
  const runner = new JobRunner({ jobs: records, clock, isAlone });
  const scheduler = new Scheduler({ jobs: records, runner, clock });
  return {
    records,
    runner,
    scheduler,
    start: async () => {
      await runner.start();
      scheduler.start();
    },
    close: async () => {
      await scheduler.close();
      await runner.close();
    },
  };
}
