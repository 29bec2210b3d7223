import type { TableFile } from '@belvedere/document';
import type { DuckDBConnection } from '@duckdb/node-api';
import { stat } from 'node:fs/promises';
import { convertAsDeclared } from './declared-types.ts';
import { countRecords, type CountedRecords } from './count-records.ts';
import { columnsBegin, withColumnsByPosition } from './fixed-width.ts';
import { withDoubledQuotes } from './escaped-quotes.ts';
import { areYearsAsNames, cellsOf, headerLines, type HeaderLines } from './header-lines.ts';
import { withOneLineEnd } from './line-ends.ts';
import { findOverlongLine } from './line-length-limit.ts';
import { readFileStart } from '../regular-file.ts';
import { numbersAsWritten } from './numbers-as-written.ts';
import { firstSentence, rejectedRows } from './rejected-rows.ts';
import { linesOfRows } from './row-lines.ts';
import type { Locate } from './mostly-typed.ts';
import { decodeText } from './decode-text.ts';
import { preambleLines, skippedLines } from './preamble.ts';
import type { UnpackedBytes } from './unpacked-bytes.ts';
import { withoutRepeatedHeader } from './repeated-header.ts';
import {
  ImportError,
  together,
  type ImportQuestion,
  type ImportReport,
  type NulledValues,
} from './report.ts';
import { quoted, rowsOf, text } from './sql-text.ts';
import { type Stage } from './progress.ts';
import { linesNamed } from './unreadable-bytes.ts';
import { having, leadingZeros, listed } from './column-notes.ts';
import { convertDates } from './date-formats.ts';
import { namesOfDurations } from './durations.ts';
import { noValues } from './number-formats.ts';

/** The format of a file, as detected by the engine. */
export interface Sniffed {
  readonly delimiter: string;
  readonly quote: string;
  readonly escape: string;
  readonly comment: string;
  readonly skip: number;
  readonly hasHeader: boolean;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly dateFormat: string | null;
  readonly timestampFormat: string | null;
}

export const alwaysNull = ['', '\\N'];
/** Time and memory grow faster than the number of columns; 50,000 columns exhaust both. */
export const maxColumns = 20_000;
export const maxLineBytes = 16 * 2 ** 20;
export const maxHeaderBytes = 256 * 1024;

/** The report on text files, and a function that locates rows in them. */
export interface CsvReport {
  readonly report: ImportReport;
  readonly locate: Locate;
}

