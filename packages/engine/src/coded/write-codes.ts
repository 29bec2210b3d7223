import type { DuckDBConnection } from '@duckdb/node-api';
import { isNumeric, isTemporal, niceStep, type DataType } from '@belvedere/model';
import { duckdb } from '@belvedere/sql';
import { startOf, timeUnits, unitsBetween, type Value } from '@belvedere/query';
import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { columnsOf } from '../duckdb/read-result.ts';
import { quoted, rowsOf, text } from '../import/sql-text.ts';
import { bitsOf, mostCodes, type CodedField, type Codes } from './coded-field.ts';
import { compilePack } from './kernel/compile-pack.ts';
import type { CodePlace } from './kernel/scan.ts';
import type { PlacedField } from './plan-scan.ts';

/** A field to be coded: its column in the `select` that gives all of them, row by row. */
export interface WantedField {
  readonly key: string;
  readonly column: string;
}

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
/** The column of `select` that numbers the table's rows. */
export const rowColumn = 'row number';

/** A field as the engine writes it out, sixteen bits at most, and the code for each of those numbers where they are not codes yet. */
interface RawField {
  readonly field: CodedField;
  readonly expression: string;
  readonly join?: string;
  readonly codeOfRaw?: Uint16Array;
}

/**
 * Looks at each field, decides what its codes stand for, and writes every row's codes, packed into words of 32 bits, to `file`: all rows of
 * the first word, then all of the next. DuckDB writes numbers to an uncompressed Parquet file, whose pages are plain arrays; reading those
 * costs a tenth of fetching the same values row by row.
 */
export async function writeCodes(connection: DuckDBConnection, select: string, wanted: readonly WantedField[], file: string): Promise<CodesManifest> {
  const types = new Map(columnsOf(await connection.run(`select * from (${select}) limit 0`)).map(({ name, type }) => [name, type]));
  const raws: RawField[] = [];
  const refused: string[] = [];
  for (const field of wanted) {
    const raw = await look(connection, select, field, types.get(field.column)!, raws.length).catch(() => undefined);
    if (raw) raws.push(raw);
    else refused.push(field.key);
  }
  const { places, words } = place(raws.map(raw => raw.field));
  const fields = raws.map((raw, i) => ({ ...raw.field, place: places[i]! }));
  const rows = raws.length === 0 ? 0 : await write(connection, select, raws, places, words, file);
  return { version: codesVersion, rows, words, fields, refused };
}

/** So few different values can be told apart by sixteen bits of their hash, more often than not. */
const fewValues = 300;

async function look(connection: DuckDBConnection, select: string, { key, column }: WantedField, type: DataType, index: number): Promise<RawField | undefined> {
  const name = quoted(column);
  const from = `from (${select})`;
  const numbered = (codes: Codes, expression: string): RawField => ({ field: { key, type, codes }, expression: codes.kind !== 'values' && codes.nulls ? `coalesce(${expression}, ${codes.count})` : expression });
  const [missing] = await numbersFrom(connection, `select (count(*) - count(${name}))::double ${from}`);
  const nulls = missing !== 0;
  if (type === 'boolean') return nulls ? numbered({ kind: 'values', values: [false, true, null] }, `coalesce(${name}::uinteger, 2)`) : numbered({ kind: 'values', values: [false, true] }, `${name}::uinteger`);
  if (type === 'integer') {
    const [least, most] = await numbersFrom(connection, `select min(${name})::double, max(${name})::double ${from}`);
    if (least === undefined || most === undefined || !Number.isSafeInteger(least) || !Number.isSafeInteger(most)) return undefined;
    const count = most - least + 1;
    if (count < mostCodes) return numbered({ kind: 'integers', from: least, count, nulls }, `(${name} - (${least}))::uinteger`);
  }
  if (isTemporal(type)) {
    // Where there is an infinite date it is the least or the greatest. Without a condition these come from the column's statistics.
    const [least, most] = await numbersFrom(connection, `select case when isfinite(least) then epoch_ms(least::timestamp)::double end, case when isfinite(most) then epoch_ms(most::timestamp)::double end from (select min(${name}) as least, max(${name}) as most ${from})`);
    if (least === undefined || most === undefined) return undefined;
    const units = type === 'date' ? timeUnits.slice(timeUnits.indexOf('day')) : timeUnits;
    const unit = units.find(candidate => unitsBetween(candidate, startOf(candidate, least), most) + 1 < mostCodes);
    if (!unit) return undefined;
    const start = startOf(unit, least);
    const count = unitsBetween(unit, start, most) + 1;
    const begins = text(new Date(start).toISOString().slice(0, -1).replace('T', ' '));
    const since = unit === 'day' ? `(${name}::date - ${begins}::date)` : duckdb.unitsBetween(unit, `timestamp ${begins}`, name);
    return numbered({ kind: 'times', unit, from: start, count, nulls }, `${since}::uinteger`);
  }
  if (type === 'other') return undefined;
  // A column in which the first rows hardly ever repeat is an identifier or a measurement: counting all its values would take long.
  const [early] = await numbersFrom(connection, `select count(distinct ${name})::double from (select ${name} ${from} limit 200000)`);
  const byValue = early! < 50_000 ? await byDictionary(connection, from, { key, column }, type, index) : undefined;
  if (byValue) return byValue;
  return isNumeric(type) ? byBins(connection, from, key, name, type, nulls) : undefined;
}

