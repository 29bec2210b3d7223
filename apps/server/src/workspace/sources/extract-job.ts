import { limits } from '../../limits.ts';
import type { JobKind } from '../../jobs/job-kind.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import { problemFrom } from '../../http/problems.ts';
import type { Clock } from '../../state/database/wall-clock.ts';
import type { ExtractStore } from './extract-store.ts';

const kind = 'extract';
const minute = 60_000;
/** A source that is not connected yet is looked at again after this time. */
const lookMs = 2000;

/** Copies tables of databases by jobs. A job's object is the name of an extract. */
export function copyExtractsByJobs(
  extracts: ExtractStore,
  runner: JobRunner,
  clock: Pick<Clock, 'wall'>,
): void {
  runner.register(extractJob(extracts, clock));
  extracts.copyBy((object, key) =>
    runner.enqueue({ kind, object, dueAt: clock.wall(), key: `${kind}:${object}:${key}` }),
  );
}

export function extractJob(extracts: Pick<ExtractStore, 'copy'>, clock: Pick<Clock, 'wall'>): JobKind {
  return {
    kind,
    atOnce: 4,
    timeoutMs: limits.jobMs + minute,
    backOffMs: [minute / 2, 2 * minute, 10 * minute],
    // Copies can be made every few minutes.
    keptMs: 7 * 24 * 60 * minute,
    run: async ({ object, signal }) => {
      try {
        const isCopied = await extracts.copy(object, signal);
        if (isCopied === false)
          return {
            kind: 'postponed',
            until: clock.wall() + lookMs,
            detail: 'The source is not connected yet',
          };
        return { kind: 'done', detail: isCopied ? 'Copied' : 'No model needs it any more' };
      } catch (error) {
        throw new Error(problemFrom(error).detail ?? (error as Error).message, { cause: error });
      }
    },
  };
}
