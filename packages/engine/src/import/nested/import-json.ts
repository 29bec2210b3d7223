import type { TableFile } from '@belvedere/document';
import { DuckDBListType, DuckDBStructType, type DuckDBConnection } from '@duckdb/node-api';
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { columnsOf } from '../../duckdb/read-result.ts';
import { linesOf } from '../../lines-of.ts';
import { streamRegularFile } from '../../regular-file.ts';
import { spreadFeatures, spreadTopology } from './geo-json.ts';
import { deepestNesting, linesNestedTooDeep } from './json-nesting.ts';
import type { NestedTables } from './nested-tables.ts';
import { decodeText } from '../csv/decode-text.ts';
import type { UnpackedBytes } from '../archives/unpacked-bytes.ts';
import { ImportError, type RejectedRow, type TableRead } from '../report.ts';
import { fileText, quoted, rowsOf, text } from '../sql-text.ts';
import { linesNamed } from '../csv/unreadable-bytes.ts';

/** A limit for columns. The engine's reader accepts far more, at a cost in time and memory for each. */
const maxColumns = 2000;
const [minObjectBytes, maxObjectBytes] = [2 ** 24, 2 ** 28];
/**
 * A format that no value matches. Dates stay texts and are detected later from all values, because the reader
 * would guess the order of day and month.
 */
const noDate = 'no date %Y-%m-%d';
const deepReason = `Lists and objects are nested more than ${deepestNesting} levels deep.`;

export interface JsonImport {
  /** The name of the table. */
  readonly name: string;
  readonly folder: string;
  readonly produced: UnpackedBytes;
  readonly nested: NestedTables;
  readonly reading?: TableFile;
}

/**
 * Imports JSON documents or NDJSON into `main.data`. Nested objects become columns, lists become separate
 * tables.
 */
export async function importJson(
  connection: DuckDBConnection,
  files: readonly string[],
  kind: 'json' | 'ndjson',
  { name, folder, produced, nested, reading }: JsonImport,
): Promise<TableRead> {
  const texts = await Promise.all(files.map(file => decodeText(file, folder, produced, reading?.encoding)));
  const notes: string[] = texts.flatMap(plain => plain.notes);
  let rejected: readonly RejectedRow[] = [];
  // The reader reserves twice this size for each thread.
  const sizes = await Promise.all(texts.map(async ({ file }) => (await stat(file)).size));
  const largestObject = Math.min(maxObjectBytes, Math.max(minObjectBytes, ...sizes));
  const read = (plain: readonly string[]) =>
    connection.run(
      `create temp table raw as select * from read_json([${plain.map(fileText).join(', ')}], format = '${kind === 'ndjson' ? 'newline_delimited' : 'auto'}', sample_size = -1, union_by_name = true, maximum_object_size = ${largestObject}, maximum_depth = 8, field_appearance_threshold = 0, dateformat = ${text(noDate)}, timestampformat = ${text(noDate)})`,
    );
  const tooDeep = await Promise.all(texts.map(({ file }) => linesNestedTooDeep(file, kind)));
  const deepFile = tooDeep.findIndex(lines => lines.size > 0);
  if (deepFile >= 0 && kind === 'json')
    throw new ImportError(files[deepFile]!, [...tooDeep[deepFile]!][0], deepReason);
  const readGoodLines = async () => {
    const sorted = await Promise.all(
      texts.map(({ file }, i) => goodLines(file, files[i]!, tooDeep[i]!, folder)),
    );
    rejected = sorted.flatMap(one => one.rejected);
    const mended = sorted.flatMap(one => one.mended);
    if (mended.length > 0)
      notes.push(
        `${linesNamed(mended, mended.length)} ${mended.length === 1 ? 'has' : 'have'} ` +
          'half a character (such as \\ud83d), which is read as “\ufffd”.',
      );
    if (sorted.every(one => one.kept === 0))
      throw new ImportError(
        files[0]!,
        rejected[0]?.line,
        `Could not read any line of this file. ${rejected[0]?.reason ?? ''}`,
      );
    await read(sorted.map(one => one.file));
  };
  if (deepFile >= 0) await readGoodLines();
  else {
    await read(texts.map(({ file }) => file)).catch((error: Error) => {
      if (kind === 'ndjson') return readGoodLines();
      throw new ImportError(
        files[0]!,
        lineIn(error.message),
        `This is not valid JSON. ${error.message.split('\n')[0]!.slice(0, 300)}`,
      );
    });
  }
  if (!(await spreadTopology(connection, notes))) {
    await takeOutRecords(connection, notes);
    await spreadFeatures(connection, notes);
  }
  const fields = (await connection.run('select * from raw limit 0')).columnNames();
  if (fields.length === 0) throw new ImportError(files[0]!, undefined, 'This file has no fields.');
  const { notes: nestedNotes, keys } = await nested.spread(connection, 'raw', name, maxColumns);
  notes.push(...nestedNotes);
  await connection.run('drop table raw');
  const rowsKept = Number((await rowsOf(connection, 'select count(*) from data'))[0]![0]);
  return {
    rowsRead: rowsKept + rejected.length,
    rowsKept,
    rowsRejected: rejected.length,
    rejected: rejected.slice(0, 1000),
    encoding: texts[0]!.encoding,
    notes,
    keys,
  };
}