/** Imports a CSV file into `main.data`, and reports on it. */
export async function importCsv(
  connection: DuckDBConnection,
  original: string,
  folder: string,
  produced: UnpackedBytes,
  reading?: TableFile,
  stage: Stage = () => {},
): Promise<CsvReport> {
  const plain = await decodeText(original, folder, produced, reading?.encoding);
  if ((await stat(plain.file)).size === 0) throw new ImportError(original, undefined, 'This file is empty.');
  const { file: delimited, notes: endNotes } = await withOneLineEnd(plain.file, folder, produced);
  const overlong = await findOverlongLine(delimited, maxLineBytes);
  if (overlong !== undefined)
    throw new ImportError(
      original,
      overlong,
      `Line ${overlong} of this file is longer than ${maxLineBytes / 2 ** 20} MiB, the maximum for a row. Shorten or remove it.`,
    );
  const notes: string[] = [...plain.notes, ...endNotes];
  const questions: ImportQuestion[] = [];
  const nulled: NulledValues[] = [];
  const skip = reading?.skip ?? (await preambleLines(delimited));
  if (skip > 0) notes.push(skippedLines(skip));
  const byPosition =
    reading?.delimiter === undefined
      ? await withColumnsByPosition(delimited, skip, folder, produced)
      : undefined;
  if (byPosition) notes.push(columnsBegin(byPosition.starts));
  const lined = byPosition?.file ?? delimited;
  let nulls: readonly string[] = reading?.nulls ? ['', ...reading.nulls] : alwaysNull;
  stage(0, 20);
  const dialect = await sniff(connection, lined, skip, nulls, original, reading);
  const isEscaped = dialect.escape === '\\' && dialect.quote !== '';
  if (isEscaped) notes.push(`A quote within quotes is written \\${dialect.quote}.`);
  const doubled = isEscaped ? await withDoubledQuotes(lined, folder, produced, dialect.quote) : lined;
  const first = isEscaped ? await sniff(connection, doubled, skip, nulls, original, reading) : dialect;
  const header = await headerOf(doubled, first);
  const once =
    header?.isOfNames && reading?.header !== false
      ? await withoutRepeatedHeader(doubled, header.text, folder, produced)
      : undefined;
  if (once)
    notes.push(
      `${linesNamed(once.lines, once.lines.length)} ${once.lines.length === 1 ? 'repeats the header and is' : 'repeat the header and are'} skipped.`,
    );
  const file = once?.file ?? doubled;
  const found = once ? await sniff(connection, file, skip, nulls, original, reading) : first;
  const headers =
    found.hasHeader && reading?.header === undefined ? await namesInLines(file, found) : undefined;
  const again = async (tokens: readonly string[]) =>
    headers
      ? renamed(
          await sniff(
            connection,
            file,
            found.skip + headers.lines,
            tokens,
            original,
            { ...reading, header: false },
            found,
          ),
          headers.names,
        )
      : sniff(connection, file, skip, tokens, original, reading, found);
  let sniffed = headers ? await again(nulls) : found;
  if (headers) notes.push(`The first ${headers.lines} lines name the columns.`);
  if (sniffed.columns.length > maxColumns)
    throw new ImportError(
      original,
      undefined,
      `With “${sniffed.delimiter}” as the delimiter this file has ${sniffed.columns.length} columns; the maximum is ${maxColumns}. Set another delimiter in the import options, or check for unbalanced quotes.`,
    );
  stage(20, 40);
  const isTextAmong = sniffed.columns.some(column => column.type === 'VARCHAR');
  const lenient =
    reading?.nulls || !isTextAmong
      ? undefined
      : await again([...alwaysNull, ...noValues]).catch(() => undefined);
  const typed = (found: Sniffed) => found.columns.filter(column => column.type !== 'VARCHAR').length;
  if (lenient && typed(lenient) > typed(sniffed) && lenient.columns.length === sniffed.columns.length) {
    const used = await usedNulls(connection, file, sniffed, noValues);
    if (used.length > 0) {
      sniffed = lenient;
      nulls = [...alwaysNull, ...used];
      notes.push(`${used.map(token => `“${token}”`).join(', ')} in a column is imported as null.`);
    }
  }
  const types = new Map(sniffed.columns.map(column => [column.name, column.type]));
  stage(40, 50);
  const { codes, exact, rounded } = await numbersAsWritten(
    connection,
    `read_csv(${text(file)}, ${readOptions(sniffed, nulls, 'text')}, ignore_errors = true)`,
    sniffed.columns,
  );
  for (const [name, type] of exact) types.set(name, type);
  if (exact.size > 0)
    notes.push(`${having(exact.keys())} more digits than a standard number holds. All digits are kept.`);
  if (rounded.length > 0)
    notes.push(`${having(rounded)} more digits than a number can hold. Values are rounded.`);
  for (const name of codes) types.set(name, 'VARCHAR');
  if (codes.length > 0) notes.push(leadingZeros(codes));
  // The reader would take 1:30 and 01:30:00 for the same time of day.
  for (const [name, type] of types)
    if (type === 'TIME' && namesOfDurations.test(name)) types.set(name, 'VARCHAR');
  // Columns with declared types are read as text and converted later, so that every value that does not fit
  // is counted.
  const decided = Object.entries(reading?.columns ?? {}).filter(([name]) => types.has(name));
  for (const [name] of decided) types.set(name, 'VARCHAR');
  // The sniffer takes the first order that matches, and leading two-digit years. Such dates are detected
  // later from all values.
  const ordered =
    !reading?.dates && beginsWithYears(sniffed)
      ? []
      : sniffed.columns
          .filter(column => types.get(column.name) === 'DATE' || types.get(column.name) === 'TIMESTAMP')
          .map(column => column.name);
  for (const name of ordered) types.set(name, 'VARCHAR');
  stage(50, 65);
  for (const name of await columnsOfOneWord(connection, file, sniffed, nulls, types))
    types.set(name, 'VARCHAR');
  if (!sniffed.hasHeader && !headers) notes.push('The file has no header line, so columns are numbered.');

  stage(65, 95);
  const load = async () => {
    await connection.run('drop table if exists reject_errors; drop table if exists reject_scans');
    await connection.run(
      `create or replace table data as select * from read_csv(${text(file)}, ${readOptions(sniffed, nulls, types)}, store_rejects = true, rejects_limit = 0)`,
    );
  };
  await load();
  const misread = [
    ...(await columnsWithRejectedValues(connection)),
    ...(await columnsOfWordsAsDates(connection, file, sniffed, nulls, types)),
  ];
  if (misread.length > 0) {
    // The reader takes a quoted "" or "NA" for a text, not a number, and `inf` for a date. Such columns are
    // read as text and converted later.
    const wanted = new Map(misread.map(name => [name, types.get(name) ?? 'VARCHAR']));
    for (const name of misread) types.set(name, 'VARCHAR');
    await load();
    for (const [name, type] of wanted)
      if (!isTemporalType(type)) await convertColumn(connection, name, type, nulls);
  }
  for (const [name, type] of decided) {
    const {
      notes: said,
      nulled: values,
      question,
    } = await convertAsDeclared(connection, name, type, reading!);
    notes.push(...said);
    if (values) nulled.push(values);
    if (question) questions.push(question);
  }
  const isDecided = new Set(decided.map(([name]) => name));
  const texts = (await rowsOf(connection, 'describe data'))
    .filter(([, type]) => type === 'VARCHAR')
    .map(([name]) => String(name));
  const dates = await convertDates(
    connection,
    texts.filter(name => !isDecided.has(name)),
    reading,
    ordered,
  );
  notes.push(...dates.notes);
  if (dates.question) questions.push(dates.question);
  nulled.push(...dates.nulled);
  const rejected = await rejectedRows(connection, original);
  const [kept] = await rowsOf(connection, 'select count(*) from data');
  const rowsKept = Number(kept![0]);
  const named = found.hasHeader && !headers && header ? header.cells : sniffed.columns.length;
  const counted = await countRecords(file, sniffed.skip, sniffed, named);
  notes.push(...oddLines(counted, named, sniffed, once?.lines ?? []));
  const rowsRead = counted.records - (sniffed.hasHeader ? 1 : 0);
  const unaccounted = rowsRead - rowsKept - rejected.total;
  if (unaccounted !== 0)
    notes.push(
      `A count of the file's lines differs by ${Math.abs(unaccounted)} from the rows found: quotes may be unbalanced.`,
    );
  const report: ImportReport = {
    rowsRead,
    rowsKept,
    rowsRejected: rejected.total,
    rejected: rejected.rows,
    encoding: plain.encoding,
    delimiter: sniffed.delimiter,
    hasHeader: found.hasHeader,
    skippedLines: found.skip,
    notes,
    ...together(questions),
    ...(nulled.length > 0 && { nulled }),
  };
  const locate: Locate = async rows => {
    const lines = await linesOfRows(
      { file, skip: sniffed.skip, marks: sniffed, hasHeader: sniffed.hasHeader },
      rows,
      rejected,
    );
    return new Map([...lines].map(([row, line]) => [row, { file: original, line }]));
  };
  return { report, locate };
}

