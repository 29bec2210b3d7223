import { setTimeout as sleep } from 'node:timers/promises';
import type { WallClock } from './state/wall-clock.ts';

const everyMs = 60 * 60_000;

/**
 * Deletes expired data at start and every hour, but only while the wall clock is trusted.
 * A task that fails, for example on a full disk, runs again an hour later.
 */
export class Housekeeping {
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  /** @param tasks receive the wall-clock time, ms */
  constructor(clock: WallClock, tasks: readonly ((now: number) => Promise<void>)[], periodMs = everyMs) {
    this.#running = this.#run(clock, tasks, periodMs);
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
    while (!signal.aborted) {
      for (const task of [...tasks, () => clock.keep()]) {
        if (signal.aborted || !clock.isTrusted()) break;
        await task(clock.wall()).catch(report);
      }
      await sleep(periodMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }
}

function report(error: unknown): void {
  console.error(new Date().toISOString(), 'Old records could not be deleted:', (error as Error).message);
}
