import { noRun, chunkRows } from '../kernel/row-ranges.ts';
import { bitFieldKey, type BitField, type CubeAxis } from '../kernel/scan.ts';
import { zoneRows, type ZoneMap } from './zone-map.ts';

/** A field whose equal codes are adjacent, as the times of an append-only table are. */
export interface ClusteredField {
  readonly zones: ZoneMap;
  /** The word column that contains the field, one word per row. */
  readonly words: Uint32Array;
}

/** Row ranges with common slots, and the rows between them. */
export interface Runs {
  /** Row-major, runs × axes: the slot of each run on each axis. */
  readonly slots: Int32Array;
  readonly count: number;
  /** The number of rows inside runs. */
  readonly rows: number;
  /** All rows, in the format of `kernel/row-ranges.ts`. */
  readonly chunks: Int32Array;
}

/** Shorter runs are counted row by row, because flushing a run's counts at its end has a cost. */
const minRun = 256;
/**
 * The end of a run is searched row by row, unless more than one in this many blocks would have to be
 * searched.
 */
const maxMixed = 8;
const maxKept = 200;

/** Finds the row ranges of a table that have common slots. */
export class ClusteredRows {
  readonly #rows: number;
  readonly #fields: ReadonlyMap<string, ClusteredField>;
  readonly #kept = new Map<string, Runs | undefined>();
  readonly #names = new WeakMap<Int32Array, number>();
  #named = 0;

  /** @param fields by `bitFieldKey` */
  constructor(rows: number, fields: ReadonlyMap<string, ClusteredField>) {
    this.#rows = rows;
    this.#fields = fields;
  }

  with(fields: ReadonlyMap<string, ClusteredField>): ClusteredRows {
    return new ClusteredRows(this.#rows, new Map([...this.#fields, ...fields]));
  }

  zonesOf(bitField: BitField): ZoneMap | undefined {
    return this.#fields.get(bitFieldKey(bitField))?.zones;
  }

  /**
   * The runs along these axes; undefined if runs contain less than half of all rows. Cached, because
   * dashboards query the same axes repeatedly.
   */
  runsAlong(axes: readonly CubeAxis[]): Runs | undefined {
    if (axes.length === 0 || !axes.every(axis => this.#fields.has(bitFieldKey(axis.bitField))))
      return undefined;
    const key = axes.map(axis => `${bitFieldKey(axis.bitField)} ${this.#nameOf(axis.slots)}`).join();
    if (!this.#kept.has(key)) {
      if (this.#kept.size >= maxKept) this.#kept.clear();
      this.#kept.set(
        key,
        findRuns(
          this.#rows,
          axes.map(axis => ({ axis, field: this.#fields.get(bitFieldKey(axis.bitField))! })),
        ),
      );
    }
    return this.#kept.get(key);
  }

  #nameOf(slots: Int32Array): number {
    const name = this.#names.get(slots) ?? this.#named++;
    this.#names.set(slots, name);
    return name;
  }
}

interface Along {
  readonly axis: CubeAxis;
  readonly field: ClusteredField;
}

function findRuns(rows: number, along: readonly Along[]): Runs | undefined {
  const blocks = blockSlots(along);
  const count = Math.ceil(rows / zoneRows);
  let mixed = 0;
  for (let block = 0; block < count; block++) if (blocks[block * along.length] === noRun) mixed++;
  if (mixed * 2 > count) return undefined;
  const found = new RunWriter(along.length);
  for (let block = 0; block < count;) {
    const isMixed = blocks[block * along.length] === noRun;
    const end = isMixed ? block + 1 : endOfLike(blocks, block, along.length);
    const [from, below] = [block * zoneRows, Math.min(rows, end * zoneRows)];
    if (!isMixed)
      found.add(from, below, [...blocks.subarray(block * along.length, (block + 1) * along.length)]);
    else if (mixed * maxMixed <= count) scanLevel(from, below, along, found);
    else found.addMixed(from, below);
    block = end;
  }
  return found.runs();
}

/** For each block, the slot on each axis that all its rows share; `noRun` if the rows differ on any axis. */
function blockSlots(along: readonly Along[]): Int32Array {
  const blocks = new Int32Array(along[0]!.field.zones.min.length * along.length);
  along.forEach(
    (
      {
        axis: { slots },
        field: {
          zones: { min, max },
        },
      },
      axis,
    ) => {
      for (let block = 0; block < min.length; block++) {
        const at = block * along.length;
        if (blocks[at] === noRun) continue;
        let code = min[block]!;
        const slot = slots[code]!;
        // A block with many codes is scanned only up to its second slot.
        while (code < max[block]! && slots[code + 1] === slot) code++;
        blocks[at + axis] = slot;
        if (code < max[block]!) blocks[at] = noRun;
      }
    },
  );
  return blocks;
}

/** The first later block with different slots. */
function endOfLike(blocks: Int32Array, block: number, axes: number): number {
  const first = block * axes;
  let at = first + axes;
  while (at < blocks.length && blocks[at] === blocks[first + ((at - first) % axes)]) at++;
  return Math.floor(at / axes);
}

function scanLevel(from: number, below: number, along: readonly Along[], found: RunWriter): void {
  for (let row = from; row < below;) {
    const slots = along.map(one => slotAt(one, row));
    const end = along.reduce((min, one, i) => endOf(one, slots[i]!, row, min), below);
    if (end - row >= minRun || found.isGoingOn(slots)) found.add(row, end, slots);
    else found.addMixed(row, end);
    row = end;
  }
}

function slotAt({ axis: { bitField, slots }, field: { words } }: Along, row: number): number {
  return slots[(words[row]! >>> bitField.shift) & bitField.mask]!;
}

/** The row below which the rows with this slot end. */
function endOf(
  { axis: { bitField, slots }, field: { words } }: Along,
  slot: number,
  from: number,
  below: number,
): number {
  const { shift, mask } = bitField;
  let row = from;
  while (row < below && slots[(words[row]! >>> shift) & mask] === slot) row++;
  return row;
}

class RunWriter {
  readonly #axes: number;
  readonly #slots: number[] = [];
  readonly #chunks: number[] = [];
  #rows = 0;

  constructor(axes: number) {
    this.#axes = axes;
  }

  /** Whether the last recorded run has these slots. */
  isGoingOn(slots: readonly number[]): boolean {
    const last = this.#slots.length - this.#axes;
    return last >= 0 && slots.every((slot, i) => this.#slots[last + i] === slot);
  }

  add(from: number, below: number, slots: readonly number[]): void {
    if (!this.isGoingOn(slots)) this.#slots.push(...slots);
    this.#rows += below - from;
    this.#chunk(from, below, this.#slots.length / this.#axes - 1);
  }

  addMixed(from: number, below: number): void {
    this.#chunk(from, below, noRun);
  }

  runs(): Runs {
    return {
      slots: Int32Array.from(this.#slots),
      count: this.#slots.length / this.#axes,
      rows: this.#rows,
      chunks: Int32Array.from(this.#chunks),
    };
  }

  #chunk(from: number, below: number, run: number): void {
    const last = this.#chunks.length - 3;
    if (last >= 0 && this.#chunks[last + 2] === run && below - this.#chunks[last]! <= chunkRows)
      this.#chunks[last + 1] = below;
    else
      for (let begin = from; begin < below; begin += chunkRows)
        this.#chunks.push(begin, Math.min(below, begin + chunkRows), run);
  }
}
