import type { DuckDBConnection } from '@duckdb/node-api';
import { quoted, rowsOf } from '../sql-text.ts';

/** Names of columns whose integers may be timestamps: `created_at`, `eventTime`, `ts`. */
const namesOfMoments =
  /(?<!down|life|run|up)time|stamp|epoch|unix|updated|created|modified|(^|[^a-z])(when|date|at|ts|since|until|seen|start|end|expires)($|[^a-z])|(?<!candi|man|up|vali)date$|[a-z](At|On|Ts)$/;
/** Names of columns whose integers may be dates: `date`, `Datum`, `order_day`. */
const namesOfDays =
  /(?<!candi|man|up|vali)date|datum|fecha|(^|[^a-z])(day|tag|dia|jour|giorno|dag|data|dt|when)($|[^a-z])/;

/** Names of columns whose integers may be months: `month`, `YYYYMM`, `periode`. */
const namesOfMonths = /month|monat|period|yyyymm|(^|[^a-z])(mois|mes|mese|ym)($|[^a-z])/;

const from1990 = 631_152_000;
const to2100 = 4_102_444_800;
const units = [
  { says: 'seconds', perSecond: 1 },
  { says: 'milliseconds', perSecond: 1e3 },
  { says: 'microseconds', perSecond: 1e6 },
] as const;

/** Other integers that are digits of dates, if the name says so. */
const whole = [
  {
    format: '%Y%m%d%H%M%S',
    from: 19_000_101_000_000,
    below: 21_010_101_000_000,
    names: new RegExp(`${namesOfMoments.source}|${namesOfDays.source}`),
    type: 'timestamp',
    says: 'dates and times such as 20240131235959',
    kind: 'times',
  },
  {
    format: '%Y%m',
    from: 190_001,
    below: 210_101,
    names: namesOfMonths,
    type: 'date',
    says: 'months such as 202401 (their first day)',
    kind: 'months',
  },
] as const;

/**
 * The minimum number of distinct dates, in more than one month, to assume dates without a matching name. Of
 * arbitrary integers of this form, only one in 27 is a valid date.
 */
const fewestDays = 5;

/**
 * Converts columns of `main.data` that are digits of dates (`20231031`, `202310`) or timestamps counted from
 * 1970. Every value must be valid and the name must match; for dates, many distinct values suffice. Returns
 * notes on the conversions.
 */
export async function convertNumberedDates(
  connection: DuckDBConnection,
  columns: readonly string[],
): Promise<string[]> {
  const notes: string[] = [];
  const extents = await extentsOf(connection, columns);
  for (const [i, column] of columns.entries()) {
    const [min, max] = extents[i]!;
    const name = quoted(column);
    if (min >= 19_000_101 && max <= 21_001_231 && (await areDays(connection, column))) {
      await connection.run(
        `alter table data alter ${name} type date using strptime(${name}::varchar, '%Y%m%d')::date`,
      );
      notes.push(
        `“${column}” is imported as dates such as 20240131. If these are not dates, set its type to integer.`,
      );
      continue;
    }
    const form = whole.find(({ from, below, names }) => min >= from && max < below && isNamed(names, column));
    if (form && (await areAll(connection, column, form.format))) {
      const moment = `strptime(${name}::varchar, '${form.format}')`;
      await connection.run(`alter table data alter ${name} type ${form.type} using ${moment}::${form.type}`);
      notes.push(
        `“${column}” is imported as ${form.says}. If these are not ${form.kind}, set its type to integer.`,
      );
      continue;
    }
    const unit = isNamed(namesOfMoments, column)
      ? units.find(({ perSecond }) => min >= from1990 * perSecond && max < to2100 * perSecond)
      : undefined;
    if (unit === undefined) continue;
    await connection.run(
      `alter table data alter ${name} type timestamptz using make_timestamptz((${name} * ${1e6 / unit.perSecond})::bigint)`,
    );
    notes.push(
      `“${column}” is imported as ${unit.says} since 1970. If these are not times, set its type to integer.`,
    );
  }
  return notes;
}

/** Names may use separators (`created_at`) or camel case (`createdAt`). */
function isNamed(names: RegExp, column: string): boolean {
  return names.test(column) || names.test(column.toLowerCase());
}

async function extentsOf(
  connection: DuckDBConnection,
  columns: readonly string[],
): Promise<(readonly [number, number])[]> {
  const extents: (readonly [number, number])[] = [];
  for (let start = 0; start < columns.length; start += 50) {
    const some = columns.slice(start, start + 50).map(quoted);
    const [row] = await rowsOf(
      connection,
      `select ${some.flatMap(name => [`min(${name})::double`, `max(${name})::double`]).join(', ')} from data`,
    );
    extents.push(
      ...some.map(
        (_, i) => [Number(row![2 * i] ?? Number.NaN), Number(row![2 * i + 1] ?? Number.NaN)] as const,
      ),
    );
  }
  return extents;
}

async function areAll(connection: DuckDBConnection, column: string, format: string): Promise<boolean> {
  const name = quoted(column);
  const [row] = await rowsOf(
    connection,
    `select count(${name}) = count(try_strptime(${name}::varchar, '${format}')) from data`,
  );
  return row![0] === true;
}

async function areDays(connection: DuckDBConnection, column: string): Promise<boolean> {
  const distinct = `select distinct ${quoted(column)} as value from data where ${quoted(column)} is not null`;
  const [row] = await rowsOf(
    connection,
    `select count(*), count(try_strptime(value::varchar, '%Y%m%d')), count(distinct value // 100) from (${distinct})`,
  );
  const [values, days, months] = row!.map(Number) as [number, number, number];
  return days === values && (isNamed(namesOfDays, column) || (values >= fewestDays && months > 1));
}
