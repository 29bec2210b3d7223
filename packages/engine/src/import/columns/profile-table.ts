import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import {
  isNumeric,
  isTemporal,
  type ColumnProfile,
  type DataType,
  type TableProfile,
} from '@belvedere/model';
import { columnsOf } from '../../duckdb/read-result.ts';
import { quoted, rowsOf, text } from '../sql-text.ts';

const exactRows = 200_000;
const topValues = 8;
/**
 * Limit for columns with counted values. Users do not read the counts of more columns, and each column costs
 * a query.
 */
const listedColumns = 200;
/** For text columns with fewer distinct values, large tables store all distinct values. */
const fewValues = 10_000;

/**
 * A table beside `data` with all distinct values of some text columns, so that no query has to group the
 * table to find them.
 */
export const valuesTable = 'data_values';

/**
 * A query for the stored distinct values of a column of an attached table, as `value`. Empty if none were
 * stored; it fails for a table without `valuesTable`.
 */
export function keptValues(alias: string, column: string): string {
  return `select value from ${quoted(alias)}."main".${quoted(valuesTable)} where "column" = ${text(column)}`;
}

/**
 * Profiles the columns of `main.data`. For large tables, it also stores the values of text columns with few
 * distinct values (`valuesTable`).
 */
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
    // The time of a query grows with the number of the table's columns, even of columns it does not use.
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
        await profileOf(connection, from, column, {
          figures: row!.slice(i * perColumn, (i + 1) * perColumn),
          exactDistinct: distincts[i],
          rows,
          isExact,
          isEarly: start + i < listedColumns,
        }),
      );
  }
  await connection.run(`drop table if exists ${part}`);
  return { name, rows, columns: profiles };
}

/** A temporary copy of some columns of a table that is counted exactly. */
const part = 'data_part';
const perColumn = 9;

function aggregates({ name, type }: { name: string; type: DataType }, isExact: boolean): string[] {
  const column = quoted(name);
  const distinct = isExact ? 'null' : `approx_count_distinct(${column})`;
  // Infinity and NaN cannot be limits of an axis and do not exist in JSON. Types without them skip the check
  // of every value.
  const finite =
    type === 'number'
      ? `case when isfinite(${column}::double) then ${column}::double end`
      : isTemporal(type)
        ? `case when isfinite(${column}) then ${column} end`
        : column;
  const bound = (which: 'min' | 'max') =>
    isTemporal(type)
      ? // Dates reach further than timestamps.
        type === 'instant'
        ? `epoch_ms(${which}(${finite}))`
        : `epoch_ms(try_cast(${which}(${finite}) as timestamp))`
      : isNumeric(type)
        ? `${which}(${finite})::double`
        : type === 'text'
          ? `left(${which}(${column}), 100)`
          : 'null';
  // One call for all quantiles, so that the engine reads the values once.
  const quantile = (which: 1 | 2 | 3 | 4) =>
    isNumeric(type)
      ? `${isExact ? 'quantile_disc' : 'approx_quantile'}(${finite}, [0.01, 0.25, 0.75, 0.99])[${which}]::double`
      : 'null';
  return [
    `count(*) - count(${column})`,
    type === 'text' ? `count(*) filter (where ${column} = '')` : '0',
    distinct,
    bound('min'),
    bound('max'),
    quantile(1),
    quantile(4),
    quantile(2),
    quantile(3),
  ];
}

/**
 * The number of distinct values of each column of `part`. As aggregates of one query, each would create hash
 * tables per thread, however few rows there are.
 */
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

interface ColumnFigures {
  /** The results of `aggregates` for the column. */
  readonly figures: readonly DuckDBValue[];
  readonly exactDistinct: number | undefined;
  /** Of the table. */
  readonly rows: number;
  readonly isExact: boolean;
  /** Whether the column is among the first, of which values are listed. */
  readonly isEarly: boolean;
}

async function profileOf(
  connection: DuckDBConnection,
  from: string,
  column: { name: string; type: DataType },
  { figures, exactDistinct, rows, isExact, isEarly }: ColumnFigures,
): Promise<ColumnProfile> {
  const [nulls, empties, nearDistinct, min, max, low, high, lowerQuartile, upperQuartile] = figures;
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
      lowerQuartile: plain(lowerQuartile) as number | undefined,
      upperQuartile: plain(upperQuartile) as number | undefined,
    }),
    top: top.map(([value, count]) => ({ value: value === null ? null : String(value), rows: Number(count) })),
  };
}

/**
 * The most frequent values with their row counts.
 * @param isKept whether all values are stored as well
 */
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

/** Notes on the number of non-finite values in the table's columns. */
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
