import { setTimeout as sleep } from 'node:timers/promises';
import type { WallClock } from './state/wall-clock.ts';

const everyMs = 60 * 60_000;

/**
 * Deletes expired data at start and every hour, but only while the wall clock is trusted.
 * A task that fails, for example on a full disk, runs again an hour later; until then `problem` says why.
 */
export class Housekeeping {
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  /** Why tasks failed when they last ran. */
  readonly #failures = new Map<object, string>();

  /** @param tasks receive the wall-clock time, ms */
  constructor(clock: WallClock, tasks: readonly ((now: number) => Promise<void>)[], periodMs = everyMs) {
    this.#running = this.#run(clock, tasks, periodMs);
  }

  /** Why expired data is not deleted at the moment; undefined if it is. */
  get problem(): string | undefined {
    const [first] = this.#failures.values();
    return first && `${first} Belvedere tries again every hour.`;
  }

  /** Resolves when the running task has ended. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(
    clock: WallClock,
    tasks: readonly ((now: number) => Promise<void>)[],
    periodMs: number,
  ): Promise<void> {
    const { signal } = this.#stop;
    const all = [...tasks, () => clock.keep()];
    while (!signal.aborted) {
      for (const task of all) {
        if (signal.aborted || !clock.isTrusted()) break;
        await task(clock.wall()).then(
          () => this.#failures.delete(task),
          (error: unknown) => this.#note(task, error),
        );
      }
      await sleep(periodMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  #note(task: object, error: unknown): void {
    const { message } = error as Error;
    console.error(new Date().toISOString(), 'Old records could not be deleted:', message);
    this.#failures.set(task, `${message}${/[.!?]$/.test(message) ? '' : '.'}`);
  }
}
