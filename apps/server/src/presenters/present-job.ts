import type { Job } from '@belvedere/api';
import type { JobRecord } from '../state/administration/jobs.ts';

/** @param title of what it is about, if that has one */
export function presentJob(job: JobRecord, title?: string): Job {
  const at = (ms: number) => new Date(ms).toISOString();
  return {
    id: job.id,
    kind: job.kind,
    object: job.object,
    ...(title !== undefined && { title }),
    state: job.state,
    dueAt: at(job.dueAt),
    ...(job.state === 'queued' && { nextTryAt: at(job.runAt) }),
    attempt: job.attempt,
    ...(job.startedAt !== undefined && { startedAt: at(job.startedAt) }),
    ...(job.endedAt !== undefined && { endedAt: at(job.endedAt) }),
    ...(job.detail !== undefined && { detail: job.detail }),
    ...(job.error !== undefined && { error: job.error }),
  };
}
