import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { UnpackedBytes } from '../archives/unpacked-bytes.ts';

/** The columns of a file with SQL types, and the number of its rows, which are written as lines of JSON. */
export interface TypedLines {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: number;
  /** In bytes. */
  readonly longestLine: number;
  readonly notes: readonly string[];
}

/** In characters: lines are written together. */
const pieceLength = 2 ** 16;

/** Writes lines to a file as they come, and counts them. */
export async function writeLines(
  target: string,
  lines: Iterable<string> | AsyncIterable<string>,
  produced: UnpackedBytes,
): Promise<Pick<TypedLines, 'rows' | 'longestLine'>> {
  let [rows, longestLine] = [0, 0];
  async function* pieces() {
    let piece = '';
    for await (const line of lines) {
      const bytes = Buffer.byteLength(line) + 1;
      produced.add(bytes);
      longestLine = Math.max(longestLine, bytes);
      rows++;
      piece += `${line}\n`;
      if (piece.length < pieceLength) continue;
      yield piece;
      piece = '';
    }
    yield piece;
  }
  await pipeline(pieces, createWriteStream(target));
  return { rows, longestLine };
}

export function structType(fields: readonly { readonly name: string; readonly type: string }[]): string {
  return `STRUCT(${fields.map(({ name, type }) => `"${name.replaceAll('"', '""')}" ${type}`).join(', ')})`;
}

/** A decimal from an integer and its scale. */
export function decimalText(value: unknown, scale: number): string {
  const digits = String(value);
  if (scale <= 0) return digits + '0'.repeat(digits === '0' ? 0 : -scale);
  const [sign, size] = digits.startsWith('-') ? ['-', digits.slice(1)] : ['', digits];
  const padded = size.padStart(scale + 1, '0');
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

/**
 * @param perSecond ticks per second
 * @returns a UTC timestamp in SQL notation, with at most six decimals; clamped to the range of timestamps
 */
export function momentText(value: bigint, perSecond: bigint): string {
  const seconds = value / perSecond - (value % perSecond < 0n ? 1n : 0n);
  const rest = value - seconds * perSecond;
  const micros = (rest * 1_000_000n) / perSecond;
  const milliseconds = Number(seconds) * 1000;
  if (Math.abs(milliseconds) > 8.64e15) return milliseconds > 0 ? 'infinity' : '-infinity';
  const date = new Date(milliseconds);
  const year = date.getUTCFullYear();
  const monthAndDay = date.toISOString().slice(-19, -14);
  const era = year <= 0 ? ' (BC)' : '';
  const day = `${String(year <= 0 ? 1 - year : year).padStart(4, '0')}-${monthAndDay}${era}`;
  const clock = date.toISOString().slice(-13, -5);
  return `${day} ${clock}${micros === 0n ? '' : `.${String(micros).padStart(6, '0')}`}`;
}

export function clockText(value: bigint, perSecond: bigint): string {
  return momentText(value, perSecond).slice(11);
}
