import type { jobEndpoints } from '@belvedere/api';
import type { NoteCall } from '../../auth/limits/note-calls.ts';
import { deliveryKind } from '../../deliver/deliveries.ts';
import type { Jobs } from '../../jobs/open-jobs.ts';
import { presentJob } from '../../presenters/present-job.ts';
import { ProblemError } from '../../http/problems.ts';
import type { DeliveryRecords } from '../../state/messages/deliveries.ts';
import type { JobRecord } from '../../state/administration/jobs.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { readPage } from '../contract/cursors.ts';
import type { Handlers } from '../contract/mount-contract.ts';

/** Endpoints for the jobs that run at times. */
export function jobRoutes(
  { records, runner }: Jobs,
  deliveries: Pick<DeliveryRecords, 'titles'>,
  workspace: () => Pick<Workspace, 'alerts' | 'reports'>,
  note: NoteCall,
): Pick<Handlers, keyof typeof jobEndpoints> {
  const named = async (id: string) => {
    const job = await records.find(id);
    if (!job) throw new ProblemError('not-found', 'This job no longer exists.');
    return `${job.kind} ${job.object}`;
  };
  return {
    listJobs: async ({ query: { cursor, limit, ...only } }) => {
      const { entries, ...next } = await readPage(
        'jobs',
        { cursor, limit },
        [Number.MAX_SAFE_INTEGER, ''],
        (after, max) => records.list(only, max, after),
        ({ queuedAt, id }): [number, string] => [queuedAt, id],
      );
      const waiting = await records.waiting();
      const delivered = await deliveries.titles(
        entries.filter(({ kind }) => kind === deliveryKind).map(({ object }) => object),
      );
      const { alerts, reports } = workspace();
      const titleOf = ({ kind, object }: JobRecord) =>
        kind === 'alert'
          ? alerts.get(object)?.title
          : kind === 'report'
            ? reports.get(object)?.title
            : delivered.get(object);
      return {
        jobs: entries.map(job => presentJob(job, titleOf(job))),
        ...next,
        kinds: runner.kinds.map(kind => {
          const { queued = 0, running = 0 } = waiting.find(one => one.kind === kind) ?? {};
          return {
            kind,
            isPaused: runner.paused.has(kind),
            canPause: runner.canPause(kind),
            queued,
            running,
          };
        }),
      };
    },
    cancelJob: async ({ params, ...call }) => {
      const name = await named(params.job);
      if (!(await runner.cancel(params.job))) throw new ProblemError('not-found', 'This job has ended.');
      await note(call, 'job.cancel', name);
      return {};
    },
    retryJob: async ({ params, ...call }) => {
      const name = await named(params.job);
      if (!(await runner.retry(params.job)))
        throw new ProblemError('not-found', 'This job has not been given up or cancelled.');
      await note(call, 'job.retry', name);
      return {};
    },
    pauseJobs: async ({ params, body, ...call }) => {
      if (!runner.kinds.includes(params.kind))
        throw new ProblemError('not-found', `There are no jobs of the kind \`${params.kind}\`.`);
      if (!runner.canPause(params.kind))
        throw new ProblemError('request-invalid', `Jobs of the kind \`${params.kind}\` cannot be paused.`);
      await runner.setPaused(params.kind, body.isPaused);
      await note(call, body.isPaused ? 'jobs.pause' : 'jobs.resume', params.kind);
      return {};
    },
  };
}
