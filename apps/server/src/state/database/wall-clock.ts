import os from 'node:os';
import type { StateDatabase } from './state-database.ts';

/** A machine's two clocks: the wall clock, which may be set, and a monotonic one. Both in ms. */
export interface Clock {
  wall(): number;
  /** Monotonic; advances during sleep, and regardless of changes to the wall clock. */
  elapsed(): number;
  /** Whether the wall clock is trusted. Only then are things deleted for their age. */
  isTrusted(): boolean;
}

/** The longest plausible downtime; the actual one is unknown. */
const likelyOffMs = 14 * 86_400_000;
/** The two clocks may drift apart by this much before the wall clock counts as set. */
const driftMs = 60 * 60_000;
/** A changed wall clock is trusted again once it has been steady for this long. */
const steadyMs = 60 * 60_000;

type Source = Pick<Clock, 'wall' | 'elapsed'>;

const machine: Source = { wall: () => Date.now(), elapsed: () => os.uptime() * 1000 };

/**
 * A wall clock that is distrusted once it jumps by more than an hour, or differs from the last run by more
 * than two weeks, until it has been steady for an hour.
 * A machine that boots with a clock ten years ahead, corrected a minute later, deletes nothing in between.
 */
export class WallClock implements Clock {
  readonly #state: StateDatabase;
  readonly #source: Source;
  #base: { readonly wall: number; readonly elapsed: number };
  #doubtedSince: number | undefined;
  #kept: number | undefined;

  private constructor(state: StateDatabase, source: Source, kept: number | undefined) {
    this.#state = state;
    this.#source = source;
    this.#base = { wall: source.wall(), elapsed: source.elapsed() };
    this.#kept = kept;
    if (kept !== undefined && Math.abs(this.#base.wall - kept) > likelyOffMs)
      this.#doubtedSince = this.#base.elapsed;
  }

  /** Starts from the time of the last run. */
  static async start(state: StateDatabase, source: Source = machine): Promise<WallClock> {
    const kept = await state.db.selectFrom('clock').select('seen').executeTakeFirst();
    return new WallClock(state, source, kept?.seen);
  }

  wall(): number {
    return this.#source.wall();
  }

  elapsed(): number {
    return this.#source.elapsed();
  }

  isTrusted(): boolean {
    const [wall, elapsed] = [this.wall(), this.elapsed()];
    const isSet = Math.abs(wall - this.#base.wall - (elapsed - this.#base.elapsed)) > driftMs;
    this.#base = { wall, elapsed };
    if (isSet) this.#doubtedSince = elapsed;
    if (this.#doubtedSince !== undefined && elapsed - this.#doubtedSince < steadyMs) return false;
    this.#doubtedSince = undefined;
    return true;
  }

  /** Saves the time for the next start, unless the clock is distrusted. */
  async keep(): Promise<void> {
    if (!this.isTrusted()) return;
    const seen = this.wall();
    if (this.#kept === undefined) await this.#state.db.insertInto('clock').values({ seen }).execute();
    else await this.#state.db.updateTable('clock').set({ seen }).execute();
    this.#kept = seen;
  }
}
