/** One kind of work that runs at times, such as checking alerts. */
export interface JobKind {
  readonly kind: string;
  /** Jobs of this kind that run at the same time. */
  readonly atOnce: number;
  /** Then the signal aborts, and the try has failed. */
  readonly timeoutMs: number;
  /** Waits before further tries; after the last one, the job is given up. */
  readonly backOffMs: readonly number[];
  /** How long ended jobs are kept; 90 days by default. */
  readonly keptMs?: number;
  /** False for work that an admin cannot put off. */
  readonly canPause?: boolean;
  /** @throws GiveUpError, or another error if a further try may succeed */
  run(job: RunningJob): Promise<JobOutcome>;
  /** Called once a job is cancelled, for kinds that keep a record of their own of what is to be done. */
  cancelled?(object: string): Promise<void>;
  /** Does the work of a job again in another one, for kinds that keep such a record. */
  again?(object: string): Promise<void>;
}

export interface RunningJob {
  readonly id: string;
  /** What it is about, such as the ID of an alert. */
  readonly object: string;
  /** The time for which it runs, ms since 1970. It may run later. */
  readonly dueAt: number;
  /** Counted from 1. */
  readonly attempt: number;
  /** Aborts when the job is cancelled or too slow, or the server closes. */
  readonly signal: AbortSignal;
  /** Says what it is doing. */
  progress(text: string): void;
}

export type JobOutcome =
  | { readonly kind: 'done'; readonly detail?: string }
  /** Runs again at a time. That does not count as a failure. */
  | { readonly kind: 'postponed'; readonly until: number; readonly detail?: string };

/** A further try cannot succeed. */
export class GiveUpError extends Error {
  override readonly name = 'GiveUpError';
}
