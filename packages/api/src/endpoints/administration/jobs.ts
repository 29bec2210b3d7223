import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { NextCursor, pageParameters } from '../../paging.ts';
import { routes } from '../../routes.ts';

const JobState = z.enum(['queued', 'running', 'done', 'given-up', 'cancelled']);

export const Job = z
  .object({
    id: z.string(),
    /** Such as `alert`, `report` or `delivery`. */
    kind: z.string(),
    /** What it is about, such as the ID of an alert. */
    object: z.string(),
    /** Of the alert or report, or of the message that is delivered. Absent if it no longer exists. */
    title: z.string().optional(),
    state: JobState,
    /** The time for which it runs. */
    dueAt: z.string(),
    /** The time of its next try, while it waits. */
    nextTryAt: z.string().optional(),
    /** Tries so far, the running one included. */
    attempt: z.number().int(),
    startedAt: z.string().optional(),
    endedAt: z.string().optional(),
    /** What it is doing, or has done. */
    detail: z.string().optional(),
    /** Why the last try failed. */
    error: z.string().optional(),
  })
  .meta({ id: 'Job' });
export type Job = z.infer<typeof Job>;

const jobParams = z.object({ job: z.string().max(100) });

/** Endpoints for the jobs that run at times. */
export const jobEndpoints = {
  listJobs: endpoint({
    ...routes.listJobs,
    access: { on: 'workspace', role: 'admin' },
    summary: 'List the jobs that ran, run or wait, the newest first',
    query: z.object({
      kind: z.string().max(40).optional(),
      state: JobState.optional(),
      ...pageParameters(200, 100),
    }),
    response: z.object({
      jobs: z.array(Job),
      nextCursor: NextCursor,
      kinds: z.array(
        z.object({
          kind: z.string(),
          isPaused: z.boolean(),
          canPause: z.boolean(),
          queued: z.number(),
          running: z.number(),
        }),
      ),
    }),
  }),
  cancelJob: endpoint({
    ...routes.cancelJob,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Cancel a job that waits or runs',
    params: jobParams,
    response: z.object({}),
  }),
  retryJob: endpoint({
    ...routes.retryJob,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Run a job again that was given up or cancelled',
    params: jobParams,
    response: z.object({}),
  }),
  pauseJobs: endpoint({
    ...routes.pauseJobs,
    access: { on: 'workspace', role: 'admin' },
    summary: 'Pause the jobs of a kind, or let them run again',
    params: z.object({ kind: z.string().max(40) }),
    body: z.strictObject({ isPaused: z.boolean() }),
    response: z.object({}),
  }),
} as const;
