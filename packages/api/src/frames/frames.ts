import type { Axis, Channel, Gaps, PartsExpression, ShowAs, TileNote } from '@belvedere/query';

export type { TileNote };
import { float64, int32, tableFromArrays, tableFromIPC, tableToIPC, type Table } from '@uwdata/flechette';
import type { Problem } from '../problems/problem.ts';
import type { Sparklines } from '../endpoints/data/tables.ts';

/** The query of a tile that a result belongs to. */
export type TilePart = 'main' | 'spark' | 'previous' | PivotPart;
/** A pivot's totals along a prefix of its rows and columns, by their numbers: `r1c0`. */
export type PivotPart = `r${number}c${number}`;

/** The header before the numbers of one result in a stream. */
export type FrameHeader = CellsHeader | IndexHeader | UnmovedHeader | RowsHeader | ProblemHeader | EndHeader;

export interface CellsHeader {
  readonly kind: 'cells';
  readonly tile: string;
  readonly part: TilePart;
  /** `base`: with filters only. `filtered`: with other tiles' selections too. */
  readonly scope: 'base' | 'filtered';
  readonly axes: readonly NamedAxis[];
  readonly merges: readonly Merge[];
  readonly values: readonly PartsExpression[];
  /** The table calculation of each value. */
  readonly show?: readonly (ShowAs | null)[];
  readonly notes: readonly TileNote[];
  /** The sample that the values come from, with sums scaled up. The exact result follows. */
  readonly sampled?: Sampled;
  /** The filters match no row of the table. If all values are 0 and this is not set, 0 is the true result. */
  readonly isOfNoRows?: boolean;
  readonly engineMs: number;
}

export interface Sampled {
  readonly rows: number;
  readonly of: number;
}

/** An axis of a tile. `gaps`: how to fill missing values along it. */
export type NamedAxis = Axis & { readonly channel: Channel; readonly gaps?: Gaps };
export type Merge = 'sum' | 'min' | 'max' | 'none';

/**
 * A brush index: the passive tile's parts for every step of the active tile's axes. Groups number `brush`
 * first, then `axes`.
 */
export interface IndexHeader {
  readonly kind: 'index';
  readonly active: string;
  readonly tile: string;
  readonly part: TilePart;
  readonly brush: readonly NamedAxis[];
  /** Fields of the active tile that the passive tile's model lacks. Selections of them do not bind it. */
  readonly unbound: readonly string[];
  /** Whether the index has fewer steps than the brush, because it would not fit otherwise. */
  readonly isCoarse?: boolean;
  /** Whether its axes are too many for running totals: a static site then scans its cells. */
  readonly isSparse?: boolean;
  readonly axes: readonly NamedAxis[];
  readonly merges: readonly Merge[];
  /** The part that counts rows, with which an offline page detects an empty result. */
  readonly rowsPart?: number;
}

/**
 * Sent instead of an index: no selection on the active tile changes this tile, because its model lacks all of
 * the fields.
 */
export interface UnmovedHeader {
  readonly kind: 'unmoved';
  readonly active: string;
  readonly tile: string;
}

export interface RowsHeader {
  readonly kind: 'rows';
  readonly tile: string;
  readonly scope: 'base' | 'filtered';
  readonly total: number;
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly label?: string;
    readonly format?: string;
  }[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
  /** For a table of measures: the totals over all rows. */
  readonly totals?: readonly (string | number | boolean | null)[];
  /** For a table tile: the columns whose values name a row. */
  readonly key?: readonly string[];
  readonly sparklines?: Sparklines;
  /**
   * The axes of a scatter's colour, shape and panels. Their values are the rows' third and following columns.
   */
  readonly axes?: readonly NamedAxis[];
  readonly notes: readonly TileNote[];
}

export interface ProblemHeader {
  readonly kind: 'problem';
  readonly tile: string;
  /** The scope of the failed query: the tile, or only its selection. */
  readonly scope: 'base' | 'filtered';
  readonly problem: Problem;
}

export interface EndHeader {
  readonly kind: 'end';
  readonly dataTime?: string;
  /** The filters as applied, with relative ranges resolved. */
  readonly applied: Readonly<Record<string, string>>;
}

/**
 * The numbers: group index and parts. NaN is null. A part of integers without nulls may be an Int32Array, at
 * half the size.
 */
export interface Cells {
  readonly groups: Int32Array;
  readonly parts: readonly (Float64Array | Int32Array)[];
}

export interface Frame {
  readonly header: FrameHeader;
  readonly cells?: Cells;
}

/**
 * Encodes a frame: the lengths of header and numbers (uint32, little-endian), the header as JSON, and the
 * numbers as an Arrow IPC stream. Spaces after the JSON align the numbers to eight bytes, as Arrow's doubles
 * require, so that a receiver can read them without a copy.
 * @returns the bytes in pieces, to be sent in order. Large columns are not copied, so they share memory with
 *   the cells.
 */