/** Notes on the irregular lines of a CSV file. */
export function oddLines(
  { ragged, empty, comments, unbalanced }: CountedRecords,
  named: number,
  { columns, comment }: Sniffed,
  left: readonly number[],
): string[] {
  const emptied = {
    first: empty.first.filter(line => !left.includes(line)),
    total: empty.total - left.length,
  };
  const added = columns.slice(named).map(({ name }) => name);
  const more =
    added.length > 0
      ? ` ${listed(added)} ${added.length === 1 ? 'is a column' : 'are columns'} added for the extra values.`
      : '';
  const one = (lines: { readonly total: number }, single: string, many: string) =>
    lines.total === 1 ? single : many;
  return [
    ...(ragged.total > 0
      ? [
          `${linesNamed(ragged.first, ragged.total)} ${one(ragged, 'does', 'do')} not have the expected ${named} values. Missing values are null.${more}`,
        ]
      : []),
    ...(comments.total > 0
      ? [
          `${linesNamed(comments.first, comments.total)} ${one(comments, 'begins', 'begin')} with “${comment}” and ${one(comments, 'is', 'are')} skipped as ${one(comments, 'a comment', 'comments')}.`,
        ]
      : []),
    ...(unbalanced.total > 0
      ? [
          `${linesNamed(unbalanced.first, unbalanced.total)} ${one(unbalanced, 'has', 'have')} ` +
            'a quote that is never closed, so quotes in this file are read as text.',
        ]
      : []),
    ...(emptied.total > 0 && columns.length > 1
      ? [
          `${linesNamed(emptied.first, emptied.total)} ${one(emptied, 'is empty and', 'are empty and')} skipped.`,
        ]
      : []),
  ];
}

