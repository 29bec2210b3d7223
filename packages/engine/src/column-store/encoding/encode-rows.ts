// A thread that encodes a range of a table's rows and writes their words at the matching file offsets.
import { closeSync, openSync, writeSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { compilePack, type PackedField } from '../kernel/compile-pack.ts';
import { readVectors, vectorRows, type EngineToOpen } from './read-vectors.ts';

/** The order for one thread. */
export interface RowsToCode {
  readonly engine: EngineToOpen;
  /**
   * SQL for the rows `from … below`: their columns and, unless they come in table order, one more column with
   * row numbers.
   */
  readonly sql: string;
  readonly isOrdered: boolean;
  readonly from: number;
  readonly below: number;
  /** Rows of the whole table. */
  readonly rows: number;
  readonly fields: readonly PackedField[];
  readonly file: string;
}

/** Rows packed and written together. They fit the processor's cache. */
const chunkRows = 16 * vectorRows;

// The thread starts before its order is known, because loading its modules takes a tenth of a second.
parentPort!.once('message', (order: RowsToCode | undefined) => order && codeRows(order));

function codeRows({ engine, sql, isOrdered, from, below, rows, fields, file }: RowsToCode): void {
  const { numbers, presence, pack, words } = compilePack(fields, {
    atATime: vectorRows,
    ...(isOrdered ? { rows: chunkRows } : { rows: below - from, firstRow: from }),
  });
  const output = openSync(file, 'r+');
  const write = (first: number, count: number) =>
    words.forEach((word, i) => writeWhole(output, word.subarray(0, count * 4), (i * rows + first) * 4));
  try {
    const isFull = presence.map(() => true);
    let written = 0;
    let packed = 0;
    for (const vectors of readVectors(engine, sql)) {
      const { rows: count } = vectors;
      numbers.forEach((column, i) =>
        vectors.copy(
          i,
          count === vectorRows ? column : column.subarray(0, (column.length / vectorRows) * count),
        ),
      );
      presence.forEach((bits, i) => {
        if (!bits) return;
        const isNowFull = !vectors.copyPresence(i, bits.subarray(0, Math.ceil(count / 8)));
        if (isNowFull && !isFull[i]) bits.fill(0xff);
        isFull[i] = isNowFull;
      });
      pack(count, packed);
      packed += count;
      if (!isOrdered || packed + vectorRows <= chunkRows) continue;
      write(from + written, packed);
      written += packed;
      packed = 0;
    }
    if (written + packed !== below - from)
      throw new RangeError(`Of ${below - from} rows, ${written + packed} came.`);
    write(from + written, packed);
  } finally {
    closeSync(output);
  }
}

/** A single call writes at most two gigabytes. */
function writeWhole(file: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length;)
    done += writeSync(file, bytes, done, Math.min(2 ** 30, bytes.length - done), at + done);
}
