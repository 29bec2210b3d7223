import type { TableFile } from '@belvedere/document';
import type { DuckDBConnection } from '@duckdb/node-api';
import { stat } from 'node:fs/promises';
import { digitNotes, readAsNull } from '../columns/column-notes.ts';
import { countRecords } from './count-records.ts';
import {
  beginsWithYears,
  columnsOfOneWord,
  columnsOfWordsAsDates,
  columnsWithRejectedValues,
  convertColumn,
  isTemporalType,
  readAsText,
  readOptions,
  usedNulls,
  type CsvFormat,
} from './csv-columns.ts';
import { headerOf, namesInLines } from './csv-header.ts';
import { alwaysNull, maxLineBytes } from './csv-options.ts';
import { convertDates } from '../columns/date-formats.ts';
import { convertDeclared, type DeclaredColumns } from '../columns/declared-types.ts';
import { decodeText } from './decode-text.ts';
import { namesOfDurations } from '../columns/durations.ts';
import { withDoubledQuotes } from './escaped-quotes.ts';
import { columnsBegin, withColumnsByPosition } from './fixed-width.ts';
import { withOneLineEnd } from './line-ends.ts';
import { findOverlongLine } from './line-length-limit.ts';
import type { Locate } from '../columns/mostly-typed.ts';
import { noValues } from '../columns/number-formats.ts';
import { numbersAsWritten } from './numbers-as-written.ts';
import { oddLines, repeatedHeaders } from './odd-lines.ts';
import { preambleLines, skippedLines } from './preamble.ts';
import type { Stage } from '../progress.ts';
import { rejectedRows } from './rejected-rows.ts';
import { withoutRepeatedHeader } from './repeated-header.ts';
import { ImportError, together, type ImportReport } from '../report.ts';
import { linesOfRows } from './row-lines.ts';
import { refuseTooManyColumns, sniff, type Sniffed } from './sniff-csv.ts';
import { fileText, rowsOf } from '../sql-text.ts';
import type { UnpackedBytes } from '../archives/unpacked-bytes.ts';

/** The report on text files, and a function that locates rows in them. */
export interface CsvReport {
  readonly report: ImportReport;
  readonly locate: Locate;
}

/** A file to import, where its rewritten copies go, and its import options. */
interface CsvSource {
  readonly connection: DuckDBConnection;
  readonly original: string;
  readonly folder: string;
  readonly produced: UnpackedBytes;
  readonly reading: TableFile | undefined;
  /** The row (from 1) of the sheet that was written as a line of this file, if it is a sheet. */
  readonly sheetRow: ((line: number) => number | undefined) | undefined;
}

/** Imports a CSV file into `main.data`, and reports on it. */
export async function importCsv(
  connection: DuckDBConnection,
  original: string,
  folder: string,
  produced: UnpackedBytes,
  reading?: TableFile,
  { stage = () => {}, sheetRow }: { readonly stage?: Stage; readonly sheetRow?: CsvSource['sheetRow'] } = {},
): Promise<CsvReport> {
  const source: CsvSource = { connection, original, folder, produced, reading, sheetRow };
  const lines = await readableLines(source);
  stage(0, 20);
  const detected = await detectFormat(source, lines);
  stage(20, 40);
  const { csv, notes: nullNotes } = await withNullTokens(source, detected);
  stage(40, 50);
  const { types, declared, dates, notes: typeNotes } = await inferTypes(source, csv);
  stage(50, 65);
  for (const name of await columnsOfOneWord(connection, csv, types)) types.set(name, 'VARCHAR');
  stage(65, 95);
  await load(connection, csv, types);
  const converted = await convertTexts(source, declared, dates);
  const counted = await accountForRows(source, csv, detected);
  const { hasHeader, delimiter } = csv.sniffed;
  const notes = [
    ...lines.notes,
    ...detected.notes,
    ...nullNotes,
    ...typeNotes,
    ...(hasHeader || detected.isNamedByLines
      ? []
      : ['The file has no header line, so columns are numbered.']),
    ...converted.notes,
    ...counted.notes,
  ];
  const report: ImportReport = {
    rowsRead: counted.rowsRead,
    rowsKept: counted.rowsKept,
    rowsRejected: counted.rejected.total,
    rejected: counted.rejected.rows,
    encoding: lines.encoding,
    delimiter,
    hasHeader: hasHeader || detected.isNamedByLines,
    skippedLines: detected.skippedLines,
    notes,
    ...together(converted.questions),
    ...(converted.nulled.length > 0 && { nulled: converted.nulled }),
  };
  const locate: Locate = async rows => {
    const found = await linesOfRows(
      { file: csv.file, skip: csv.sniffed.skip, marks: csv.sniffed, hasHeader },
      rows,
      counted.rejected,
    );
    return new Map([...found].map(([row, line]) => [row, { file: original, line }]));
  };
  return { report, locate };
}

