import type { TableFile } from '@belvedere/document';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoted, rowsOf } from '../sql-text.ts';
import { convertDates, type DateType } from '../columns/date-formats.ts';

/** Limit for rows times files, because each file requires a pass over all rows. */
const maxSamples = 100_000_000;
const looksLikeDate = '[0-9]{1,4}[-/. ][0-9]{1,2}[-/. ][0-9]{1,4}([ T,].*)?';

/**
 * Converts date columns that some files write day-first and other files month-first, using each file's own
 * order. Every file must be unambiguous. The rows of `raw`, numbered by `file`, are in the same order as
 * those of `main.data`.
 * @param columns text columns of `main.data`
 * @param idOf the name of a column in `raw`
 */
export async function convertDatesByFile(
  connection: DuckDBConnection,
  columns: readonly string[],
  idOf: (column: string) => string,
  reading: Pick<TableFile, 'dates' | 'nulls'> = {},
): Promise<string[]> {
  const notes: string[] = [];
  const types = new Map(
    (await rowsOf(connection, 'describe data')).map(([name, type]) => [String(name), String(type)]),
  );
  const open = columns.filter(column => types.get(column) === 'VARCHAR' && idOf(column) !== 'c-1');
  if (open.length === 0 || reading.dates !== undefined) return notes;
  const possible: string[] = [];
  for (let start = 0; start < open.length; start += 50) {
    const some = open.slice(start, start + 50);
    const tests = some.map(
      column => `bool_and(regexp_full_match(trim(${quoted(column)}), '${looksLikeDate}'))`,
    );
    const [row] = await rowsOf(connection, `select ${tests.join(', ')} from data`);
    possible.push(...some.filter((_, i) => row![i] === true));
  }
  if (possible.length === 0) return notes;
  const files = (
    await rowsOf(connection, 'select file, count(*) from raw group by 1 order by min(rowid)')
  ).map(([file, rows]) => ({ file: Number(file), rows: Number(rows) }));
  if (files.length * files.reduce((sum, { rows }) => sum + rows, 0) > maxSamples) return notes;
  await connection.run('alter table data rename to whole');
  for (const column of possible) {
    const type = await convertOne(
      connection,
      column,
      idOf(column),
      files.map(({ file }) => file),
      reading,
    );
    if (type) {
      await connection.run(
        `create table data as select whole.* replace (dates_by_file.value as ${quoted(column)}) from whole positional join dates_by_file`,
      );
      await connection.run('drop table whole; alter table data rename to whole');
      notes.push(`“${column}” is read as dates, in each file in its own order of day, month and year.`);
    }
  }
  await connection.run('alter table whole rename to data');
  return notes;
}

/**
 * Fills `dates_by_file` with a column's converted values in row order.
 * @returns their type; undefined if a file is ambiguous
 */
async function convertOne(
  connection: DuckDBConnection,
  column: string,
  id: string,
  files: readonly number[],
  reading: Pick<TableFile, 'dates' | 'nulls'>,
): Promise<DateType | undefined> {
  const found = new Set<string>();
  await connection.run('create or replace temp table dates_by_file (value varchar)');
  for (const file of files) {
    await connection.run(
      `create table data as select ${quoted(id)} as ${quoted(column)} from raw where file = ${file}`,
    );
    await convertDates(connection, [column], reading);
    const [[type], [filled]] = [
      (await rowsOf(connection, 'describe data'))[0]!.slice(1),
      (await rowsOf(connection, `select count(${quoted(column)}) from data`))[0]!,
    ];
    if (Number(filled) > 0) found.add(String(type));
    await connection.run(
      `insert into dates_by_file select ${quoted(column)}::varchar from data; drop table data`,
    );
  }
  const type: DateType | undefined =
    found.has('VARCHAR') || (found.has('TIMESTAMP WITH TIME ZONE') && found.size > 1)
      ? undefined
      : found.has('TIMESTAMP WITH TIME ZONE')
        ? 'timestamptz'
        : found.has('TIMESTAMP')
          ? 'timestamp'
          : 'date';
  if (type) await connection.run(`alter table dates_by_file alter value type ${type}`);
  return type;
}
