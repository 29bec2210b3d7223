import type { TableFile } from '@belvedere/document';
import type { DuckDBConnection } from '@duckdb/node-api';
import { columnsOf } from '../../duckdb/read-result.ts';
import { convertNumberedDates } from './numbered-dates.ts';
import { quoted, rowsOf } from '../sql-text.ts';
import { convertWholeNames } from './keep-whole-names.ts';
import { convertDates, type DateFormats } from './date-formats.ts';

/**
 * Converts text columns of dates to dates, integer columns of dates or timestamps to those, and identifiers
 * with decimals to integers. Nested values become JSON text.
 * @param decided columns with a declared type or an open question
 */
export async function refineTypes(
  connection: DuckDBConnection,
  decided: ReadonlySet<string>,
  reading: Pick<TableFile, 'dates' | 'nulls'> = {},
): Promise<Pick<DateFormats, 'notes' | 'question'>> {
  const result = await connection.run('select * from data limit 0');
  const columns = columnsOf(result).map(({ name, type, engineType }) => ({
    name,
    type,
    sqlType: String(engineType),
  }));
  // The driver reports JSON columns as VARCHAR, so the catalogue is read instead. Times of day become texts
  // that sort correctly.
  const described = new Map(
    (await rowsOf(connection, 'describe data')).map(([name, type]) => [String(name), String(type)]),
  );
  for (const { name } of columns) {
    const type = described.get(name)!;
    if (type === 'JSON')
      await connection.run(`alter table data alter ${quoted(name)} type varchar using ${quoted(name)}->>'$'`);
    else if (/^TIME( |$)|^TIME_NS|^UUID/.test(type) && !type.startsWith('TIMESTAMP'))
      await connection.run(`alter table data alter ${quoted(name)} type varchar`);
  }
  for (const { name, sqlType } of columns.filter(column => column.type === 'other')) {
    const expression = /\[|STRUCT|MAP|UNION|JSON/.test(sqlType)
      ? `to_json(${quoted(name)})::varchar`
      : `${quoted(name)}::varchar`;
    await connection.run(`alter table data alter ${quoted(name)} type varchar using ${expression}`);
  }
  const open = columns.filter(({ name }) => !decided.has(name));
  const texts = open
    .filter(column => column.type === 'text' && column.sqlType === 'VARCHAR')
    .map(({ name }) => name);
  const { notes, question } = await convertDates(connection, texts, reading);
  const whole = await convertWholeNames(
    connection,
    open.filter(({ type }) => type === 'number' || type === 'decimal').map(({ name }) => name),
  );
  const numbered = await convertNumberedDates(connection, [
    ...open.filter(({ type }) => type === 'integer' || type === 'number').map(({ name }) => name),
    ...whole.filter(name => open.some(column => column.name === name && column.type === 'decimal')),
  ]);
  return { notes: [...notes, ...numbered], ...(question && { question }) };
}
