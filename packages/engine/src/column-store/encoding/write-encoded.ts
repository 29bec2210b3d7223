import { closeSync, openSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { duckdbSettings, openSandbox, sandboxStatements, type Sandbox } from '../../duckdb/open-duckdb.ts';
import { quoted } from '../../import/sql-text.ts';
import { chooseEncodings, rowColumn, type CountedField, type WantedField } from './choose-encodings.ts';
import type { RowsToCode } from './encode-rows.ts';
import { bitsOf, type EncodedField } from '../encoded-column.ts';
import { codesVersion, type EncodingManifest } from './encoding-manifest.ts';
import type { BitField } from '../kernel/scan.ts';
import { loadedLibrary } from './read-vectors.ts';

/** A table to encode, described so that any engine can open it. */
export interface TableToCode extends Sandbox {
  /** Statements that attach the tables `select` reads. */
  readonly statements: readonly string[];
  /** A query with a column for each field and the row numbers as `rowColumn`. */
  readonly select: string;
  /** Whether `select` returns the rows in table order, i.e. has no joins. */
  readonly isOrdered: boolean;
}

/**
 * Inspects each field, decides what its codes mean, and writes the codes of every row, packed into 32-bit
 * words, to `file`: all rows of the first word, then all rows of the next. Each thread reads its own rows
 * with its own engine.
 */
export async function writeEncoded(
  table: TableToCode,
  wanted: readonly WantedField[],
  file: string,
): Promise<EncodingManifest> {
  const threads = Array.from({ length: table.threads }, startThread);
  try {
    const { rows, chosen } = await choose(table, wanted);
    const all = chosen.filter(field => field !== undefined);
    const fields = all.filter(field => field.kind !== 'derived');
    const { bitFields, words } = packFields(fields.map(({ field }) => field));
    if (fields.length > 0) {
      closeSync(openSync(file, 'w'));
      await Promise.all(
        ordersFor(table, rows, fields, bitFields, file).map((order, i) => threads[i]!.run(order)),
      );
    }
    const refused = wanted.flatMap(({ key }, i) => (chosen[i] ? [] : [key]));
    return {
      version: codesVersion,
      rows: fields.length === 0 ? 0 : rows,
      words,
      fields: all.map(field => ({
        ...field.field,
        bitField: bitFields[fields.indexOf(field.kind === 'derived' ? field.of : field)]!,
      })),
      refused,
    };
  } finally {
    await Promise.allSettled(threads.map(thread => thread.run(undefined)));
  }
}

async function choose(
  { select, statements, ...sandbox }: TableToCode,
  wanted: readonly WantedField[],
): ReturnType<typeof chooseEncodings> {
  const instance = await openSandbox(sandbox);
  const connection = await instance.connect();
  try {
    for (const statement of statements) await connection.run(statement);
    return await chooseEncodings(connection, select, wanted);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Assigns bits to fields: widest field first, each to the first word with room for it. */
function packFields(fields: readonly EncodedField[]): { bitFields: BitField[]; words: number } {
  const used: number[] = [];
  const bitFields: BitField[] = [];
  const widest = fields
    .map((field, i) => ({ i, bits: bitsOf(field.codes) }))
    .toSorted((a, b) => b.bits - a.bits);
  for (const { i, bits } of widest) {
    const found = used.findIndex(usedBits => usedBits + bits <= 32);
    const word = found >= 0 ? found : used.push(0) - 1;
    bitFields[i] = { word, shift: used[word]!, mask: 2 ** bits - 1 };
    used[word]! += bits;
  }
  return { bitFields, words: used.length };
}

/**
 * Memory of an engine that only reads: a few blocks per column. With this limit the engine reuses its blocks,
 * which is faster than new pages.
 */
const readingBytes = (columns: number) => (4 + columns) * 2 ** 21;
/** The size of DuckDB's row groups, which are read as a whole. */
const rowGroup = 122_880;

/** One order per thread: equal shares of whole row groups, each with its own engine. */
function ordersFor(
  { select, isOrdered, statements, threads, memoryBytes, ...sandbox }: TableToCode,
  rows: number,
  fields: readonly CountedField[],
  bitFields: readonly BitField[],
  file: string,
): RowsToCode[] {
  // A time and its hour are read from one column.
  const columns = [...new Set(fields.map(({ sql }) => sql))];
  const engineBytes = Math.min(memoryBytes / threads, isOrdered ? readingBytes(columns.length) : Infinity);
  const settings = {
    ...duckdbSettings({ threads: 1, memoryBytes: engineBytes, ...sandbox }),
    preserve_insertion_order: 'true',
  };
  const engine = {
    library: loadedLibrary(),
    settings,
    statements: [...sandboxStatements(sandbox), ...statements],
  };
  const packed = fields.map(({ sql, coding }, i) => ({
    coding,
    column: columns.indexOf(sql),
    bitField: bitFields[i]!,
  }));
  const list = [...columns, ...(isOrdered ? [] : [quoted(rowColumn)])].join(', ');
  const step = Math.ceil(rows / threads / rowGroup) * rowGroup;
  return Array.from({ length: Math.ceil(rows / step) }, (_, i) => {
    const [from, below] = [i * step, Math.min(rows, (i + 1) * step)];
    return {
      engine,
      sql: `select ${list} from (${select}) where ${quoted(rowColumn)} >= ${from} and ${quoted(rowColumn)} < ${below}`,
      isOrdered,
      from,
      below,
      rows,
      fields: packed,
      file,
    };
  });
}

/**
 * Starts a thread that runs one order and exits; a thread without work receives `undefined`. It is never
 * terminated from outside, because terminating a thread while it loads koffi crashes the process.
 */
function startThread(): { readonly run: (order: RowsToCode | undefined) => Promise<void> } {
  // Otherwise each thread reserves half a gigabyte of address space for code. On many cores that exceeds this
  // process's limit (`spawnWorker`).
  const thread = new Worker(new URL('./encode-rows.ts', import.meta.url), {
    resourceLimits: { codeRangeSizeMb: 16 },
  });
  const ended = Promise.withResolvers<void>();
  thread.on('error', ended.reject);
  thread.on('exit', code =>
    code === 0 ? ended.resolve() : ended.reject(new Error('The thread that codes rows ended early.')),
  );
  // The thread may fail before it receives an order. Without a handler, the rejection would be unhandled.
  ended.promise.catch(() => {});
  return {
    run: order => {
      thread.postMessage(order);
      return ended.promise;
    },
  };
}