/** Texts, and numbers of which there are few: the codes number the different values. */
async function byDictionary(connection: DuckDBConnection, from: string, { key, column }: WantedField, type: DataType, index: number): Promise<RawField | undefined> {
  const name = quoted(column);
  const table = `codes_${index}`;
  await connection.run(`create or replace temp table ${table} as select ${name} as value, (row_number() over (order by ${name} nulls last) - 1)::uinteger as code from (select ${name} ${from} group by 1 limit ${mostCodes + 1})`);
  const [distinct] = await numbersFrom(connection, `select count(*)::double from ${table}`);
  if (distinct! > mostCodes) return undefined;
  const isText = type === 'text';
  const rows = await rowsOf(connection, `select value${isText ? '::varchar' : '::double'}, hash(value)::varchar, value::varchar from ${table} order by code`);
  const values = rows.map(([value]): Value => (value === null ? null : isText ? String(value) : Number(value)));
  // A number that a double cannot hold is not itself any more.
  if (!isText && (new Set(values).size < values.length || values.some(value => value !== null && !Number.isFinite(value)))) return undefined;
  if (type === 'integer' && values.some(value => value !== null && !Number.isSafeInteger(value))) return undefined;
  const field: CodedField = { key, type, codes: { kind: 'values', values } };
  if (distinct! <= fewValues) {
    const hashes = rows.map(([, hash]) => BigInt(String(hash)));
    for (let shift = 0; shift <= 48; shift++) {
      const raws = hashes.map(hash => Number((hash >> BigInt(shift)) & 0xffffn));
      if (new Set(raws).size < raws.length) continue;
      const codeOfRaw = new Uint16Array(2 ** 16);
      raws.forEach((raw, code) => (codeOfRaw[raw] = code));
      return { field, expression: `((hash(${name}) >> ${shift}) & 65535)::uinteger`, codeOfRaw };
    }
  }
  return { field, expression: `${table}.code`, join: `left join ${table} on ${table}.value is not distinct from ${name}` };
}

/** So many bins resolve any axis there is: each tile draws at most a few hundred places of a range that a hundred times more may hold. */
const mostBins = 20_000;

