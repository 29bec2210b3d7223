import os from 'node:os';
import type { StateDatabase } from './state-database.ts';

/**
 * The two clocks of a machine: the one on the wall, which may be set, and one that only ever goes on. Both in
 * ms.
 */
export interface Clock {
  wall(): number;
  /** Goes on while the machine sleeps, and whatever is done to the other. */
  elapsed(): number;
  /** Whether the wall clock can be believed: things are deleted for their age only then. */
  isTrusted(): boolean;
}

/** Nobody can tell how long Belvedere was off; so much is likely. */
const likelyOffMs = 14 * 86_400_000;
/** By how much the two clocks may drift apart before the wall clock was set. */
const driftMs = 60 * 60_000;
/** A clock that was set is believed once it has been steady for so long. */
const steadyMs = 60 * 60_000;

type Source = Pick<Clock, 'wall' | 'elapsed'>;

const machine: Source = { wall: () => Date.now(), elapsed: () => os.uptime() * 1000 };

/**
 * A wall clock that is doubted after it was set by more than an hour, or since Belvedere was last open by more
 * than two weeks, until it has been
 * steady for an hour. A machine that boots ten years ahead, and is put right a minute later, deletes nothing in
 * between.
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

  /** Remembers the time for the next start, unless it is doubted. */
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
