import { randomUUID } from 'node:crypto';
import type { JobRecord, JobRecords, NewJob, TryEnd } from '../state/administration/jobs.ts';
import type { Clock } from '../state/database/wall-clock.ts';
import { GiveUpError, type JobKind, type JobOutcome } from './job-kind.ts';

/** How long a process may be silent before others take its jobs, and how often it says that it lives. */
const leaseMs = 60_000;
const renewMs = 20_000;
/** The longest wait between two looks for jobs, which also finds those of other servers. */
const lookMs = 5000;
const keptMs = 90 * 86_400_000;
/** Kept waiting after a failing state database. */
const troubleMs = 5000;

interface Running {
  readonly job: JobRecord;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
  isCancelled: boolean;
}

interface Options {
  readonly jobs: JobRecords;
  readonly clock: Pick<Clock, 'wall'>;
  /** Whether no other process uses the state database, so that jobs of a dead process can be taken at once. */
  readonly isAlone: boolean;
}

/**
 * Runs jobs: each once, by one process, with further tries after failures. A job whose process dies runs again
 * once its lease has ended, so what a job does must be safe to repeat.
 */
export class JobRunner {
  readonly #options: Options;
  readonly #name = randomUUID();
  readonly #kinds = new Map<string, JobKind>();
  readonly #running = new Map<string, Running>();
  #paused: ReadonlySet<string> = new Set();
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  #renewal: NodeJS.Timeout | undefined;
  #look: Promise<void> | undefined;
  #looksAgain = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Before `start`. */
  register(kind: JobKind): void {
    this.#kinds.set(kind.kind, kind);
  }

