import type { DuckDBConnection } from '@duckdb/node-api';
import { closeSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { quoted, rowsOf, text } from '../import/sql-text.ts';
import { chooseCodes, rowColumn, shiftThatTells, sixteenBits, type CountedField, type WantedField } from './choose-codes.ts';
import { bitsOf, type CodedField } from './coded-field.ts';
import { compilePack, type WordPart } from './kernel/compile-pack.ts';
import type { CodePlace } from './kernel/scan.ts';
import type { PlacedField } from './plan-scan.ts';

/** What `writeCodes` leaves beside the words: which bits of them are which field. */
export interface CodesManifest {
  readonly version: typeof codesVersion;
  readonly rows: number;
  readonly words: number;
  readonly fields: readonly PlacedField[];
  /** Fields with too many values, or of a kind, that codes cannot stand for. They are not tried again. */
  readonly refused: readonly string[];
}

export const codesVersion = 2;

/**
 * Looks at each field, decides what its codes stand for, and writes every row's codes, packed into words of 32 bits, to `file`: all rows of
 * the first word, then all of the next. DuckDB writes numbers to uncompressed Parquet files, whose pages are plain arrays; reading those
 * costs a tenth of fetching the same values row by row. While one is read, the next is written.
 * @param options.isOrdered whether `select` gives a table's rows as they lie, with no joins among them · sliceRows: of one such file
 */
export async function writeCodes(connection: DuckDBConnection, select: string, wanted: readonly WantedField[], file: string, { isOrdered, sliceRows = manyRows }: { readonly isOrdered: boolean; readonly sliceRows?: number }): Promise<CodesManifest> {
  const { rows, chosen } = await chooseCodes(connection, select, wanted);
  const all = chosen.filter(field => field !== undefined);
  const fields = all.filter(field => field.kind !== 'derived');
  const refused = wanted.flatMap(({ key }, i) => (chosen[i] ? [] : [key]));
  const { places, words } = place(fields.map(({ field }) => field));
  if (fields.length > 0) await write(connection, { select, isOrdered: isOrdered && fields.every(field => !('join' in field)), sliceRows, fields, places, words, rows, file });
  return { version: codesVersion, rows: fields.length === 0 ? 0 : rows, words, fields: all.map(field => ({ ...field.field, place: places[fields.indexOf(field.kind === 'derived' ? field.of : field)]! })), refused };
}

/** Gives each field its bits: the widest first, each into the first word with room for it. */
function place(fields: readonly CodedField[]): { places: CodePlace[]; words: number } {
  const used: number[] = [];
  const places: CodePlace[] = [];
  const widest = fields.map((field, i) => ({ i, bits: bitsOf(field.codes) })).toSorted((a, b) => b.bits - a.bits);
  for (const { i, bits } of widest) {
    const found = used.findIndex(taken => taken + bits <= 32);
    const word = found >= 0 ? found : used.push(0) - 1;
    places[i] = { word, shift: used[word]!, mask: 2 ** bits - 1 };
    used[word]! += bits;
  }
  return { places, words: used.length };
}

interface Writing {
  readonly select: string;
  /** Rows come as they lie; otherwise each brings its number along. */
  readonly isOrdered: boolean;
  readonly sliceRows: number;
  readonly fields: readonly CountedField[];
  readonly places: readonly CodePlace[];
  readonly words: number;
  readonly rows: number;
  readonly file: string;
}

const rowGroup = 2 ** 18;
/** Eighty of DuckDB's own groups of rows: few enough that what is written is read before it reaches the disk. */
const manyRows = 80 * 122_880;
/** Read, packed and written at once: what the processor's own cache holds. */
const pieceRows = 2 ** 15;

async function write(connection: DuckDBConnection, writing: Writing): Promise<void> {
  const { select, isOrdered, sliceRows, fields, rows, file } = writing;
  const { columns, words } = inColumns(writing);
  // The engine's joins give rows in an order of their own, and a joined table is hashed once a statement.
  const slices = isOrdered ? Math.max(1, Math.ceil(rows / sliceRows)) : 1;
  const joins = fields.flatMap(field => (field.kind === 'number' ? (field.join ?? []) : [])).join(' ');
  const list = [...columns.map((column, i) => `${column} as r${i}`), ...(isOrdered ? [] : [`${quoted(rowColumn)}::uinteger as place`])];
  await connection.run(`set preserve_insertion_order = ${isOrdered}`);
  const copy = async (slice: number): Promise<{ draft: string; groups: Page[][] }> => {
    // Each of a name of its own: what the engine has read of a file it keeps by name.
    const draft = `${file}.${slice}.parquet`;
    const where = slices === 1 ? '' : ` where ${quoted(rowColumn)} >= ${slice * sliceRows} and ${quoted(rowColumn)} < ${(slice + 1) * sliceRows}`;
    await connection.run(`copy (select ${list.join(', ')} from (${select}) ${joins}${where}) to ${text(draft)} (format parquet, compression uncompressed, parquet_version v1, dictionary_size_limit 0, row_group_size ${rowGroup})`);
    const pages = await rowsOf(connection, `select row_group_num_rows, data_page_offset, total_compressed_size from parquet_metadata(${text(draft)}) order by row_group_id, column_id`);
    const all = pages.map((page, i): Page => ({ rows: Number(page[0]), offset: Number(page[1]), bytes: Number(page[2]), width: i % list.length < columns.length ? 8 : 4 }));
    return { draft, groups: Array.from({ length: all.length / list.length }, (_, group) => all.slice(group * list.length, (group + 1) * list.length)) };
  };
  const packer = compilePack(words, { columns: columns.length, atATime: pieceRows, ...(!isOrdered && { numbered: rows }) });
  let done = 0;
  let copied = copy(0);
  const output = openSync(file, 'w');
  try {
    for (let slice = 0; slice < slices; slice++) {
      const { draft, groups } = await copied;
      if (slice + 1 < slices) copied = copy(slice + 1);
      const input = openSync(draft, 'r');
      try {
        rmSync(draft);
        for (const group of groups) {
          for (let from = 0; from < group[0]!.rows; from += pieceRows) {
            const count = Math.min(pieceRows, group[0]!.rows - from);
            group.forEach((page, i) => readPage(input, page, from, packer.raws[i]!.subarray(0, count * page.width)));
            packer.pack(count);
            if (isOrdered) packer.words.forEach((word, i) => writeWhole(output, word.subarray(0, count * 4), (i * rows + done) * 4));
            done += count;
          }
        }
      } finally {
        closeSync(input);
      }
    }
    if (done !== rows) throw new RangeError(`Of ${rows} rows, ${done} came.`);
    if (!isOrdered) packer.words.forEach((word, i) => writeWhole(output, word, i * rows * 4));
  } finally {
    closeSync(output);
    await copied.then(({ draft }) => rmSync(draft, { force: true }), () => {});
  }
}

/** What is asked of the engine, columns of 64 bits, and how words are made of them: numbers lie in halves of a column as in their words, hashes in its four lanes. */
function inColumns({ fields, places, words: count }: Writing): { columns: string[]; words: WordPart[][] } {
  const columns: string[] = [];
  const words: WordPart[][] = Array.from({ length: count }, () => []);
  const placed = fields.map((field, i) => ({ field, place: places[i]! }));

  const hashed = placed.flatMap(({ field, place: at }) => (field.kind === 'hash' ? [{ field, at }] : []));
  for (let first = 0; first < hashed.length; first += 4) {
    const lanes = hashed.slice(first, first + 4).map(({ field, at }, lane) => {
      // Most often the bits of a hash that lie in its lane already tell its values apart.
      const shift = shiftThatTells(field.hashes, 16 * lane)!;
      const bits = new Uint32Array(2 ** 16);
      for (const [code, hash] of field.hashes.entries()) bits[sixteenBits(hash, shift)] = code << at.shift;
      words[at.word]!.push({ kind: 'lane', column: columns.length, lane, bits });
      const hash = `hash(${quoted(field.column)})`;
      return shift === 16 * lane ? `(${hash} & ${0xffffn << BigInt(16 * lane)})` : `(((${hash} >> ${shift}) & 65535) << ${16 * lane})`;
    });
    columns.push(lanes.join(' | '));
  }

  const halves = words.flatMap((_, word) => {
    const own = placed.flatMap(({ field, place: at }) => (field.kind === 'number' && at.word === word ? [{ expression: at.shift === 0 ? `(${field.expression})` : `((${field.expression}) << ${at.shift})`, below: at.shift + Math.log2(at.mask + 1) }] : []));
    return own.length === 0 ? [] : [{ word, expression: own.map(({ expression }) => expression).join(' | '), isSigned: own.some(({ below }) => below === 32) }];
  });
  // The highest bit of the upper half would be a sign.
  for (let low = halves.shift(); low; low = halves.shift()) {
    words[low.word]!.push({ kind: 'half', column: columns.length, half: 0 });
    const other = halves.findIndex(({ isSigned }) => !isSigned);
    const [high] = other < 0 ? [] : halves.splice(other, 1);
    if (high) words[high.word]!.push({ kind: 'half', column: columns.length, half: 1 });
    columns.push(high ? `${low.expression} | ((${high.expression}) << 32)` : low.expression);
  }
  return { columns, words };
}

/** One column of a row group, as Parquet keeps it without compression: a header of a few bytes, then numbers of `width` bytes as they lie in memory. */
interface Page {
  readonly rows: number;
  readonly offset: number;
  readonly bytes: number;
  readonly width: number;
}

/** Reads the numbers from row `from` on that `into` has room for. */
function readPage(file: number, { rows, offset, bytes, width }: Page, from: number, into: Uint8Array): void {
  const header = bytes - rows * width;
  if (header < 0 || header > 200) throw new RangeError(`A page of ${rows} numbers of ${width} bytes has ${bytes}.`);
  readSync(file, into, 0, into.length, offset + header + from * width);
}

/** One call writes two gigabytes at most. */
function writeWhole(file: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, Math.min(2 ** 30, bytes.length - done), at + done);
}

/** Whether words of `words` × `rows` lie in `file`, whole. */
export function isWhole(file: string, { rows, words }: CodesManifest): boolean {
  return statSync(file, { throwIfNoEntry: false })?.size === rows * words * 4;
}
