import type { Axis, Channel, Gaps, PartsExpression, ShowAs } from '@belvedere/query';
import { float64, int32, tableFromArrays, tableFromIPC, tableToIPC, type Table } from '@uwdata/flechette';
import type { Problem } from './problem.ts';
import type { Sparklines } from './tables.ts';

/** Which of a tile's questions an answer belongs to. */
export type TilePart = 'main' | 'spark' | 'previous' | PivotPart;
/** The totals of a pivot along the first so many of its rows and of its columns: `r1c0`. */
export type PivotPart = `r${number}c${number}`;

/** What goes before the numbers of one answer in a stream of answers. */
export type FrameHeader = CellsHeader | IndexHeader | UnmovedHeader | RowsHeader | ProblemHeader | EndHeader;

export interface CellsHeader {
  readonly kind: 'cells';
  readonly tile: string;
  readonly part: TilePart;
  /** `base`: under the filters alone. `filtered`: under the other tiles' selections too. */
  readonly scope: 'base' | 'filtered';
  readonly axes: readonly NamedAxis[];
  readonly merges: readonly Merge[];
  readonly values: readonly PartsExpression[];
  /** For each value, what is drawn in its place. */
  readonly show?: readonly (ShowAs | null)[];
  readonly notes: readonly TileNote[];
  /** From so many rows of all there are, sums scaled up; the exact answer follows. */
  readonly sampled?: Sampled;
  /** The filters leave no row of the table: where every value is 0 and this is not said, 0 is what the rows come to. */
  readonly isOfNoRows?: boolean;
  readonly engineMs: number;
}

export interface Sampled {
  readonly rows: number;
  readonly of: number;
}

/** An axis as a tile has it. `gaps`: what stands where a measure has no value along it. */
export type NamedAxis = Axis & { readonly channel: Channel; readonly gaps?: Gaps };
export type Merge = 'sum' | 'min' | 'max' | 'ask';

/** Something the tile must say on its face. */
export type TileNote =
  | { readonly kind: 'not-applied'; readonly field: string }
  | { readonly kind: 'coarser'; readonly field: string; readonly unit: string }
  | { readonly kind: 'compared'; readonly from: number; readonly below: number }
  | { readonly kind: 'nothing-to-compare' }
  /** What it is compared with is not in the file of an offline page. */
  | { readonly kind: 'comparison-not-offline' }
  /** Where a measure has no value along a field, another stands in its place. */
  | { readonly kind: 'filled'; readonly field: string; readonly gaps: Gaps }
  /** The source is away; this is what it answered last, at that time (ms since 1970). */
  | { readonly kind: 'last-answer'; readonly at: number };

/** A brush index: the passive tile's parts for every step of the active tile's axes. Groups run over `brush` first, then `axes`. */
export interface IndexHeader {
  readonly kind: 'index';
  readonly active: string;
  readonly tile: string;
  readonly part: TilePart;
  readonly brush: readonly NamedAxis[];
  /** Fields of the active tile that the passive one's model has not: what is selected of them does not bind it. */
  readonly unbound: readonly string[];
  /** Its steps are fewer than the brush's: with those it would not fit. */
  readonly isCoarse?: boolean;
  readonly axes: readonly NamedAxis[];
  readonly merges: readonly Merge[];
  /** The part that counts rows, for a page that cannot ask a server whether any are left. */
  readonly rowsPart?: number;
}

/** In place of an index: whatever is selected on the active tile, the tile stays as it is, since its model has none of those fields. */
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
  /** Of a table of measures: what all rows come to. */
  readonly totals?: readonly (string | number | boolean | null)[];
  readonly courses?: Sparklines;
  /** What tells a scatter's points apart, their colour and the panel they lie in: the values of these axes are its third column and those after it. */
  readonly axes?: readonly NamedAxis[];
  readonly notes: readonly TileNote[];
}

export interface ProblemHeader {
  readonly kind: 'problem';
  readonly tile: string;
  /** What could not be answered: the tile, or only what is selected. */
  readonly scope: 'base' | 'filtered';
  readonly problem: Problem;
}

export interface EndHeader {
  readonly kind: 'end';
  readonly dataTime?: string;
  /** The filters as they were applied, relative ranges resolved. */
  readonly applied: Readonly<Record<string, string>>;
}

/** The numbers: which group, and its parts. NaN is null; a part of whole numbers that are all there may have half the bytes. */
export interface Cells {
  readonly groups: Int32Array;
  readonly parts: readonly (Float64Array | Int32Array)[];
}

export interface Frame {
  readonly header: FrameHeader;
  readonly cells?: Cells;
}

/**
 * Frame on the wire: length of the header and of the numbers (uint32, little-endian), the header as JSON, the numbers as one Arrow IPC stream.
 * Spaces after the JSON let the numbers begin at a multiple of eight, as Arrow's doubles must, so that they can be read where they arrive.
 * @returns its bytes in pieces, to be sent one after another: large columns are not copied, so that they last as long as the cells do
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

/** What is less than this is copied rather than sent by itself. */
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

/** Reads frames as they arrive: of a stream, its `streamChunks`. @throws RangeError where the stream ends inside a frame: a short answer is never taken for a whole one. */
export async function* decodeFrames(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Frame> {
  const arrived: Uint8Array[] = [];
  let bytes = 0;
  // How much must be there before anything can be read: the two lengths, then the frame they announce.
  let needed = 8;
  for await (const chunk of chunks) {
    arrived.push(chunk);
    bytes += chunk.length;
    // A large frame comes in many chunks: they are put together once, when it is whole.
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
        // A copy begins at a multiple of eight.
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
  // Typed arrays are taken as they are; with types beside them each value would be looked at. Empty ones have no type of their own.
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

/** Undefined where a number is not whole, is none, or is too large. */
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

/** A column as it lies in the message where it can. */
function numbersOf(table: Table, name: string): Float64Array | Int32Array {
  const values = table.getChild(name).toArray();
  if (values instanceof Int32Array || values instanceof Float64Array) return values;
  return name === 'group'
    ? Int32Array.from(values as ArrayLike<number>)
    : Float64Array.from(values as ArrayLike<number>);
}
