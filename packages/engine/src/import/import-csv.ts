import type { DuckDBConnection } from '@duckdb/node-api';
import { countRecords } from './count-records.ts';
import { toPlainText } from './plain-text.ts';
import { preambleLines } from './preamble.ts';
import { ImportError, type ImportReport, type RejectedRow } from './report.ts';
import { quoted, rowsOf, text } from './sql-text.ts';

interface Sniffed {
  readonly delimiter: string;
  readonly quote: string;
  readonly escape: string;
  readonly skip: number;
  readonly hasHeader: boolean;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly dateFormat: string | null;
  readonly timestampFormat: string | null;
}

const alwaysNull = ['', '\\N'];
const alsoNull = ['NA', 'N/A', '#N/A', '#NULL!', 'NULL', 'null', 'NaN', '-'];
const keptRejects = 1000;

/** Reads CSV files with the same columns into `main.data`, and says how. */
export async function importCsv(connection: DuckDBConnection, files: readonly string[], isHive: boolean, folder: string): Promise<ImportReport> {
  const texts = await Promise.all(files.map(file => toPlainText(file, folder)));
  const notes: string[] = [];
  const plain = texts.map(({ file }) => file);
  const list = `[${plain.map(text).join(', ')}]`;
  const first = plain[0]!;

  const skip = await preambleLines(first);
  if (skip > 0) notes.push(`${skip} lines above the header are skipped.`);
  let nulls = alwaysNull;
  let sniffed = await sniff(connection, first, skip, nulls, files[0]!);
  const lenient = await sniff(connection, first, skip, [...alwaysNull, ...alsoNull], files[0]!).catch(() => undefined);
  const typed = (found: Sniffed) => found.columns.filter(column => column.type !== 'VARCHAR').length;
  if (lenient && typed(lenient) > typed(sniffed) && lenient.columns.length === sniffed.columns.length) {
    const used = await usedNulls(connection, list, sniffed, alsoNull);
    if (used.length > 0) {
      sniffed = lenient;
      nulls = [...alwaysNull, ...used];
      notes.push(`${used.map(token => `“${token}”`).join(', ')} in a column is read as no value.`);
    }
  }
  const types = new Map(sniffed.columns.map(column => [column.name, column.type]));
  const codes = await columnsWithLeadingZeros(connection, list, sniffed, nulls);
  for (const name of codes) types.set(name, 'VARCHAR');
  if (codes.length > 0) notes.push(`${codes.map(name => `“${name}”`).join(', ')} has numbers with leading zeros: kept as text.`);
  if (sniffed.dateFormat && [...types.values()].includes('DATE') && !/^%Y-%m-%d$/.test(sniffed.dateFormat)) notes.push(`Dates are read as ${plainFormat(sniffed.dateFormat)}.`);
  if (!sniffed.hasHeader) notes.push('The file has no header line: columns are numbered.');

  const hive = isHive ? ', hive_partitioning = true' : '';
  const load = () => connection.run(`create or replace table data as select * from read_csv(${list}, ${readOptions(sniffed, nulls, types)}, store_rejects = true, rejects_limit = 0, union_by_name = ${files.length > 1}${hive})`);
  await load();
  const unquoted = await columnsRejectingNulls(connection, nulls);
  if (unquoted.length > 0) {
    // A quoted "" or "NA" is a text to the reader, and no number: such columns are read as text and converted after.
    const wanted = new Map(unquoted.map(name => [name, types.get(name) ?? 'VARCHAR']));
    for (const name of unquoted) types.set(name, 'VARCHAR');
    await connection.run('drop table reject_errors; drop table reject_scans');
    await load();
    for (const [name, type] of wanted) await convertColumn(connection, name, type, nulls);
  }
  const rejected = await rejectedRows(connection, files, plain);
  const [kept] = await rowsOf(connection, 'select count(*) from data');
  const rowsKept = Number(kept![0]);
  const records = await Promise.all(plain.map(file => countRecords(file, sniffed.skip, sniffed.quote, sniffed.escape)));
  const rowsRead = records.reduce((sum, count) => sum + count - (sniffed.hasHeader ? 1 : 0), 0);
  const unaccounted = rowsRead - rowsKept - rejected.total;
  if (unaccounted !== 0) notes.push(`A count of the file's lines differs by ${Math.abs(unaccounted)} from the rows found: quotes may be unbalanced.`);
  const encodings = [...new Set(texts.map(({ encoding }) => encoding))].join(', ');
  return {
    rowsRead,
    rowsKept,
    rowsRejected: rejected.total,
    rejected: rejected.rows,
    encoding: encodings,
    delimiter: sniffed.delimiter,
    hasHeader: sniffed.hasHeader,
    skippedLines: sniffed.skip,
    notes,
  };
}

