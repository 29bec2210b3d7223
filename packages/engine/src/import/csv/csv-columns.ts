import type { DuckDBConnection } from '@duckdb/node-api';
import { csvOptions } from './csv-options.ts';
import type { Sniffed } from './sniff-csv.ts';
import { fileText, isOneOf, quoted, rowsOf, text } from '../sql-text.ts';

/** A delimited file and all that the engine has to know to read it. */
export interface CsvFormat {
  readonly file: string;
  readonly sniffed: Sniffed;
  readonly nulls: readonly string[];
}

/** SQL for a table of the file's rows with every cell as text; malformed rows are left out. */
export function readAsText(csv: CsvFormat): string {
  return `read_csv(${fileText(csv.file)}, ${readOptions(csv, 'text')}, ignore_errors = true)`;
}

/** Options to read the columns as `types`, or as detected where it has none. */
export function readOptions(
  { sniffed, nulls }: CsvFormat,
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

/** The null tokens that occur as a whole cell in the file. */
export async function usedNulls(
  connection: DuckDBConnection,
  csv: CsvFormat,
  tokens: readonly string[],
): Promise<string[]> {
  const cells = csv.sniffed.columns.map(({ name }) => quoted(name));
  const [row] = await rowsOf(
    connection,
    `select ${tokens.map(token => `bool_or(list_contains([${cells.join(', ')}], ${text(token)}))`).join(', ')} from ${readAsText({ ...csv, nulls: [''] })}`,
  );
  return tokens.filter((_, i) => row![i] === true);
}

/** Columns with a single distinct word that is not clearly a boolean: `NO` may be Norway. */
export async function columnsOfOneWord(
  connection: DuckDBConnection,
  csv: CsvFormat,
  types: ReadonlyMap<string, string>,
): Promise<string[]> {
  const names = csv.sniffed.columns
    .filter(({ name }) => types.get(name) === 'BOOLEAN')
    .map(({ name }) => name);
  if (names.length === 0) return [];
  const tests = names.map(
    name =>
      `count(distinct lower(${quoted(name)})) < 2 and not coalesce(bool_or(lower(${quoted(name)}) in ('true', 'false')), false)`,
  );
  const [row] = await rowsOf(connection, `select ${tests.join(', ')} from ${readAsText(csv)}`);
  return names.filter((_, i) => row![i] === true);
}

/** Whether the order of day and month is certain in all its date formats. */
export function beginsWithYears({ dateFormat, timestampFormat }: Sniffed): boolean {
  return [dateFormat, timestampFormat].every(format => format === null || format.startsWith('%Y'));
}

/** Columns with values that their detected type does not accept, for which their rows were rejected. */
export async function columnsWithRejectedValues(connection: DuckDBConnection): Promise<string[]> {
  const rows = await rowsOf(
    connection,
    `select distinct column_name from reject_errors where error_type = 'CAST' and column_name is not null`,
  );
  return rows.map(([name]) => String(name));
}

export const isTemporalType = (type: string | undefined) => /^(?:DATE|TIMESTAMP)/.test(type ?? '');

/** The engine's values for `epoch`, and for `infinity` in a known date format. */
const readOfWords = ['1970-01-01', '1900-01-01'];

/** Columns detected as dates in which `infinity` or `epoch` is a word. */
export async function columnsOfWordsAsDates(
  connection: DuckDBConnection,
  csv: CsvFormat,
  types: ReadonlyMap<string, string>,
): Promise<string[]> {
  const dates = csv.sniffed.columns.map(({ name }) => name).filter(name => isTemporalType(types.get(name)));
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
    readAsText(csv),
  );
}

/** Gives a text column of `data` a type if all of its values fit. */
export async function convertColumn(
  connection: DuckDBConnection,
  name: string,
  type: string,
  nulls: readonly string[],
): Promise<void> {
  const value = `case when not ${isOneOf(quoted(name), nulls)} then ${quoted(name)} end`;
  const [row] = await rowsOf(
    connection,
    `select count(${value}) - count(try_cast(${value} as ${type})) from data`,
  );
  if (Number(row![0]) === 0)
    await connection.run(
      `alter table data alter ${quoted(name)} type ${type} using try_cast(${value} as ${type})`,
    );
}