export function encodeFrame({ header, cells }: Frame): Uint8Array[] {
  const text = new TextEncoder().encode(JSON.stringify(header) + ' '.repeat(7));
  const json = text.subarray(0, cells ? Math.floor(text.length / 8) * 8 : text.length - 7);
  const arrow = cells ? encodeCells(cells) : [];
  const lengths = new Uint8Array(8);
  new DataView(lengths.buffer).setUint32(0, json.length, true);
  new DataView(lengths.buffer).setUint32(4, lengthOf(arrow), true);
  return smallJoined([lengths, json, ...arrow]);
}

/** Smaller pieces are copied together instead of sent separately. */
const smallBytes = 2 ** 16;

function smallJoined(pieces: readonly Uint8Array[]): Uint8Array[] {
  const joined: Uint8Array[] = [];
  let small: Uint8Array[] = [];
  const flush = () => {
    if (small.length > 0) joined.push(join(small, lengthOf(small)));
    small = [];
  };
  for (const piece of pieces) {
    if (piece.length < smallBytes) small.push(piece);
    else {
      flush();
      joined.push(piece);
    }
  }
  flush();
  return joined;
}

function lengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/**
 * Decodes frames from the chunks of a stream (`streamChunks`) as they arrive.
 * @throws RangeError if the stream ends inside a frame, so that a truncated result never passes for a whole
 *   one
 */
export async function* decodeFrames(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Frame> {
  const arrived: Uint8Array[] = [];
  let bytes = 0;
  // The number of bytes needed next: the two lengths, then the frame of that size.
  let needed = 8;
  for await (const chunk of chunks) {
    arrived.push(chunk);
    bytes += chunk.length;
    // A large frame arrives in many chunks, which are joined once it is complete.
    while (bytes >= needed) {
      const joined = join(arrived, bytes);
      const view = new DataView(joined.buffer, joined.byteOffset);
      const jsonLength = view.getUint32(0, true);
      const end = 8 + jsonLength + view.getUint32(4, true);
      if (bytes < end) needed = end;
      else {
        const header = JSON.parse(
          new TextDecoder().decode(joined.subarray(8, 8 + jsonLength)),
        ) as FrameHeader;
        const numbersAt = 8 + jsonLength;
        // The copy is aligned to eight bytes.
        const numbers =
          (joined.byteOffset + numbersAt) % 8 === 0
            ? joined.subarray(numbersAt, end)
            : joined.slice(numbersAt, end);
        yield end > numbersAt ? { header, cells: decodeCells(numbers) } : { header };
        needed = 8;
      }
      const rest = needed === 8 ? joined.subarray(end) : joined;
      arrived.splice(0, arrived.length, ...(rest.length > 0 ? [rest] : []));
      bytes = rest.length;
    }
  }
  if (bytes > 0) throw new RangeError('The response was incomplete.');
}

function join(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  if (chunks.length === 1) return chunks[0]!;
  const joined = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return joined;
}

function encodeCells({ groups, parts }: Cells): Uint8Array[] {
  const columns = {
    group: groups,
    ...Object.fromEntries(parts.map((part, i) => [`part${i}`, wholeNumbers(part) ?? part])),
  };
  // Without explicit types, typed arrays are used directly instead of value by value. Empty ones need
  // explicit types.
  const types =
    groups.length > 0
      ? undefined
      : { group: int32(), ...Object.fromEntries(parts.map((_, i) => [`part${i}`, float64()])) };
  const pieces: Uint8Array[] = [];
  const sink = {
    write: (bytes: Uint8Array) => void pieces.push(bytes),
    pad: (bytes: number) => void pieces.push(new Uint8Array(bytes)),
    finish: () => null,
  };
  tableToIPC(tableFromArrays(columns, types ? { types } : {}), { format: 'stream', sink });
  return pieces;
}

/** Converts a part to integers; undefined if a value is not an integer, is NaN, or is too large. */
function wholeNumbers(part: Float64Array | Int32Array): Int32Array | undefined {
  if (part instanceof Int32Array) return part;
  if (!part.every(number => Object.is(number | 0, number))) return undefined;
  return new Int32Array(part);
}

function decodeCells(bytes: Uint8Array): Cells {
  const table = tableFromIPC(bytes);
  const parts: (Float64Array | Int32Array)[] = [];
  for (let i = 0; table.names.includes(`part${i}`); i++) parts.push(numbersOf(table, `part${i}`));
  return { groups: numbersOf(table, 'group') as Int32Array, parts };
}

/** Returns a column without a copy if possible. */
function numbersOf(table: Table, name: string): Float64Array | Int32Array {
  const values = table.getChild(name).toArray();
  if (values instanceof Int32Array || values instanceof Float64Array) return values;
  return name === 'group'
    ? Int32Array.from(values as ArrayLike<number>)
    : Float64Array.from(values as ArrayLike<number>);
}