/**
 * The line that could be a file's header, and its number of names. The cells themselves and a number or date
 * below decide whether it is a header. In a table of texts, a line equal to the first may be a row.
 */
export async function headerOf(
  file: string,
  { skip, comment, quote, delimiter }: Sniffed,
): Promise<{ text: string; cells: number; isOfNames: boolean } | undefined> {
  const lines = (await readFileStart(file, maxHeaderBytes))
    .toString('utf8')
    .split('\n')
    .slice(skip)
    .map(line => line.replace(/\r$/, ''));
  const at = lines.findIndex(line => line !== '' && (comment === '' || !line.startsWith(comment)));
  const cells = at < 0 ? undefined : cellsOf(lines[at]!, delimiter, quote);
  if (!cells) return undefined;
  const areNames =
    cells.length > 1 &&
    new Set(cells).size === cells.length &&
    cells.every(cell => /^\s*[\p{L}_]/u.test(cell));
  const below = lines.slice(at + 1, at + 20).find(line => line !== '' && line !== lines[at]);
  const isOfNames =
    areNames &&
    below !== undefined &&
    (cellsOf(below, delimiter, quote) ?? []).some(cell => /^\s*[-+]?\d/.test(cell));
  return { text: lines[at]!, cells: cells.length, isOfNames };
}

/**
 * The names of a file's columns if they span several lines. Lines are skipped physically, so names that
 * contain line breaks are not supported here.
 */
export async function namesInLines(
  file: string,
  { skip, quote, delimiter }: Sniffed,
): Promise<HeaderLines | undefined> {
  const lines = (await readFileStart(file, maxHeaderBytes))
    .toString('utf8')
    .split('\n')
    .slice(skip, skip + 3);
  const records = lines.map(line => cellsOf(line.replace(/\r$/, ''), delimiter, quote));
  return records.every(record => record !== undefined) ? headerLines(records) : undefined;
}

function renamed(sniffed: Sniffed, names: readonly string[]): Sniffed {
  return {
    ...sniffed,
    columns: sniffed.columns.map(({ type }, i) => ({ name: names[i] ?? `column${i}`, type })),
  };
}

/** Columns with a single distinct word that is not clearly a boolean: `NO` may be Norway. */
async function columnsOfOneWord(
  connection: DuckDBConnection,
  file: string,
  sniffed: Sniffed,
  nulls: readonly string[],
  types: ReadonlyMap<string, string>,
): Promise<string[]> {
  const names = sniffed.columns.filter(({ name }) => types.get(name) === 'BOOLEAN').map(({ name }) => name);
  if (names.length === 0) return [];
  const tests = names.map(
    name =>
      `count(distinct lower(${quoted(name)})) < 2 and not coalesce(bool_or(lower(${quoted(name)}) in ('true', 'false')), false)`,
  );
  const [row] = await rowsOf(
    connection,
    `select ${tests.join(', ')} from read_csv(${text(file)}, ${readOptions(sniffed, nulls, 'text')}, ignore_errors = true)`,
  );
  return names.filter((_, i) => row![i] === true);
}

/** Whether the order of day and month is certain in all its date formats. */
function beginsWithYears({ dateFormat, timestampFormat }: Sniffed): boolean {
  return [dateFormat, timestampFormat].every(format => format === null || format.startsWith('%Y'));
}

