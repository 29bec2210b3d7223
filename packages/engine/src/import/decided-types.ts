import type { TableFile } from '@belvedere/document';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoted, rowsOf, text } from './sql-text.ts';
import { numberWritten } from './written-numbers.ts';

const dateOrders: Readonly<Record<NonNullable<TableFile['dates']>, readonly string[]>> = {
  'day first': ['%d{s}%m{s}%Y', '%d{s}%m{s}%y'],
  'month first': ['%m{s}%d{s}%Y', '%m{s}%d{s}%y'],
  'year first': ['%Y{s}%m{s}%d', '%y{s}%m{s}%d'],
};

/** A date's formats in an order, with each separator, a time of day after it or not. */
function formatsFor(order: NonNullable<TableFile['dates']>, isTime: boolean): string {
  const days = ['/', '.', '-'].flatMap(mark => dateOrders[order].map(format => format.replaceAll('{s}', mark)));
  const formats = isTime ? days.flatMap(day => [`${day} %H:%M:%S`, `${day} %H:%M`, `${day} %I:%M:%S %p`, `${day} %I:%M %p`, day]) : days;
  return `[${formats.map(text).join(', ')}]`;
}

/** Turns a column of texts into dates where all of it is dates in that order, or, where it was taken for dates, whatever of it is. */
export async function convertDates(connection: DuckDBConnection, name: string, order: NonNullable<TableFile['dates']>, mustBe: boolean): Promise<string[]> {
  const parsed = `try_strptime(trim(${quoted(name)}), ${formatsFor(order, true)})`;
  const [row] = await rowsOf(connection, `select count(${quoted(name)}), count(${parsed}), bool_and(${parsed}::date::timestamp = ${parsed}) from data`);
  const [filled, read, areDays] = row!;
  if (Number(filled) === 0 || (Number(read) < Number(filled) && !mustBe)) return [];
  await connection.run(`alter table data alter ${quoted(name)} type ${areDays === true ? 'date' : 'timestamp'} using ${parsed}`);
  return [`“${name}” is read as dates, ${order}.`, ...missed(name, Number(filled) - Number(read))];
}

/** Turns a column into the type somebody decided on; what does not fit is no value, and counted. */
export async function convertAsDecided(connection: DuckDBConnection, name: string, type: NonNullable<TableFile['columns']>[string], { dates, decimal }: TableFile): Promise<string[]> {
  if (type === 'text') return [`“${name}” is text, as decided.`];
  const written = numberWritten(quoted(name), decimal ?? '.');
  const plain = decimal === ',' ? `replace(replace(trim(${quoted(name)}), '.', ''), ',', '.')` : `replace(trim(${quoted(name)}), ',', '')`;
  const ordered = dates ? `, try_strptime(trim(${quoted(name)}), ${formatsFor(dates, true)})` : '';
  const expressions = {
    integer: [`coalesce(try_cast(${written} as bigint), try_cast(${plain} as bigint))`, 'bigint'],
    decimal: [`coalesce(try_cast(${written} as decimal(38, 10)), try_cast(${plain} as decimal(38, 10)))`, 'decimal(38, 10)'],
    number: [`coalesce(try_cast(${written} as double), try_cast(${plain} as double))`, 'double'],
    boolean: [`case when lower(trim(${quoted(name)})) in ('true', 't', 'yes', 'y', '1') then true when lower(trim(${quoted(name)})) in ('false', 'f', 'no', 'n', '0') then false end`, 'boolean'],
    date: [`coalesce(try_cast(${quoted(name)} as date)${ordered})::date`, 'date'],
    time: [`coalesce(try_cast(${quoted(name)} as timestamp)${ordered})`, 'timestamp'],
  } as const;
  const [expression, sqlType] = expressions[type];
  const [row] = await rowsOf(connection, `select count(${quoted(name)}) - count(${expression}) from data`);
  await connection.run(`alter table data alter ${quoted(name)} type ${sqlType} using ${expression}`);
  return [`“${name}” is ${type}, as decided.`, ...missed(name, Number(row![0]))];
}

function missed(name: string, count: number): string[] {
  return count === 0 ? [] : [`${count.toLocaleString('en')} ${count === 1 ? 'value' : 'values'} of “${name}” did not fit and ${count === 1 ? 'is' : 'are'} read as no value.`];
}

/** Gives the columns of a table that has been read the types somebody decided on, whatever they were read as. */
export async function applyDecided(connection: DuckDBConnection, reading: TableFile): Promise<string[]> {
  const known = new Map((await rowsOf(connection, 'describe data')).map(([name, type]) => [String(name), String(type)]));
  const notes: string[] = [];
  for (const [name, type] of Object.entries(reading.columns ?? {})) {
    if (!known.has(name)) continue;
    if (known.get(name) !== 'VARCHAR') await connection.run(`alter table data alter ${quoted(name)} type varchar`);
    notes.push(...(await convertAsDecided(connection, name, type, reading)));
  }
  return notes;
}