async function sniff(connection: DuckDBConnection, file: string, skipLines: number, nulls: readonly string[], original: string): Promise<Sniffed> {
  try {
    const query = `select "Delimiter", "Quote", "Escape", "SkipRows", "HasHeader", to_json("Columns"), "DateFormat", "TimestampFormat"
      from sniff_csv(${text(file)}, sample_size = -1, nullstr = [${nulls.map(text).join(', ')}], ignore_errors = true, null_padding = true${skipLines > 0 ? `, skip = ${skipLines}` : ''})`;
    const [row] = await rowsOf(connection, query);
    const [delimiter, quote, escape, skip, hasHeader, columns, dateFormat, timestampFormat] = row!;
    return {
      delimiter: String(delimiter),
      quote: plainMark(quote),
      escape: plainMark(escape),
      skip: Number(skip),
      // Where every column is text the sniffer cannot tell; `.dat` files come without a header, others with one.
      hasHeader: hasHeader === true && !(original.endsWith('.dat') && isAllText(String(columns))),
      columns: namedColumns(JSON.parse(String(columns)) as Sniffed['columns'], original.endsWith('.dat') && isAllText(String(columns))),
      dateFormat: dateFormat === null ? null : String(dateFormat),
      timestampFormat: timestampFormat === null ? null : String(timestampFormat),
    };
  } catch (error) {
    throw new ImportError(original, lineIn((error as Error).message), `This does not read as a table of separated values. ${firstSentence((error as Error).message)}`);
  }
}

function readOptions(sniffed: Sniffed, nulls: readonly string[], types: ReadonlyMap<string, string> | 'text'): string {
  const columns = sniffed.columns.map(({ name, type }) => `${text(name)}: ${text(types === 'text' ? 'VARCHAR' : (types.get(name) ?? type))}`);
  return [
    'auto_detect = false',
    `delim = ${text(sniffed.delimiter)}`,
    `quote = ${text(sniffed.quote)}`,
    `escape = ${text(sniffed.escape)}`,
    `skip = ${sniffed.skip}`,
    `header = ${sniffed.hasHeader}`,
    `columns = {${columns.join(', ')}}`,
    `nullstr = [${nulls.map(text).join(', ')}]`,
    'allow_quoted_nulls = false',
    'null_padding = true',
    'parallel = false',
    'max_line_size = 16777216',
    ...(sniffed.dateFormat ? [`dateformat = ${text(sniffed.dateFormat)}`] : []),
    ...(sniffed.timestampFormat ? [`timestampformat = ${text(sniffed.timestampFormat)}`] : []),
  ].join(', ');
}

/** Columns in which nothing but a quoted null was in the way of a number, date or truth value. */
async function columnsRejectingNulls(connection: DuckDBConnection, nulls: readonly string[]): Promise<string[]> {
  const reasons = nulls.map(token => `error_message like ${text(`%Could not convert string "${token}" to%`)}`);
  const rows = await rowsOf(connection, `select distinct column_name from reject_errors where error_type = 'CAST' and (${reasons.join(' or ')})`);
  return rows.map(([name]) => String(name));
}