  get kinds(): readonly string[] {
    return [...this.#kinds.keys()];
  }

  /** Whether jobs of a kind can be paused. False for an unknown kind. */
  canPause(kind: string): boolean {
    return this.#kinds.has(kind) && this.#kinds.get(kind)?.canPause !== false;
  }

  get paused(): ReadonlySet<string> {
    return this.#paused;
  }

  async start(): Promise<void> {
    const { jobs, clock, isAlone } = this.#options;
    this.#paused = await jobs.pausedKinds();
    if (isAlone) await jobs.releaseOthers(this.#name, clock.wall());
    this.#renewal = setInterval(() => void this.#renew(), renewMs);
    this.#renewal.unref();
    this.#soon(0);
  }

  /** Resolves when no job runs any more. Those that were running run again after the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#renewal);
    for (const { controller } of this.#running.values())
      controller.abort(new Error('The server is closing.'));
    await this.#look;
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  /**
   * Adds a job, as part of the transaction in which it is called. A job with a known key is not added again.
   * @returns whether it is new
   */
  async enqueue(job: NewJob): Promise<boolean> {
    const isNew = await this.#options.jobs.add(job, this.#options.clock.wall());
    if (isNew) this.#options.jobs.afterCommit(() => this.#soon(0));
    return isNew;
  }

  /** Cancels a job that waits or runs. @returns whether there was one */
  async cancel(id: string): Promise<boolean> {
    const { jobs, clock } = this.#options;
    const running = this.#running.get(id);
    if (!running) {
      const cancelled = await jobs.cancelQueued(id, clock.wall());
      if (cancelled) await this.#kinds.get(cancelled.kind)?.cancelled?.(cancelled.object);
      return cancelled !== undefined;
    }
    running.isCancelled = true;
    running.controller.abort(new Error('The job was cancelled.'));
    return true;
  }

  /** Does the work of a job again that was given up or cancelled. @returns whether there was one */
  async retry(id: string): Promise<boolean> {
    const { jobs, clock } = this.#options;
    const job = await jobs.find(id);
    if (!job || !isEndedEarly(job)) return false;
    const kind = this.#kinds.get(job.kind);
    if (kind?.again) {
      await kind.again(job.object);
      return true;
    }
    const isQueued = await jobs.retry(id, clock.wall());
    if (isQueued) this.#soon(0);
    return isQueued;
  }

  /** Jobs of a paused kind wait; running ones go on. */
  async setPaused(kind: string, isPaused: boolean): Promise<void> {
    await this.#options.jobs.setPaused(kind, isPaused);
    await this.followOthers();
  }

  /** Reads again which kinds are paused, after another server has changed that. */
  async followOthers(): Promise<void> {
    this.#paused = await this.#options.jobs.pausedKinds();
    this.#soon(0);
  }

  /** Deletes old jobs. @param now ms since 1970 */
  async prune(now: number): Promise<void> {
    for (const kind of this.#kinds.values())
      if (kind.keptMs !== undefined) await this.#options.jobs.deleteEnded(now - kind.keptMs, kind.kind);
    await this.#options.jobs.deleteEnded(now - keptMs);
  }

  /** Runs all jobs that are due, and resolves when they have ended. For tests and commands. */
  async runDue(): Promise<void> {
    do {
      await this.#lookNow();
      await Promise.all([...this.#running.values()].map(({ ended }) => ended));
    } while (this.#running.size > 0 || (await this.#hasDue()));
  }

  async #hasDue(): Promise<boolean> {
    const now = this.#options.clock.wall();
    const waiting = await this.#options.jobs.waiting();
    return waiting.some(
      ({ kind, nextAt }) =>
        this.#kinds.has(kind) && !this.#paused.has(kind) && nextAt !== undefined && nextAt <= now,
    );
  }

  #soon(ms: number): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#lookOnce(), ms);
    this.#timer.unref();
  }

  /** One look at a time; a call meanwhile makes it look once more. */
  async #lookOnce(): Promise<void> {
    if (this.#look) {
      this.#looksAgain = true;
      return;
    }
    let waitMs = lookMs;
    this.#look = this.#lookNow()
      .then(async () => {
        waitMs = await this.#waitMs();
      })
      .catch((error: Error) => {
        console.error(new Date().toISOString(), 'Jobs could not be read:', error.message);
        waitMs = troubleMs;
      });
    await this.#look;
    this.#look = undefined;
    if (this.#looksAgain) waitMs = 0;
    this.#looksAgain = false;
    this.#soon(waitMs);
  }

  /** How long until the next job is due, at most `lookMs`. */
  async #waitMs(): Promise<number> {
    const now = this.#options.clock.wall();
    const next = (await this.#options.jobs.waiting())
      .filter(({ kind }) => this.#freeSlots(kind) > 0)
      .flatMap(({ nextAt }) => nextAt ?? []);
    return Math.min(lookMs, ...next.map(at => Math.max(0, at - now)));
  }

  #freeSlots(name: string): number {
    const kind = this.#kinds.get(name);
    if (!kind || this.#paused.has(name)) return 0;
    const busy = [...this.#running.values()].filter(({ job }) => job.kind === name).length;
    return kind.atOnce - busy;
  }

  async #lookNow(): Promise<void> {
    const { jobs, clock } = this.#options;
    for (const kind of this.#kinds.values()) {
      const free = this.#freeSlots(kind.kind);
      if (free <= 0 || this.#isClosed) continue;
      const now = clock.wall();
      const claimed = await jobs.claim(kind.kind, free, { by: this.#name, now, until: now + leaseMs }, [
        ...this.#running.keys(),
      ]);
      for (const job of claimed) this.#begin(kind, job);
    }
  }

  #begin(kind: JobKind, job: JobRecord): void {
    const controller = new AbortController();
    const running: Running = {
      job,
      controller,
      isCancelled: false,
      ended: Promise.resolve().then(() => this.#runOne(kind, running)),
    };
    this.#running.set(job.id, running);
  }

  async #runOne(kind: JobKind, running: Running): Promise<void> {
    const { job, controller } = running;
    const { jobs, clock } = this.#options;
    const end = await this.#try(kind, running);
    // Closing is not the job's fault: its lease ends, and it runs again.
    const isInterrupted = this.#isClosed && controller.signal.aborted && !running.isCancelled;
    try {
      await jobs.endTry(
        job.id,
        this.#name,
        isInterrupted && end.state !== 'done' ? { state: 'queued', runAt: job.runAt, isCounted: false } : end,
        clock.wall(),
      );
    } catch (error) {
      console.error(
        new Date().toISOString(),
        `The end of job ${job.kind} ${job.object} could not be recorded:`,
        (error as Error).message,
      );
    }
    this.#running.delete(job.id);
    if (end.state === 'cancelled') await kind.cancelled?.(job.object).catch(reportFailure);
    this.#soon(0);
  }

  async #try(kind: JobKind, running: Running): Promise<TryEnd> {
    const { job, controller } = running;
    const { signal } = controller;
    const isLast = job.attempt > kind.backOffMs.length;
    const failed = (error: string): TryEnd =>
      isLast
        ? { state: 'given-up', error }
        : {
            state: 'queued',
            runAt: this.#options.clock.wall() + kind.backOffMs[job.attempt - 1]!,
            isCounted: true,
            error,
          };
    // Its process died in each of the tries.
    if (job.attempt > kind.backOffMs.length + 1)
      return { state: 'given-up', error: 'The server stopped each time while this ran.' };
    const timer = setTimeout(
      () => controller.abort(new Error(`It took longer than ${kind.timeoutMs / 1000} seconds.`)),
      kind.timeoutMs,
    );
    try {
      const outcome = await Promise.race([
        kind.run({
          id: job.id,
          object: job.object,
          dueAt: job.dueAt,
          attempt: job.attempt,
          signal,
          progress: text => void this.#options.jobs.progress(job.id, this.#name, text).catch(() => {}),
        }),
        aborted(signal),
      ]);
      return endOf(outcome);
    } catch (error) {
      if (running.isCancelled) return { state: 'cancelled' };
      const { message } = (signal.aborted ? signal.reason : error) as Error;
      return error instanceof GiveUpError ? { state: 'given-up', error: message } : failed(message);
    } finally {
      clearTimeout(timer);
    }
  }

  async #renew(): Promise<void> {
    const { jobs, clock } = this.#options;
    try {
      const own = await jobs.renew([...this.#running.keys()], this.#name, clock.wall() + leaseMs);
      // Another process has taken a job over, for example after this machine was asleep.
      for (const [id, { controller }] of this.#running)
        if (!own.has(id)) controller.abort(new Error('Another server has taken over this job.'));
    } catch {
      // The leases last longer than a short failure of the database.
    }
  }
}

function isEndedEarly({ state }: JobRecord): boolean {
  return state === 'given-up' || state === 'cancelled';
}

function reportFailure(error: Error): void {
  console.error(new Date().toISOString(), 'A cancelled job could not be recorded:', error.message);
}

function endOf(outcome: JobOutcome): TryEnd {
  return outcome.kind === 'done'
    ? { state: 'done', detail: outcome.detail }
    : { state: 'queued', runAt: outcome.until, isCounted: false, detail: outcome.detail };
}

/** Rejects once a signal aborts, so that work that ignores the signal cannot hold its place. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