/**
 * A document that only wraps a list of records (`{"features": […]}`, `{"rows": […]}`) is replaced by the
 * list.
 */
async function takeOutRecords(connection: DuckDBConnection, notes: string[]): Promise<void> {
  const result = await connection.run('select * from raw limit 0');
  const [count] = await rowsOf(connection, 'select count(*) from (select 1 from raw limit 2)');
  if (Number(count![0]) !== 1) return;
  const lists = columnsOf(result)
    .filter(
      ({ engineType }) =>
        engineType instanceof DuckDBListType && engineType.valueType instanceof DuckDBStructType,
    )
    .map(({ name }) => name);
  if (lists.length !== 1) return;
  notes.push(`The records are the list “${lists[0]}” inside one document.`);
  await connection.run(
    `create or replace temp table raw as select unnest(${quoted(lists[0]!)}, max_depth := 2) from raw`,
  );
}

/**
 * The escapes in a JSON text: a character of two halves, one half, or any other. JavaScript writes a half where it
 * cut a text in the middle of an emoji, and the engine reads no file with one.
 */
const escapes =
  /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(?<half>\\u[dD][89a-fA-F][\da-fA-F]{2})|\\./g;

function withoutHalves(json: string): string {
  if (!/\\u[dD][89a-fA-F]/.test(json)) return json;
  return json.replace(escapes, (escape, half: string | undefined) =>
    half === undefined ? escape : String.raw`\ufffd`,
  );
}

/**
 * Copies the lines that are JSON objects. Other lines are rejected with line number and reason.
 * @returns among others the numbers of lines with half a character
 */
async function goodLines(
  file: string,
  original: string,
  tooDeep: ReadonlySet<number>,
  folder: string,
): Promise<{ file: string; kept: number; rejected: RejectedRow[]; mended: number[] }> {
  const copy = path.join(folder, `${path.basename(file)}.good`);
  const out = createWriteStream(copy);
  const rejected: RejectedRow[] = [];
  const mended: number[] = [];
  let line = 0;
  let kept = 0;
  for await (const written of linesOf(await streamRegularFile(file))) {
    line++;
    if (written.trim() === '') continue;
    const content = withoutHalves(written);
    if (content !== written) mended.push(line);
    try {
      if (tooDeep.has(line)) throw new Error(deepReason);
      const value: unknown = JSON.parse(content);
      if (value === null || typeof value !== 'object') throw new Error('A line must hold one JSON object.');
      if (keysWritten(content) > keysIn(value)) throw new Error('Duplicate key in an object.');
      kept++;
      if (!out.write(`${content}\n`)) await new Promise<void>(resolve => out.once('drain', () => resolve()));
    } catch (error) {
      rejected.push({
        file: original,
        line,
        reason: (error as Error).message.slice(0, 200),
        text: content.slice(0, 200),
      });
    }
  }
  await new Promise<void>(resolve => out.end(resolve));
  return { file: copy, kept, rejected, mended };
}

/** The number of keys in a JSON text, counted as strings followed by a colon. */
function keysWritten(json: string): number {
  let keys = 0;
  for (const [, colon] of json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) if (colon) keys++;
  return keys;
}

function keysIn(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, one) => sum + keysIn(one), own);
}

function lineIn(message: string): number | undefined {
  const match = /in line (\d+)/i.exec(message);
  return match ? Number(match[1]) : undefined;
}
