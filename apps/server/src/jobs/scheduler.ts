import type { JobRecords } from '../state/administration/jobs.ts';
import type { Clock } from '../state/database/wall-clock.ts';
import { latestDue, nextDue, type Schedule } from './due-times.ts';
import type { JobRunner } from './job-runner.ts';

/** The longest wait between two looks at the clock, which also finds that it was set. */
const lookMs = 30_000;
/** Due times that become jobs in one transaction. */
const dueAtOnce = 200;

export interface Scheduled {
  /** What is due, such as the ID of an alert. */
  readonly object: string;
  readonly schedule: Schedule;
}

interface Entry extends Scheduled {
  readonly kind: string;
  /** Up to when due times have become jobs. */
  seenTo: number;
}

interface Options {
  readonly jobs: JobRecords;
  readonly runner: Pick<JobRunner, 'enqueue'>;
  readonly clock: Pick<Clock, 'wall' | 'isTrusted'>;
}

/**
 * Makes one job of each due time, over restarts and changes of the clock. Of several due times that passed
 * while the server was down, or whose jobs wait, the last one runs. Nothing is due while the clock is not trusted.
 */
export class Scheduler {
  readonly #options: Options;
  readonly #entries = new Map<string, Entry>();
  #timer: NodeJS.Timeout | undefined;
  #turn: Promise<void> = Promise.resolve();
  #isStarted = false;
  #isClosed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  start(): void {
    this.#isStarted = true;
    this.#soon(0);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#turn;
  }

  /**
   * Replaces the schedules of a kind. A new schedule is due from now on, and one that has changed, too; one
   * that is known from an earlier run is due from where that ended.
   */
  setSchedules(kind: string, all: readonly Scheduled[]): Promise<void> {
    return this.#inTurn(async () => {
      const { jobs, clock } = this.#options;
      const seen = await jobs.seenTo(kind);
      const now = clock.wall();
      const kept = new Set<string>();
      for (const { object, schedule } of all) {
        const key = keyOf(kind, object);
        kept.add(key);
        const before = this.#entries.get(key);
        const isChanged = before !== undefined && !isSame(before.schedule, schedule);
        const seenTo = isChanged ? now : (before?.seenTo ?? seen.get(object) ?? now);
        this.#entries.set(key, { kind, object, schedule, seenTo });
        if (isChanged || !seen.has(object)) await jobs.markSeen(kind, object, seenTo);
      }
      for (const [key, entry] of this.#entries)
        if (entry.kind === kind && !kept.has(key)) this.#entries.delete(key);
      const isKept = new Set(all.map(({ object }) => object));
      for (const object of seen.keys()) if (!isKept.has(object)) await jobs.forgetSchedule(kind, object);
    }).then(() => this.#soon(0));
  }

  /** Returns when an object is due next, ms since 1970; undefined if it has no schedule. */
  nextDue(kind: string, object: string): number | undefined {
    const entry = this.#entries.get(keyOf(kind, object));
    return entry && nextDue(entry.schedule, Math.max(entry.seenTo, this.#options.clock.wall()));
  }

  /** Makes jobs of what is due. */
  tick(): Promise<void> {
    return this.#inTurn(() => this.#tick());
  }

  async #tick(): Promise<void> {
    const { jobs, runner, clock } = this.#options;
    if (!clock.isTrusted()) return;
    const now = clock.wall();
    const due: { readonly entry: Entry; readonly at: number }[] = [];
    for (const entry of this.#entries.values()) {
      // After the clock was set back, nothing runs twice. One that was a day ahead was wrong.
      if (entry.seenTo > now + 86_400_000) entry.seenTo = now;
      const at = latestDue(entry.schedule, entry.seenTo, now);
      if (at !== undefined) due.push({ entry, at });
    }
    for (let i = 0; i < due.length; i += dueAtOnce) {
      const some = due.slice(i, i + dueAtOnce);
      await jobs.transaction(async () => {
        for (const {
          entry: { kind, object },
          at,
        } of some) {
          const key = `${kind}:${object}:${new Date(at).toISOString()}`;
          // Of several that wait, as of several that were missed, the last one runs.
          await jobs.deleteUnbegun(kind, object, at);
          await runner.enqueue({ kind, object, dueAt: at, key });
          await jobs.markSeen(kind, object, at);
        }
      });
      for (const { entry, at } of some) entry.seenTo = at;
    }
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch((error: Error) =>
      console.error(new Date().toISOString(), 'Schedules could not be followed:', error.message),
    );
    return turn;
  }

  #soon(ms: number): void {
    if (!this.#isStarted || this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const isTrusted = this.#options.clock.isTrusted();
      void this.tick()
        .then(() => (isTrusted ? this.#waitMs() : lookMs))
        .catch(() => lookMs)
        .then(ms => this.#soon(ms));
    }, ms);
    this.#timer.unref();
  }

  #waitMs(): number {
    const now = this.#options.clock.wall();
    let next = now + lookMs;
    for (const { schedule, seenTo } of this.#entries.values())
      next = Math.min(next, nextDue(schedule, seenTo) ?? next);
    return Math.max(50, next - now);
  }
}

const keyOf = (kind: string, object: string) => `${kind} ${object}`;

function isSame(one: Schedule, other: Schedule): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