/** A file whose lines the engine can read: in UTF-8, with one kind of line end and with delimiters. */
interface ReadableLines {
  readonly file: string;
  readonly encoding: string;
  /** The lines above the header. */
  readonly skip: number;
  readonly notes: readonly string[];
}

async function readableLines({ original, folder, produced, reading }: CsvSource): Promise<ReadableLines> {
  const decoded = await decodeText(original, folder, produced, reading?.encoding);
  if ((await stat(decoded.file)).size === 0)
    throw new ImportError(original, undefined, 'This file is empty.');
  const { file, notes: endNotes } = await withOneLineEnd(decoded.file, folder, produced);
  const overlong = await findOverlongLine(file, maxLineBytes);
  if (overlong !== undefined)
    throw new ImportError(
      original,
      overlong,
      `Line ${overlong} of this file is longer than ${maxLineBytes / 2 ** 20} MiB, the maximum for a row. Shorten or remove it.`,
    );
  const skip = reading?.skip ?? (await preambleLines(file));
  const byPosition =
    reading?.delimiter === undefined ? await withColumnsByPosition(file, skip, folder, produced) : undefined;
  return {
    file: byPosition?.file ?? file,
    encoding: decoded.encoding,
    skip,
    notes: [
      ...decoded.notes,
      ...endNotes,
      ...(skip > 0 ? [skippedLines(skip)] : []),
      ...(byPosition ? [columnsBegin(byPosition.starts)] : []),
    ],
  };
}

/** The format of a file, detected in copies with doubled quotes and without repeated headers. */
interface DetectedFormat {
  readonly csv: CsvFormat;
  /** Whether the first lines name the columns, so that the file is read as if it had no header. */
  readonly isNamedByLines: boolean;
  readonly hasHeader: boolean;
  readonly skippedLines: number;
  /** The expected number of values per line. */
  readonly values: number;
  readonly repeatedHeaderLines: readonly number[];
  readonly notes: readonly string[];
  /** The same with other null tokens. */
  readonly sniffAgain: (nulls: readonly string[]) => Promise<Sniffed>;
}