async function byBins(connection: DuckDBConnection, from: string, key: string, name: string, type: DataType, nulls: boolean): Promise<RawField | undefined> {
  const [least, most, strange] = await numbersFrom(connection, `select min(${name})::double, max(${name})::double, count(*) filter (where not isfinite(${name}::double))::double ${from}`);
  if (least === undefined || most === undefined || strange !== 0 || !Number.isFinite(most - least) || most === least) return undefined;
  // Powers of ten: every readable step, 1, 2 or 5 of something, is a whole number of them.
  const step = 10 ** Math.ceil(Math.log10((most - least) / mostBins));
  const first = Math.floor(least / step);
  const origin = Number((first * step).toPrecision(15));
  const count = Math.floor(most / step) - first + 1;
  const bin = `floor((${name} - (${origin}e0)) / ${step}e0 + 1e-9)`.replaceAll('e0e0', 'e0').replace(/(e-?\d+)e0/g, '$1');
  const digits = Math.max(0, Math.ceil(-Math.log10(step)) + 3);
  const edge = (place: string) => `round(${origin} + (${place}) * ${step}::double, ${digits})`;
  // Every value must lie between the edges of its bin as an axis and a filter draw them; rounding may say otherwise.
  const [astray] = await numbersFrom(connection, `select count(*)::double ${from} where not (${name}::double >= ${edge(bin)} and ${name}::double < ${edge(`${bin} + 1`)})`);
  if (astray !== 0 || niceStep(most - least, 40, type === 'integer') < step) return undefined;
  return { field: { key, type, codes: { kind: 'bins', origin, step, count, nulls } }, expression: nulls ? `coalesce(${bin}::uinteger, ${count})` : `${bin}::uinteger` };
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

const rowGroup = 2 ** 20;

async function write(connection: DuckDBConnection, select: string, raws: readonly RawField[], places: readonly CodePlace[], words: number, file: string): Promise<number> {
  const draft = `${file}.parquet`;
  const joins = raws.flatMap(raw => raw.join ?? []).join(' ');
  const pairs = Array.from({ length: Math.ceil(raws.length / 2) }, (_, i) => raws.slice(2 * i, 2 * i + 2));
  const columns = pairs.map(([low, high], i) => `${low!.expression}${high ? ` | (${high.expression} << 16)` : ''} as r${i}`);
  await connection.run(`copy (select ${columns.join(', ')}, ${quoted(rowColumn)}::uinteger as place from (${select}) ${joins}) to ${text(draft)} (format parquet, compression uncompressed, parquet_version v1, dictionary_size_limit 0, row_group_size ${rowGroup})`);
  const input = openSync(draft, 'r');
  const output = openSync(file, 'w');
  try {
    const pages = await rowsOf(connection, `select row_group_num_rows, data_page_offset, total_compressed_size from parquet_metadata(${text(draft)}) order by row_group_id, column_id`);
    const perGroup = pairs.length + 1;
    const groups = Array.from({ length: pages.length / perGroup }, (_, group) => pages.slice(group * perGroup, (group + 1) * perGroup).map(page => page.map(Number)));
    const sizes = groups.map(group => group[0]![0]!);
    const total = sizes.reduce((sum, rows) => sum + rows, 0);
    const packed = raws.map((raw, i) => ({ raw: { word: Math.floor(i / 2), shift: i % 2 === 0 ? 0 : 16 }, place: places[i]!, ...(raw.codeOfRaw && { codeOfRaw: raw.codeOfRaw }) }) as const);
    const packer = compilePack(packed, pairs.length, words, total, Math.max(1, ...sizes));
    for (const group of groups) {
      const rows = group[0]![0]!;
      group.forEach(([, offset, bytes], i) => readPage(input, offset!, bytes!, packer.raws[i]!.subarray(0, rows * 4)));
      packer.pack(rows);
    }
    for (const word of packer.words) writeWhole(output, word);
    return total;
  } finally {
    closeSync(input);
    closeSync(output);
    await rm(draft, { force: true });
  }
}

/** One column of a row group: a header of a few bytes, then the numbers as they lie in memory. */
function readPage(file: number, offset: number, bytes: number, into: Uint8Array): void {
  const header = bytes - into.length;
  if (header < 0 || header > 200) throw new RangeError(`A page of ${into.length} plain bytes has ${bytes}.`);
  readSync(file, into, 0, into.length, offset + header);
}

/** One call writes two gigabytes at most. */
function writeWhole(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, Math.min(2 ** 30, bytes.length - done));
}

/** @returns undefined for null */
async function numbersFrom(connection: DuckDBConnection, sql: string): Promise<(number | undefined)[]> {
  const [row] = await rowsOf(connection, sql);
  return row!.map(value => (value === null ? undefined : Number(value)));
}

/** Whether words of `words` × `rows` lie in `file`, whole. */
export function isWhole(file: string, { rows, words }: CodesManifest): boolean {
  return statSync(file, { throwIfNoEntry: false })?.size === rows * words * 4;
}

