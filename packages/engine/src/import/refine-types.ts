import type { DuckDBConnection } from '@duckdb/node-api';
import { columnsOf } from '../duckdb/read-result.ts';
import { quoted, rowsOf } from './sql-text.ts';

const patterns = [
  { cast: (name: string) => `cast(${name} as date)`, pattern: '\\d{4}-\\d{2}-\\d{2}', type: 'date', says: 'dates' },
  { cast: (name: string) => `cast(${name} || '-01' as date)`, pattern: '\\d{4}-(0[1-9]|1[0-2])', type: 'date', says: 'months (their first day)' },
  { cast: (name: string) => `cast(${name} as timestamptz)`, pattern: '\\d{4}-\\d{2}-\\d{2}[T ]\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?(Z|[+-]\\d{2}(:?\\d{2})?)', type: 'timestamptz', says: 'moments in time' },
  { cast: (name: string) => `cast(${name} as timestamp)`, pattern: '\\d{4}-\\d{2}-\\d{2}[T ]\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?', type: 'timestamp', says: 'dates and times' },
] as const;

/** Among so many rows most columns have a value. */
const earlyRows = 10_000;

/**
 * Text columns that hold nothing but ISO dates become dates, whole numbers that are milliseconds since 1970 become instants.
 * Nested values become JSON text. Returns what was done, in words.
 */
export async function refineTypes(connection: DuckDBConnection): Promise<string[]> {
  const notes: string[] = [];
  const result = await connection.run('select * from data limit 0');
  const columns = columnsOf(result).map(({ name, type, engineType }) => ({ name, type, sqlType: String(engineType) }));
  // The driver calls JSON columns VARCHAR; the catalogue knows better. Times of day are texts that sort rightly.
  const described = new Map((await rowsOf(connection, 'describe data')).map(([name, type]) => [String(name), String(type)]));
  for (const { name } of columns) {
    const type = described.get(name)!;
    if (type === 'JSON') await connection.run(`alter table data alter ${quoted(name)} type varchar using ${quoted(name)}->>'$'`);
    else if (/^TIME( |$)|^TIME_NS|^UUID/.test(type) && !type.startsWith('TIMESTAMP')) await connection.run(`alter table data alter ${quoted(name)} type varchar`);
  }
  for (const { name, sqlType } of columns.filter(column => column.type === 'other')) {
    const expression = /\[|STRUCT|MAP|UNION|JSON/.test(sqlType) ? `to_json(${quoted(name)})::varchar` : `${quoted(name)}::varchar`;
    await connection.run(`alter table data alter ${quoted(name)} type varchar using ${expression}`);
  }
  const texts = columns.filter(column => column.type === 'text' && column.sqlType === 'VARCHAR');
  for (let start = 0; start < texts.length; start += 50) {
    const some = texts.slice(start, start + 50);
    const [early] = await rowsOf(connection, `select ${some.map(({ name }) => `any_value(${quoted(name)})`).join(', ')} from (select ${some.map(({ name }) => quoted(name)).join(', ')} from data limit ${earlyRows})`);
    // What one value is not the column is not: of most columns no more needs to be read.
    const possible = some.flatMap(({ name }, i) => {
      const value = early![i];
      return patterns.filter(({ pattern }) => typeof value !== 'string' || new RegExp(`^(?:${pattern})$`).test(value)).map(pattern => ({ name, ...pattern }));
    });
    if (possible.length === 0) continue;
    const [row] = await rowsOf(connection, `select ${possible.flatMap(({ name, pattern }) => [`count(${quoted(name)})`, `count(*) filter (where not regexp_full_match(${quoted(name)}, '${pattern}'))`]).join(', ')} from data`);
    const found = new Map(possible.filter((_, i) => Number(row![2 * i]) > 0 && Number(row![2 * i + 1]) === 0).toReversed().map(one => [one.name, one]));
    for (const { name } of some) {
      const one = found.get(name);
      if (!one) continue;
      try {
        await connection.run(`alter table data alter ${quoted(name)} type ${one.type} using ${one.cast(quoted(name))}`);
        notes.push(`“${name}” is read as ${one.says}.`);
      } catch {
        // It looked like dates and is none, such as 2024-02-31: the text stays.
      }
    }
  }
  for (const { name } of columns.filter(column => column.type === 'integer' && /time|date|updated|created|timestamp/i.test(column.name))) {
    const [row] = await rowsOf(connection, `select min(${quoted(name)}) > 600000000000 and max(${quoted(name)}) < 4000000000000 from data`);
    if (row![0] !== true) continue;
    await connection.run(`alter table data alter ${quoted(name)} type timestamptz using to_timestamp(${quoted(name)} / 1000.0)`);
    notes.push(`“${name}” is read as milliseconds since 1970.`);
  }
  return notes;
}