/** @param known the delimiters and quotes, if detected before; detecting them takes most of the time */
export async function sniff(
  connection: DuckDBConnection,
  file: string,
  skipLines: number,
  nulls: readonly string[],
  original: string,
  reading?: Pick<TableFile, 'delimiter' | 'header'>,
  known?: Sniffed,
): Promise<Sniffed> {
  try {
    const given = [
      ...(skipLines > 0 ? [`skip = ${skipLines}`] : []),
      ...(known
        ? [
            `delim = ${text(known.delimiter)}`,
            `quote = ${text(known.quote)}`,
            `escape = ${text(known.escape)}`,
            ...(known.comment === '' ? [] : [`comment = ${text(known.comment)}`]),
          ]
        : reading?.delimiter
          ? [`delim = ${text(reading.delimiter)}`]
          : []),
      ...(reading?.header === undefined ? [] : [`header = ${reading.header}`]),
    ];
    const query = `select "Delimiter", "Quote", "Escape", "SkipRows", "HasHeader", to_json("Columns"), "DateFormat", "TimestampFormat", "Comment"
      from sniff_csv(${text(file)}, sample_size = -1, max_line_size = ${maxLineBytes}, nullstr = [${nulls.map(text).join(', ')}], ignore_errors = true, null_padding = true${given.map(option => `, ${option}`).join('')})`;
    const [row] = await rowsOf(connection, query);
    const [delimiter, quote, escape, skip, hasHeader, columns, dateFormat, timestampFormat, comment] = row!;
    if (
      hasHeader === false &&
      reading?.header === undefined &&
      (await namesYears(file, Number(skip), String(delimiter), plainMark(quote)))
    )
      return await sniff(connection, file, skipLines, nulls, original, { ...reading, header: true }, known);
    return {
      delimiter: String(delimiter),
      quote: plainMark(quote),
      escape: plainMark(escape),
      comment: plainMark(comment),
      skip: Number(skip),
      // The sniffer cannot detect a header if every column is text. Then `.dat` files count as having none,
      // other files as having one.
      hasHeader:
        reading?.header ?? (hasHeader === true && !(original.endsWith('.dat') && isAllText(String(columns)))),
      columns: namedColumns(
        JSON.parse(String(columns)) as Sniffed['columns'],
        reading?.header === undefined && original.endsWith('.dat') && isAllText(String(columns)),
      ),
      dateFormat: dateFormat === null ? null : String(dateFormat),
      timestampFormat: timestampFormat === null ? null : String(timestampFormat),
    };
  } catch (error) {
    throw new ImportError(
      original,
      lineIn((error as Error).message),
      `Could not read this file as delimited text. ${firstSentence((error as Error).message)}`,
    );
  }
}

async function namesYears(file: string, skip: number, delimiter: string, quote: string): Promise<boolean> {
  const lines = (await readFileStart(file, maxHeaderBytes))
    .toString('utf8')
    .split('\n')
    .slice(skip, skip + 20)
    .map(line => cellsOf(line.replace(/\r$/, ''), delimiter, quote) ?? []);
  const [first = [], ...below] = lines.filter(cells => cells.some(cell => cell.trim() !== ''));
  return areYearsAsNames(first, below);
}

function readOptions(
  sniffed: Sniffed,
  nulls: readonly string[],
  types: ReadonlyMap<string, string> | 'text',
): string {
  const columns = sniffed.columns.map(
    ({ name, type }) => [name, types === 'text' ? 'VARCHAR' : (types.get(name) ?? type)] as const,
  );
  return [
    ...csvOptions(sniffed, { skip: sniffed.skip, hasHeader: sniffed.hasHeader, columns, nulls }),
    ...(sniffed.dateFormat ? [`dateformat = ${text(sniffed.dateFormat)}`] : []),
    ...(sniffed.timestampFormat ? [`timestampformat = ${text(sniffed.timestampFormat)}`] : []),
  ].join(', ');
}

interface CsvLayout {
  readonly skip: number;
  readonly hasHeader: boolean;
  /** Column names with their SQL types, in file order. */
  readonly columns: readonly (readonly [string, string])[];
  readonly nulls: readonly string[];
}

/** Options of the engine's CSV reader that disable all its guesses. */
export function csvOptions(
  { delimiter, quote, escape, comment }: Pick<Sniffed, 'delimiter' | 'quote' | 'escape' | 'comment'>,
  { skip, hasHeader, columns, nulls }: CsvLayout,
): string[] {
  return [
    'auto_detect = false',
    `delim = ${text(delimiter)}`,
    `quote = ${text(quote)}`,
    `escape = ${text(escape)}`,
    ...(comment === '' ? [] : [`comment = ${text(comment)}`]),
    `skip = ${skip}`,
    `header = ${hasHeader}`,
    `columns = {${columns.map(([name, type]) => `${text(name)}: ${text(type)}`).join(', ')}}`,
    `nullstr = [${nulls.map(text).join(', ')}]`,
    'allow_quoted_nulls = false',
    'null_padding = true',
    'parallel = false',
    `max_line_size = ${maxLineBytes}`,
    'hive_partitioning = false',
  ];
}

