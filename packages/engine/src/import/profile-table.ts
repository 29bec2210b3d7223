import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import {
  isNumeric,
  isTemporal,
  type ColumnProfile,
  type DataType,
  type TableProfile,
} from '@belvedere/model';
import { columnsOf } from '../duckdb/read-result.ts';
import { quoted, rowsOf, text } from './sql-text.ts';

const exactRows = 200_000;
const topValues = 8;
/** Past so many columns nobody reads their values' counts, and a query each would take long. */
const listedColumns = 200;
/** Of a text column with fewer different values, all are kept beside a large table. */
const fewValues = 10_000;

/** Beside `data`, with all values of some text columns, so that nobody needs to group the table to know them. */
export const valuesTable = 'data_values';

/** A query for the values of a column of an attached table, as `value`; it gives none where they were not kept, and fails of a table that has no such list. */
export function keptValues(alias: string, column: string): string {
  return `select value from ${quoted(alias)}."main".${quoted(valuesTable)} where "column" = ${text(column)}`;
}

/** Counts what is in `main.data`, column by column; of a large table it keeps the values of texts that have few (`valuesTable`). */
export async function profileTable(connection: DuckDBConnection, name: string): Promise<TableProfile> {
  const result = await connection.run('select * from data limit 0');
  const columns = columnsOf(result).map(({ name: column, type }) => ({ name: column, type }));
  const [count] = await rowsOf(connection, 'select count(*) from data');
  const rows = Number(count![0]);
  const isExact = rows <= exactRows;
  if (!isExact)
    await connection.run(`create table ${valuesTable} ("column" varchar, value varchar, rows bigint)`);
  const profiles: ColumnProfile[] = [];
  for (let start = 0; start < columns.length; start += 40) {
    const some = columns.slice(start, start + 40);
    // A question takes the longer the more columns its table has, also those that it does not name.
    if (isExact)
      await connection.run(
        `create or replace temp table ${part} as select ${some.map(column => quoted(column.name)).join(', ')} from data`,
      );
    const from = isExact ? part : 'data';
    const [row] = await rowsOf(
      connection,
      `select ${some.flatMap(column => aggregates(column, isExact)).join(', ')} from ${from}`,
    );
    const distincts = isExact ? await distinctValues(connection, some) : [];
    for (const [i, column] of some.entries())
      profiles.push(
        await profileOf(
          connection,
          from,
          column,
          row!.slice(i * perColumn, (i + 1) * perColumn),
          distincts[i],
          rows,
          isExact,
          start + i < listedColumns,
        ),
      );
  }
  await connection.run(`drop table if exists ${part}`);
  return { name, rows, columns: profiles };
}

/** Some columns of a table that is counted exactly, while they are counted. */
const part = 'data_part';
const perColumn = 7;

function aggregates({ name, type }: { name: string; type: DataType }, isExact: boolean): string[] {
  const column = quoted(name);
  const distinct = isExact ? 'null' : `approx_count_distinct(${column})`;
  // Neither infinity nor NaN is an end of an axis, nor can JSON say them. Types that have none are not asked for them, value by value.
  const finite =
    type === 'number'
      ? `case when isfinite(${column}::double) then ${column}::double end`
      : isTemporal(type)
        ? `case when isfinite(${column}) then ${column} end`
        : column;
  const bound = (which: 'min' | 'max') =>
    isTemporal(type)
      ? `epoch_ms(${which}(${finite})::timestamp)`
      : isNumeric(type)
        ? `${which}(${finite})::double`
        : type === 'text'
          ? `left(${which}(${column}), 100)`
          : 'null';
  // Asked for both, the engine goes through the values once.
  const quantile = (which: 1 | 2) =>
    isNumeric(type)
      ? `${isExact ? 'quantile_disc' : 'approx_quantile'}(${finite}, [0.01, 0.99])[${which}]::double`
      : 'null';
  return [
    `count(*) - count(${column})`,
    type === 'text' ? `count(*) filter (where ${column} = '')` : '0',
    distinct,
    bound('min'),
    bound('max'),
    quantile(1),
    quantile(2),
  ];
}

/** How many different values each column of `part` has. As aggregates each would make tables of its own for every thread, however few rows there are. */
async function distinctValues(
  connection: DuckDBConnection,
  columns: readonly { readonly name: string }[],
): Promise<number[]> {
  const counts = columns.map(
    ({ name }, i) =>
      `select ${i} as i, count(*) as values from (select distinct ${quoted(name)} from ${part} where ${quoted(name)} is not null)`,
  );
  return (await rowsOf(connection, `select values from (${counts.join(' union all ')}) order by i`)).map(
    ([count]) => Number(count),
  );
}

async function profileOf(
  connection: DuckDBConnection,
  from: string,
  column: { name: string; type: DataType },
  row: readonly DuckDBValue[],
  exactDistinct: number | undefined,
  rows: number,
  isExact: boolean,
  isEarly: boolean,
): Promise<ColumnProfile> {
  const [nulls, empties, nearDistinct, min, max, low, high] = row;
  const distinct = exactDistinct ?? Number(nearDistinct);
  const plain = (value: DuckDBValue | undefined) =>
    value === null || value === undefined ? undefined : typeof value === 'string' ? value : Number(value);
  const isListed =
    isEarly &&
    (column.type === 'text' || column.type === 'boolean' || (column.type === 'integer' && distinct <= 1000));
  const top =
    isListed && rows > 0
      ? await topOf(connection, from, column, !isExact && column.type === 'text' && distinct < fewValues)
      : [];
  return {
    ...column,
    nulls: Number(nulls),
    empties: Number(empties),
    distinct: Math.min(distinct, rows),
    isDistinctExact: isExact,
    ...defined({
      min: plain(min),
      max: plain(max),
      low: plain(low) as number | undefined,
      high: plain(high) as number | undefined,
    }),
    top: top.map(([value, count]) => ({ value: value === null ? null : String(value), rows: Number(count) })),
  };
}

/** The most frequent values, and how many rows have them. @param isKept whether all values are kept, too */
async function topOf(
  connection: DuckDBConnection,
  from: string,
  { name }: { name: string },
  isKept: boolean,
): Promise<DuckDBValue[][]> {
  if (isKept)
    await connection.run(
      `insert into ${valuesTable} select ${text(name)}, ${quoted(name)}::varchar, count(*) from data group by 2`,
    );
  const counted = isKept
    ? `select left(value, 200), sum(rows) from ${valuesTable} where "column" = ${text(name)}`
    : `select left(${quoted(name)}::varchar, 200), count(*) from ${from}`;
  return rowsOf(connection, `${counted} group by 1 order by 2 desc, 1 limit ${topValues}`);
}

/** How many values of the table's columns are no finite numbers, in words. */
export async function notFinite(connection: DuckDBConnection): Promise<string[]> {
  const names = columnsOf(await connection.run('select * from data limit 0'))
    .filter(({ type }) => type === 'number')
    .map(({ name }) => name);
  const notes: string[] = [];
  for (let start = 0; start < names.length; start += 40) {
    const some = names.slice(start, start + 40);
    const [row] = await rowsOf(
      connection,
      `select ${some.map(name => `count(*) filter (where not isfinite(${quoted(name)}::double))`).join(', ')} from data`,
    );
    for (const [i, name] of some.entries()) {
      const count = Number(row![i]);
      if (count > 0)
        notes.push(
          `${count.toLocaleString('en')} ${count === 1 ? 'value' : 'values'} of “${name}” ${count === 1 ? 'is' : 'are'} not finite (NaN or infinity) and excluded from its range.`,
        );
    }
  }
  return notes;
}

function defined<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}
