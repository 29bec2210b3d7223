import { closeSync, openSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { duckdbSettings, openSandbox, sandboxStatements, type Sandbox } from '../duckdb/open-duckdb.ts';
import { quoted } from '../import/sql-text.ts';
import { chooseEncodings, rowColumn, type CountedField, type WantedField } from './choose-encodings.ts';
import type { RowsToCode } from './encode-rows.ts';
import { bitsOf, type EncodedField } from './encoded-column.ts';
import { codesVersion, type EncodingManifest } from './encoding-manifest.ts';
import type { BitField } from './kernel/scan.ts';
import { loadedLibrary } from './read-vectors.ts';

/** A table to be coded, so that any engine can come to it. */
export interface TableToCode extends Sandbox {
  /** Attach what `select` reads. */
  readonly statements: readonly string[];
  /** A column for each field, and the rows' numbers, `rowColumn`. */
  readonly select: string;
  /** Whether it gives a table's rows as they lie, with no joins among them. */
  readonly isOrdered: boolean;
}

/**
 * Looks at each field, decides what its codes stand for, and writes every row's codes, packed into words of 32 bits, to `file`: all rows of
 * the first word, then all of the next. Each thread reads rows of its own, in an engine of its own.
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

/** Gives each field its bits: the widest first, each into the first word with room for it. */
function packFields(fields: readonly EncodedField[]): { bitFields: BitField[]; words: number } {
  const used: number[] = [];
  const bitFields: BitField[] = [];
  const widest = fields
    .map((field, i) => ({ i, bits: bitsOf(field.codes) }))
    .toSorted((a, b) => b.bits - a.bits);
  for (const { i, bits } of widest) {
    const found = used.findIndex(taken => taken + bits <= 32);
    const word = found >= 0 ? found : used.push(0) - 1;
    bitFields[i] = { word, shift: used[word]!, mask: 2 ** bits - 1 };
    used[word]! += bits;
  }
  return { bitFields, words: used.length };
}

/** Reading alone takes a few blocks for each column; where there are no more, the engine reads into those it has, which takes less time than new pages. */
const readingBytes = (columns: number) => (4 + columns) * 2 ** 21;
/** As the engine groups rows: a group is read whole. */
const rowGroup = 122_880;

/** What each thread is to do: equal parts of whole groups, in an engine of its own. */
function ordersFor(
  { select, isOrdered, statements, threads, memoryBytes, ...sandbox }: TableToCode,
  rows: number,
  fields: readonly CountedField[],
  bitFields: readonly BitField[],
  file: string,
): RowsToCode[] {
  // A time and its hour are read of one column.
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
 * A thread that takes one order, does it, and ends; one that is to do nothing is told so, too. It is never ended from here: a thread that is
 * ended while it loads koffi takes the whole process along.
 */
function startThread(): { readonly run: (order: RowsToCode | undefined) => Promise<void> } {
  // Else each sets half a gigabyte of addresses aside for code, and on many cores they come to the bound on this process (`spawnWorker`).
  const thread = new Worker(new URL('./encode-rows.ts', import.meta.url), {
    resourceLimits: { codeRangeSizeMb: 16 },
  });
  const ended = Promise.withResolvers<void>();
  thread.on('error', ended.reject);
  thread.on('exit', code =>
    code === 0 ? ended.resolve() : ended.reject(new Error('The thread that codes rows ended early.')),
  );
  // It may fail before anybody has given it something to do.
  ended.promise.catch(() => {});
  return {
    run: order => {
      thread.postMessage(order);
      return ended.promise;
    },
  };
}