/** Columns with values that their detected type does not accept, for which their rows were rejected. */
async function columnsWithRejectedValues(connection: DuckDBConnection): Promise<string[]> {
  const rows = await rowsOf(
    connection,
    `select distinct column_name from reject_errors where error_type = 'CAST' and column_name is not null`,
  );
  return rows.map(([name]) => String(name));
}

const isTemporalType = (type: string | undefined) => /^(?:DATE|TIMESTAMP)/.test(type ?? '');

/** The engine's values for `epoch`, and for `infinity` in a known date format. */
const readOfWords = ['1970-01-01', '1900-01-01'];

/** Columns detected as dates in which `infinity` or `epoch` is a word. */
async function columnsOfWordsAsDates(
  connection: DuckDBConnection,
  file: string,
  sniffed: Sniffed,
  nulls: readonly string[],
  types: ReadonlyMap<string, string>,
): Promise<string[]> {
  const dates = sniffed.columns.map(({ name }) => name).filter(name => isTemporalType(types.get(name)));
  const among = async (names: readonly string[], test: (name: string) => string, from: string) => {
    if (names.length === 0) return [];
    const [row] = await rowsOf(connection, `select ${names.map(test).join(', ')} from ${from}`);
    return names.filter((_, i) => row![i] === true);
  };
  const possible = await among(
    dates,
    name =>
      // Lists (`in`) take the engine time that grows with the square of the columns.
      `bool_or(${[`not isfinite(${quoted(name)})`, ...readOfWords.map(day => `${quoted(name)}::timestamp = ${text(day)}`)].join(' or ')})`,
    'data',
  );
  return among(
    possible,
    name => `bool_or(not regexp_matches(trim(${quoted(name)}), '^[0-9]'))`,
    `read_csv(${text(file)}, ${readOptions(sniffed, nulls, 'text')}, ignore_errors = true)`,
  );
}

async function convertColumn(
  connection: DuckDBConnection,
  name: string,
  type: string,
  nulls: readonly string[],
): Promise<void> {
  const value = `case when ${quoted(name)} not in (${nulls.map(text).join(', ')}) then ${quoted(name)} end`;
  const [row] = await rowsOf(
    connection,
    `select count(${value}) - count(try_cast(${value} as ${type})) from data`,
  );
  if (Number(row![0]) === 0)
    await connection.run(
      `alter table data alter ${quoted(name)} type ${type} using try_cast(${value} as ${type})`,
    );
}

/** The null tokens that occur as a whole cell in the file. */
async function usedNulls(
  connection: DuckDBConnection,
  file: string,
  sniffed: Sniffed,
  tokens: readonly string[],
): Promise<string[]> {
  const cells = sniffed.columns.map(({ name }) => `"${name.replaceAll('"', '""')}"`);
  const [row] = await rowsOf(
    connection,
    `select ${tokens.map(token => `bool_or(list_contains([${cells.join(', ')}], ${text(token)}))`).join(', ')} from read_csv(${text(file)}, ${readOptions(sniffed, [''], 'text')}, ignore_errors = true)`,
  );
  return tokens.filter((_, i) => row![i] === true);
}

/** The sniffer prints “no quote” as `(empty)` or a NUL. */
function plainMark(mark: unknown): string {
  const character = String(mark ?? '');
  return character === '\0' || character === '(empty)' ? '' : character;
}

function lineIn(message: string): number | undefined {
  const match = /\bline:? (\d+)/i.exec(message);
  return match ? Number(match[1]) : undefined;
}

function isAllText(columns: string): boolean {
  return (JSON.parse(columns) as Sniffed['columns']).every(column => column.type === 'VARCHAR');
}

function namedColumns(columns: Sniffed['columns'], isNumbered: boolean): Sniffed['columns'] {
  return isNumbered ? columns.map(({ type }, i) => ({ name: `column${i}`, type })) : columns;
}
