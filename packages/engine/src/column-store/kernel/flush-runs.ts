import { neutral } from './scan.ts';
import { tallyIn, type Totals } from './totals.ts';

/** Totals counted within runs, and their destinations. */
export interface Source {
  readonly from: Totals;
  /** Moves to cubes that have common axes, at each run's end, to the run's slots. */
  readonly atEachEnd: readonly Move[];
  /** Moves to cubes without common axes, once at the end. */
  readonly atTheEnd: readonly Move[];
}

export interface Move {
  readonly to: Totals;
  /** For a tally, the half that the destination needs. */
  readonly half?: 'counts' | 'sums';
  /** For each source cell, the destination cell if all common slots are 0. */
  readonly into: Int32Array;
  /** The stride of each common axis in the destination; 0 if the cube has no such axis. */
  readonly strides: readonly number[];
}

/** A move with one thread's buffers. */
interface OwnMove extends Move {
  /**
   * Scratch: current totals of this many consecutive cells. For a tally, the lower halves of its bits come
   * first, then the upper halves.
   */
  readonly now: Float64Array;
  /** The totals at the last move, for counters that are not reset between moves. */
  readonly seen: Float64Array | undefined;
}

/** Flushes what one thread counts within runs, in its own memory. */
export class Mover {
  readonly #memory: ArrayBufferLike;
  readonly #sources: readonly {
    readonly from: Totals;
    readonly atEachEnd: readonly OwnMove[];
    readonly atTheEnd: readonly OwnMove[];
  }[];

  constructor(memory: ArrayBufferLike, sources: readonly Source[]) {
    this.#memory = memory;
    this.#sources = sources.map(({ from, atEachEnd, atTheEnd }) => {
      const movesOften = atEachEnd.length > 0;
      // Totals that also have a destination at the end are moved there only once. At each run's end the
      // difference to the last flush is moved. For fractions the difference would not be exact.
      const countsOn = movesOften && atTheEnd.length > 0 && from.kind !== 'f64';
      const own = (move: Move, isKept: boolean): OwnMove => {
        const numbers =
          (1 + move.into.reduce((max, cell) => Math.max(max, cell), 0)) * (from.kind === 'tally' ? 2 : 1);
        return {
          ...move,
          now: new Float64Array(numbers),
          seen: isKept ? new Float64Array(numbers) : undefined,
        };
      };
      const [often, once] =
        movesOften && !countsOn ? [[...atEachEnd, ...atTheEnd], []] : [atEachEnd, atTheEnd];
      return {
        from,
        atEachEnd: often.map(move => own(move, countsOn)),
        atTheEnd: once.map(move => own(move, false)),
      };
    });
  }

  /**
   * Flushes the counts of a run at its end.
   * @param slots the run's slot on each common axis
   */
  endRun(slots: Int32Array): void {
    for (const { from, atEachEnd, atTheEnd } of this.#sources) {
      for (const move of atEachEnd)
        this.#move(
          from,
          move,
          move.strides.reduce((sum, stride, axis) => sum + stride * slots[axis]!, 0),
        );
      if (atEachEnd.length > 0 && atTheEnd.length === 0) this.#clear(from);
    }
  }

  /** Flushes and resets all counters, after the last run or before a tally could overflow. */
  end(): void {
    for (const { from, atEachEnd, atTheEnd } of this.#sources) {
      if (atTheEnd.length === 0) continue;
      for (const move of atTheEnd) this.#move(from, move, 0);
      this.#clear(from);
      for (const { seen } of atEachEnd) seen?.fill(0);
    }
  }

  #move(
    { offset, cells, kind, min, merge }: Totals,
    { to, half, into, now, seen }: OwnMove,
    start: number,
  ): void {
    now.fill(neutral(merge));
    if (kind === 'tally') addHalves(new Uint32Array(this.#memory, offset, cells * 2), into, now);
    else
      addUp(
        kind === 'i32'
          ? new Uint32Array(this.#memory, offset, cells)
          : new Float64Array(this.#memory, offset, cells),
        into,
        now,
        merge,
      );
    if (seen) subtract(now, seen);
    if (kind !== 'tally')
      return addTo(new Float64Array(this.#memory, to.read + start * 8, now.length), now, merge);
    const lower = now.subarray(0, now.length / 2);
    const upper = now.subarray(now.length / 2);
    const first = new Float64Array(this.#memory, to.read + start * 8, lower.length);
    const second =
      half === undefined
        ? new Float64Array(this.#memory, to.read + (to.cells + start) * 8, lower.length)
        : first;
    for (let cell = 0; cell < lower.length; cell++) {
      const { count, sum } = tallyIn(upper[cell]!, lower[cell]!);
      if (half !== 'sums') first[cell] = first[cell]! + count;
      if (half !== 'counts') second[cell] = second[cell]! + sum + min! * count;
    }
  }

  #clear({ offset, cells, kind, merge }: Totals): void {
    if (kind === 'f64') new Float64Array(this.#memory, offset, cells).fill(neutral(merge));
    else new Uint32Array(this.#memory, offset, kind === 'tally' ? cells * 2 : cells).fill(0);
  }
}

/** Adds up both halves separately, as doubles. `tallyIn` resolves the carry of the lower halves. */
function addHalves(halves: Uint32Array, into: Int32Array, now: Float64Array): void {
  const upper = now.length / 2;
  for (let cell = 0; cell < into.length; cell++) {
    const at = into[cell]!;
    now[at] = now[at]! + halves[cell * 2]!;
    now[upper + at] = now[upper + at]! + halves[cell * 2 + 1]!;
  }
}

function addUp(
  values: Uint32Array | Float64Array,
  into: Int32Array,
  now: Float64Array,
  merge: Totals['merge'],
): void {
  if (merge === 'add')
    for (let cell = 0; cell < into.length; cell++) now[into[cell]!] = now[into[cell]!]! + values[cell]!;
  else
    for (let cell = 0; cell < into.length; cell++)
      now[into[cell]!] = Math[merge](now[into[cell]!]!, values[cell]!);
}

function addTo(target: Float64Array, values: Float64Array, merge: Totals['merge']): void {
  if (merge === 'add')
    for (let cell = 0; cell < values.length; cell++) target[cell] = target[cell]! + values[cell]!;
  else
    for (let cell = 0; cell < values.length; cell++) target[cell] = Math[merge](target[cell]!, values[cell]!);
}

/** Replaces totals by their difference to the last flush, and remembers the totals. */
function subtract(now: Float64Array, seen: Float64Array): void {
  for (let cell = 0; cell < now.length; cell++) {
    const all = now[cell]!;
    now[cell] = all - seen[cell]!;
    seen[cell] = all;
  }
}