async function detectFormat(source: CsvSource, lines: ReadableLines): Promise<DetectedFormat> {
  const { connection, original, folder, produced, reading, sheetRow } = source;
  const nulls = reading?.nulls ? ['', ...reading.nulls] : alwaysNull;
  const request = { skip: lines.skip, nulls, original, reading };
  const dialect = await sniff(connection, lines.file, request);
  const isEscaped = dialect.escape === '\\' && dialect.quote !== '';
  const doubled = isEscaped
    ? await withDoubledQuotes(lines.file, folder, produced, dialect.quote)
    : lines.file;
  const first = isEscaped ? await sniff(connection, doubled, request) : dialect;
  const header = await headerOf(doubled, first);
  const once =
    header?.isOfNames && reading?.header !== false
      ? await withoutRepeatedHeader(doubled, header.text, folder, produced)
      : undefined;
  const file = once?.file ?? doubled;
  const found = once ? await sniff(connection, file, request) : first;
  const headers =
    found.hasHeader && reading?.header === undefined ? await namesInLines(file, found) : undefined;
  const sniffAgain = async (tokens: readonly string[]) => {
    if (!headers) return sniff(connection, file, { ...request, nulls: tokens, known: found });
    const below = await sniff(connection, file, {
      skip: found.skip + headers.lines,
      nulls: tokens,
      original,
      reading: { ...reading, header: false },
      known: found,
    });
    return renamed(below, headers.names);
  };
  const sniffed = headers ? await sniffAgain(nulls) : found;
  refuseTooManyColumns(sniffed.columns.length, original, sniffed.delimiter);
  return {
    csv: { file, sniffed, nulls },
    isNamedByLines: headers !== undefined,
    hasHeader: found.hasHeader,
    skippedLines: found.skip,
    values: found.hasHeader && !headers && header ? header.cells : sniffed.columns.length,
    repeatedHeaderLines: once?.lines ?? [],
    notes: [
      ...(isEscaped ? [`A quote within quotes is written \\${dialect.quote}.`] : []),
      ...(once ? [repeatedHeaderNote(once.lines, sheetRow)] : []),
      ...(headers ? [`The first ${headers.lines} lines name the columns.`] : []),
    ],
    sniffAgain,
  };
}

function repeatedHeaderNote(lines: readonly number[], sheetRow: CsvSource['sheetRow']): string {
  return sheetRow
    ? repeatedHeaders(
        lines.flatMap(line => sheetRow(line) ?? []),
        'Row',
      )
    : repeatedHeaders(lines);
}

function renamed(sniffed: Sniffed, names: readonly string[]): Sniffed {
  return {
    ...sniffed,
    columns: sniffed.columns.map(({ type }, i) => ({ name: names[i] ?? `column${i}`, type })),
  };
}

/** Texts such as `n/a` count as nulls if more columns then have a type, unless the options name the nulls. */
async function withNullTokens(
  { connection, reading }: CsvSource,
  { csv, sniffAgain }: DetectedFormat,
): Promise<{ readonly csv: CsvFormat; readonly notes: readonly string[] }> {
  const plain = { csv, notes: [] };
  if (reading?.nulls || csv.sniffed.columns.every(column => column.type !== 'VARCHAR')) return plain;
  const lenient = await sniffAgain([...alwaysNull, ...noValues]).catch(() => undefined);
  if (
    !lenient ||
    typedColumns(lenient) <= typedColumns(csv.sniffed) ||
    lenient.columns.length !== csv.sniffed.columns.length
  )
    return plain;
  const used = await usedNulls(connection, csv, noValues);
  return used.length === 0
    ? plain
    : {
        csv: { ...csv, sniffed: lenient, nulls: [...alwaysNull, ...used] },
        notes: [readAsNull(used)],
      };
}

function typedColumns(sniffed: Sniffed): number {
  return sniffed.columns.filter(column => column.type !== 'VARCHAR').length;
}

/** The types to read the columns with; those to be converted later are read as text. */
interface InferredTypes {
  readonly types: Map<string, string>;
  /** Columns with a declared type, which they get when they are loaded. */
  readonly declared: readonly string[];
  /** Columns of dates or times whose order of day and month has to be detected from all values. */
  readonly dates: readonly string[];
  readonly notes: readonly string[];
}

