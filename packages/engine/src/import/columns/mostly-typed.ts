import type { TableFile } from '@belvedere/document';
import type { DuckDBConnection } from '@duckdb/node-api';
import { mayBeDates, datesAsDeclared } from './date-formats.ts';
import { noValues, numberWritten } from './number-formats.ts';
import type { MostlyTyped, ValueLocation } from '../report.ts';
import { isOneOf, quoted, rowsOf } from '../sql-text.ts';

/**
 * Maps row numbers of `main.data` to the locations of their values in one of its columns, all counted from 0.
 * Rows whose location is unknown are omitted.
 */
export type Locate = (rows: readonly number[], column: number) => Promise<ReadonlyMap<number, ValueLocation>>;

/** The maximum number of reported misfits, and the maximum share of misfits. */
const maxNamed = 5;
const maxMisfits = 0.1;
const sampledRows = 2000;
const maxColumns = 300;

/**
 * Finds columns that are text only because of a few values, while nearly all others are numbers or dates. At
 * most one value in ten may not fit; a single value may not fit if two others do.
 * @param columns text columns without a declared type
 */
export async function mostlyTyped(
  connection: DuckDBConnection,
  columns: readonly string[],
  locate: Locate,
  reading: Pick<TableFile, 'decimal' | 'dates' | 'nulls'> = {},
): Promise<MostlyTyped[]> {
  const found: MostlyTyped[] = [];
  const tried = columns.slice(0, maxColumns);
  const first = await firstValues(connection, tried, reading);
  for (const [i, column] of tried.entries()) {
    const values = first[i]!;
    if (values.length < 2) continue;
    const number = { type: 'number' as const, ...numbers(column, reading) };
    const isNumber = (value: string) =>
      /^[-+(]?[^\w\s]{0,2} ?[-+]?[\d.,' ]*\d[\d.,']*([eE][-+]?\d+)?\s?[^\w\s]{0,2}\)?$/.test(value);
    const share = (test: (value: string) => boolean) => values.filter(test).length / values.length;
    // Values with leading zeros are codes, not numbers.
    const type =
      share(isNumber) > 0.5 && !values.some(value => /^0\d/.test(value))
        ? number
        : share(mayBeDates) > 0.5
          ? await dates(connection, column, values, reading)
          : undefined;
    const one = type && (await misfitsOf(connection, column, type, locate, reading));
    if (one) found.push(one);
  }
  return found;
}

interface Tried {
  readonly type: MostlyTyped['type'];
  /** SQL for the value converted to the type, null if it does not fit. */
  readonly expression: string;
}

/**
 * The first values of each column. Several columns at once, because in tables of thousands of columns a
 * statement of any size takes long.
 */
async function firstValues(
  connection: DuckDBConnection,
  columns: readonly string[],
  reading: Pick<TableFile, 'nulls'>,
): Promise<string[][]> {
  const values: string[][] = [];
  for (let start = 0; start < columns.length; start += 50) {
    const some = columns.slice(start, start + 50);
    const cells = some.map(column => `left(${filled(column, reading)}, 100)`).join(', ');
    const from = `(select ${some.map(quoted).join(', ')} from data limit ${sampledRows})`;
    const rows = await rowsOf(connection, `select ${cells} from ${from}`);
    values.push(...some.map((_, i) => rows.flatMap(row => (row[i] === null ? [] : [String(row[i])]))));
  }
  return values;
}

/** SQL for a value; null tokens are null. */
function filled(column: string, { nulls }: Pick<TableFile, 'nulls'>): string {
  const value = `trim(${quoted(column)})`;
  return `case when not ${isOneOf(value, ['', ...(nulls ? [] : noValues)])} then ${value} end`;
}

function numbers(column: string, { decimal }: Pick<TableFile, 'decimal'>): Pick<Tried, 'expression'> {
  const value = `trim(${quoted(column)})`;
  return {
    expression: `coalesce(try_cast(${numberWritten(quoted(column), decimal ?? '.')} as double), try_cast(case when regexp_full_match(${value}, '[-+]?[0-9]+[.]?[0-9]*[eE][-+]?[0-9]+') then ${value} end as double))`,
  };
}

async function dates(
  connection: DuckDBConnection,
  column: string,
  values: readonly string[],
  reading: Pick<TableFile, 'dates' | 'nulls'>,
): Promise<Tried | undefined> {
  const type = values.some(value => mayBeDates(value) && /\d:\d/.test(value)) ? 'time' : 'date';
  const decided = await datesAsDeclared(connection, column, type, reading);
  return 'kind' in decided ? undefined : { type, expression: decided.expression };
}

async function misfitsOf(
  connection: DuckDBConnection,
  column: string,
  { type, expression }: Tried,
  locate: Locate,
  reading: Pick<TableFile, 'nulls'>,
): Promise<MostlyTyped | undefined> {
  const value = filled(column, reading);
  const [row] = await rowsOf(
    connection,
    `select count(fits), count(value) - count(fits), ${type === 'number' ? 'bool_and(fits = floor(fits) and abs(fits) < 9e15) filter (where fits is not null)' : 'false'}, bool_or(regexp_matches(value, '^0[0-9]')) from (select ${value} as value, ${expression} as fits from data)`,
  );
  const [fits, misfits] = [Number(row![0]), Number(row![1])];
  if (
    misfits === 0 ||
    (misfits > 1 && misfits > (fits + misfits) * maxMisfits) ||
    fits < 2 ||
    (type === 'number' && row![3] === true)
  )
    return undefined;
  const first = await rowsOf(
    connection,
    `select min(rowid), left(value, 200) as shown, count(*) from (select rowid, ${value} as value, ${expression} as fits from data) where value is not null and fits is null group by shown order by min(rowid) limit ${maxNamed}`,
  );
  const names = (await rowsOf(connection, 'describe data')).map(([name]) => String(name));
  const places = await locate(
    first.map(([at]) => Number(at)),
    names.indexOf(column),
  );
  return {
    column,
    type: row![2] === true ? 'integer' : type,
    fits,
    misfits,
    first: first.map(([at, misfit, count]) => ({
      ...places.get(Number(at)),
      value: String(misfit),
      ...(Number(count) > 1 && { count: Number(count) }),
    })),
  };
}
