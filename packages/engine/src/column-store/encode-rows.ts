// A thread that codes some of a table's rows and writes their words where they belong.
import { closeSync, openSync, writeSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { compilePack, type PackedField } from './kernel/compile-pack.ts';
import { readVectors, vectorRows, type EngineToOpen } from './read-vectors.ts';

/** What such a thread is to do. */
export interface RowsToCode {
  readonly engine: EngineToOpen;
  /** Gives the rows `from … below`: their columns and, where they do not come as they lie, one more with their numbers. */
  readonly sql: string;
  readonly isOrdered: boolean;
  readonly from: number;
  readonly below: number;
  /** Of the whole table. */
  readonly rows: number;
  readonly fields: readonly PackedField[];
  readonly file: string;
}

/** Packed and written at once: what the processor's own cache holds. */
const pieceRows = 16 * vectorRows;

// Started before what there is to do is known: loading what it needs takes a tenth of a second.
parentPort!.once('message', (order: RowsToCode | undefined) => order && codeRows(order));

function codeRows({ engine, sql, isOrdered, from, below, rows, fields, file }: RowsToCode): void {
  const { numbers, presence, pack, words } = compilePack(fields, {
    atATime: vectorRows,
    ...(isOrdered ? { rows: pieceRows } : { rows: below - from, firstRow: from }),
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
      if (!isOrdered || packed + vectorRows <= pieceRows) continue;
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

/** One call writes two gigabytes at most. */
function writeWhole(file: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length;)
    done += writeSync(file, bytes, done, Math.min(2 ** 30, bytes.length - done), at + done);
}