async function inferTypes({ connection, reading }: CsvSource, csv: CsvFormat): Promise<InferredTypes> {
  const { sniffed } = csv;
  const types = new Map(sniffed.columns.map(column => [column.name, column.type]));
  const { codes, exact, rounded } = await numbersAsWritten(connection, readAsText(csv), sniffed.columns);
  for (const [name, type] of exact) types.set(name, type);
  for (const name of codes) types.set(name, 'VARCHAR');
  // The reader would take 1:30 and 01:30:00 for the same time of day.
  for (const [name, type] of types)
    if (type === 'TIME' && namesOfDurations.test(name)) types.set(name, 'VARCHAR');
  // Columns with declared types are read as text and converted later, so that every value that does not fit
  // is counted.
  const declared = Object.keys(reading?.columns ?? {}).filter(name => types.has(name));
  for (const name of declared) types.set(name, 'VARCHAR');
  // The sniffer takes the first order that matches, and leading two-digit years. Such dates are detected
  // later from all values.
  const dates =
    !reading?.dates && beginsWithYears(sniffed)
      ? []
      : sniffed.columns
          .filter(column => types.get(column.name) === 'DATE' || types.get(column.name) === 'TIMESTAMP')
          .map(column => column.name);
  for (const name of dates) types.set(name, 'VARCHAR');
  return { types, declared, dates, notes: digitNotes({ exact: [...exact.keys()], rounded, codes }) };
}

/**
 * Loads the file into `data`. The reader takes a quoted "" or "NA" for a text, not a number, and `inf` for a
 * date: such columns are read as text and converted afterwards.
 */
async function load(connection: DuckDBConnection, csv: CsvFormat, types: Map<string, string>): Promise<void> {
  const read = async () => {
    await connection.run('drop table if exists reject_errors; drop table if exists reject_scans');
    await connection.run(
      `create or replace table data as select * from read_csv(${fileText(csv.file)}, ${readOptions(csv, types)}, store_rejects = true, rejects_limit = 0)`,
    );
  };
  await read();
  const misread = [
    ...(await columnsWithRejectedValues(connection)),
    ...(await columnsOfWordsAsDates(connection, csv, types)),
  ];
  if (misread.length === 0) return;
  const wanted = new Map(misread.map(name => [name, types.get(name) ?? 'VARCHAR']));
  for (const name of misread) types.set(name, 'VARCHAR');
  await read();
  for (const [name, type] of wanted)
    if (!isTemporalType(type)) await convertColumn(connection, name, type, csv.nulls);
}

/** Converts text columns of `data` to their declared types, and those of dates to dates. */
async function convertTexts(
  { connection, reading }: CsvSource,
  declared: readonly string[],
  dates: readonly string[],
): Promise<DeclaredColumns> {
  const converted = await convertDeclared(connection, declared, reading);
  const isDeclared = new Set(declared);
  const texts = (await rowsOf(connection, 'describe data'))
    .filter(([name, type]) => type === 'VARCHAR' && !isDeclared.has(String(name)))
    .map(([name]) => String(name));
  const found = await convertDates(connection, texts, reading, dates);
  return {
    notes: [...converted.notes, ...found.notes],
    nulled: [...converted.nulled, ...found.nulled],
    questions: [...converted.questions, ...(found.question ? [found.question] : [])],
  };
}

/** Compares the rows of `data` and the rejected ones with a count of the file's own lines. */
async function accountForRows(
  { connection, original }: CsvSource,
  { file, sniffed }: CsvFormat,
  { values, repeatedHeaderLines }: DetectedFormat,
) {
  const rejected = await rejectedRows(connection, original);
  const [kept] = await rowsOf(connection, 'select count(*) from data');
  const rowsKept = Number(kept![0]);
  const counted = await countRecords(file, sniffed.skip, sniffed, values);
  const rowsRead = counted.records - (sniffed.hasHeader ? 1 : 0);
  const unaccounted = rowsRead - rowsKept - rejected.total;
  const notes = oddLines(counted, values, sniffed, repeatedHeaderLines);
  if (unaccounted !== 0)
    notes.push(
      `A count of the file's lines differs by ${Math.abs(unaccounted)} from the rows found: quotes may be unbalanced.`,
    );
  return { rowsRead, rowsKept, rejected, notes };
}
