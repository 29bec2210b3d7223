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

  constructor(state: StateDatabase, source: Source = machine) {
    this.#state = state;
    this.#source = source;
    this.#base = { wall: source.wall(), elapsed: source.elapsed() };
    this.#kept = state.get<{ seen: number }>('select seen from clock')?.seen;
    if (this.#kept !== undefined && Math.abs(this.#base.wall - this.#kept) > likelyOffMs)
      this.#doubtedSince = this.#base.elapsed;
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
  keep(): void {
    if (!this.isTrusted()) return;
    const wall = this.wall();
    this.#state.run(
      this.#kept === undefined ? 'insert into clock (seen) values (?)' : 'update clock set seen = ?',
      wall,
    );
    this.#kept = wall;
  }
}