async function convertColumn(connection: DuckDBConnection, name: string, type: string, nulls: readonly string[]): Promise<void> {
  const value = `case when ${quoted(name)} not in (${nulls.map(text).join(', ')}) then ${quoted(name)} end`;
  const [row] = await rowsOf(connection, `select count(${value}) - count(try_cast(${value} as ${type})) from data`);
  if (Number(row![0]) === 0) await connection.run(`alter table data alter ${quoted(name)} type ${type} using try_cast(${value} as ${type})`);
}

/** The tokens that stand alone in a cell somewhere in the file. */
async function usedNulls(connection: DuckDBConnection, list: string, sniffed: Sniffed, tokens: readonly string[]): Promise<string[]> {
  const cells = sniffed.columns.map(({ name }) => `"${name.replaceAll('"', '""')}"`);
  const [row] = await rowsOf(connection, `select ${tokens.map(token => `bool_or(list_contains([${cells.join(', ')}], ${text(token)}))`).join(', ')} from read_csv(${list}, ${readOptions(sniffed, [''], 'text')}, ignore_errors = true)`);
  return tokens.filter((_, i) => row![i] === true);
}

async function columnsWithLeadingZeros(connection: DuckDBConnection, list: string, sniffed: Sniffed, nulls: readonly string[]): Promise<string[]> {
  const whole = sniffed.columns.filter(column => column.type === 'BIGINT').map(column => column.name);
  if (whole.length === 0) return [];
  const tests = whole.map(name => `bool_or(regexp_full_match("${name.replaceAll('"', '""')}", '\\s*0\\d+'))`);
  const [row] = await rowsOf(connection, `select ${tests.join(', ')} from read_csv(${list}, ${readOptions(sniffed, nulls, 'text')}, ignore_errors = true)`);
  return whole.filter((_, i) => row![i] === true);
}

async function rejectedRows(connection: DuckDBConnection, files: readonly string[], plain: readonly string[]): Promise<{ total: number; rows: RejectedRow[] }> {
  const [count] = await rowsOf(connection, 'select count(*) from (select distinct file_id, line from reject_errors)');
  const rows = await rowsOf(
    connection,
    `select s.file_path, e.line, any_value(e.column_name), any_value(e.error_message), any_value(e.csv_line)
     from reject_errors e join reject_scans s using (scan_id, file_id) group by all order by 1, 2 limit ${keptRejects}`,
  );
  return {
    total: Number(count![0]),
    rows: rows.map(([file, line, column, reason, csvLine]) => ({
      file: files[plain.indexOf(String(file))] ?? String(file),
      line: Number(line),
      ...(column !== null && { column: String(column) }),
      reason: firstSentence(String(reason)),
      ...(csvLine !== null && { text: String(csvLine).slice(0, 200) }),
    })),
  };
}

/** The sniffer prints “no quote” as an empty mark or a NUL. */
function plainMark(mark: unknown): string {
  const character = String(mark ?? '');
  return character === '\0' || character === '(empty)' ? '' : character;
}

function plainFormat(format: string): string {
  return format.replace('%Y', 'YYYY').replace('%y', 'YY').replace('%m', 'MM').replace('%d', 'DD').replace('%-m', 'M').replace('%-d', 'D');
}

function lineIn(message: string): number | undefined {
  const match = /\bline:? (\d+)/i.exec(message);
  return match ? Number(match[1]) : undefined;
}

function firstSentence(message: string): string {
  return message.replace(/^[A-Za-z ]+Error: /, '').split('\n')[0]!.slice(0, 300);
}

function isAllText(columns: string): boolean {
  return (JSON.parse(columns) as Sniffed['columns']).every(column => column.type === 'VARCHAR');
}

function namedColumns(columns: Sniffed['columns'], isNumbered: boolean): Sniffed['columns'] {
  return isNumbered ? columns.map(({ type }, i) => ({ name: `column${i}`, type })) : columns;
}
