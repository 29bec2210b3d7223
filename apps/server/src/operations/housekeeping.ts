import { setTimeout as sleep } from 'node:timers/promises';
import type { JobKind } from '../jobs/job-kind.ts';
import type { WallClock } from '../state/database/wall-clock.ts';

/** The kind of the job that deletes expired data, every hour. */
export const cleanUpKind = 'clean-up';
export const cleanUpEveryMs = 60 * 60_000;
const minute = 60_000;

/** Deletes one sort of expired data. */
export interface CleanUpTask {
  /** What it deletes, for the progress and the errors in the list of jobs. */
  readonly name: string;
  /** @param now wall-clock time, ms */
  run(now: number): Promise<void>;
}

interface Options {
  readonly periodMs?: number;
  /**
   * How long a job may be late before the tasks run without one. On a full disk no job can be added, and the
   * work that makes room would wait for ever.
   */
  readonly waitsForJobMs?: number;
}

/**
 * Deletes expired data at start and every hour, by a job where there are jobs, but only while the wall clock
 * is trusted. A task that fails, for example on a full disk, runs again an hour later at the latest; until
 * then `problem` says why.
 */
export class Housekeeping {
  readonly #clock: WallClock;
  readonly #tasks: readonly CleanUpTask[];
  readonly #latestMs: number;
  readonly #stop = new AbortController();
  readonly #watching: Promise<void>;
  /** Why tasks failed when they last ran, by their names. */
  readonly #failures = new Map<string, string>();
  /** When the tasks last ran, as `performance.now()`. */
  #ranAt = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;

  constructor(
    clock: WallClock,
    tasks: readonly CleanUpTask[],
    { periodMs = cleanUpEveryMs, waitsForJobMs = 0 }: Options = {},
  ) {
    this.#clock = clock;
    this.#tasks = [...tasks, { name: 'clock', run: () => clock.keep() }];
    this.#latestMs = periodMs + waitsForJobMs;
    this.#watching = this.#watch(waitsForJobMs);
  }

  /** Why expired data is not deleted at the moment; undefined if it is. */
  get problem(): string | undefined {
    const [first] = this.#failures.values();
    return first && `${first} Belvedere tries again every hour.`;
  }

  /** The job that runs the tasks. It cannot be paused: data that expires must expire. */
  job(): JobKind {
    return {
      kind: cleanUpKind,
      atOnce: 1,
      timeoutMs: 10 * minute,
      backOffMs: [5 * minute, 15 * minute],
      keptMs: 7 * 24 * 60 * minute,
      canPause: false,
      run: async ({ progress }) => {
        await this.#runOnce(progress);
        if (!this.#clock.isTrusted())
          return { kind: 'done', detail: 'Nothing was deleted: the clock was set a short time ago' };
        if (this.#failures.size === 0) return { kind: 'done', detail: 'Expired data deleted' };
        throw new Error([...this.#failures].map(([name, reason]) => `${name}: ${reason}`).join(' '));
      },
    };
  }

  /** Resolves when the running task has ended. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#watching;
    await this.#running;
  }

  /** Runs the tasks whenever no job has. */
  async #watch(firstMs: number): Promise<void> {
    const { signal } = this.#stop;
    const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => {});
    if (firstMs > 0) await pause(firstMs);
    while (!signal.aborted) {
      if (performance.now() - this.#ranAt >= this.#latestMs) await this.#runOnce();
      await pause(Math.max(1, this.#ranAt + this.#latestMs - performance.now()));
    }
  }

  /** One run at a time: a second call waits for the one under way. */
  async #runOnce(progress: (text: string) => void = () => {}): Promise<void> {
    this.#running ??= this.#run(progress).finally(() => {
      this.#ranAt = performance.now();
      this.#running = undefined;
    });
    await this.#running;
  }

  async #run(progress: (text: string) => void): Promise<void> {
    for (const [i, { name, run }] of this.#tasks.entries()) {
      if (this.#stop.signal.aborted || !this.#clock.isTrusted()) return;
      progress(`${name} (${i + 1} of ${this.#tasks.length})`);
      await run(this.#clock.wall()).then(
        () => this.#failures.delete(name),
        (error: unknown) => this.#note(name, error),
      );
    }
  }

  #note(name: string, error: unknown): void {
    const { message } = error as Error;
    console.error(new Date().toISOString(), 'Old records could not be deleted:', message);
    this.#failures.set(name, `${message}${/[.!?]$/.test(message) ? '' : '.'}`);
  }
}
