import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { once } from 'node:events';
import { ImportError, type ImportReport } from './report.ts';
import { quoted, rowsOf, text } from './sql-text.ts';

/** In bytes. The engine sets many times the longest line aside before it reads the first. */
const usualLine = 2 * 2 ** 20;

/** The tables and views of an SQLite file. @throws ImportError where it is none */
export function tablesOfSqlite(file: string): string[] {
  return withSqlite(file, database => database.prepare("select name from sqlite_schema where type in ('table', 'view') and name not like 'sqlite_%' order by name").all().map(row => String(row['name'])));
}

/**
 * Copies a table of an SQLite file into `main.data`. Its columns hold values of any type: one that holds whole numbers only is whole,
 * one of numbers only a number, anything else text.
 */
export async function importSqliteTable(connection: DuckDBConnection, file: string, table: string, folder: string): Promise<ImportReport> {
  const copy = path.join(folder, 'sqlite.csv');
  const out = createWriteStream(copy);
  const { columns, mixed, rows, longest } = await withSqlite(file, async database => {
    const from = quoted(table);
    const names = (database.prepare(`select * from ${from} limit 0`).columns() as { name: string }[]).map(column => column.name);
    const typed = names.map(name => {
      const found = database.prepare(`select distinct typeof(${quoted(name)}) as type from ${from}`).all().map(row => String(row['type'])).filter(type => type !== 'null');
      const type = found.length === 0 ? 'VARCHAR' : found.every(one => one === 'integer') ? 'BIGINT' : found.every(one => one === 'integer' || one === 'real') ? 'DOUBLE' : 'VARCHAR';
      return { name, type, isMixed: type === 'VARCHAR' && found.some(one => one !== 'text') };
    });
    const select = typed.map(({ name, type }) => (type === 'VARCHAR' ? `case typeof(${quoted(name)}) when 'blob' then hex(${quoted(name)}) else cast(${quoted(name)} as text) end` : quoted(name)));
    const statement = database.prepare(`select ${select.map((expression, i) => `${expression} as c${i}`).join(', ')} from ${from}`);
    statement.setReadBigInts(true);
    let count = 0;
    let longestLine = usualLine;
    for (const row of statement.iterate()) {
      count++;
      const line = Object.values(row).map(cell => (cell === null ? '\\N' : typeof cell === 'string' ? `"${cell.replaceAll('"', '""').replaceAll('\0', '')}"` : String(cell)));
      const written = Buffer.from(`${line.join(',')}\n`);
      longestLine = Math.max(longestLine, written.length);
      if (!out.write(written)) await once(out, 'drain');
    }
    return { columns: typed, mixed: typed.filter(column => column.isMixed).map(column => column.name), rows: count, longest: longestLine };
  });
  await new Promise<void>(resolve => out.end(resolve));
  const list = columns.map(({ name, type }) => `${text(name)}: ${text(type)}`).join(', ');
  await connection.run(`create table data as select * from read_csv(${text(copy)}, auto_detect = false, header = false, delim = ',', quote = '"', escape = '"', nullstr = '\\N', allow_quoted_nulls = false, columns = {${list}}, max_line_size = ${longest}, parallel = false)`);
  const [kept] = await rowsOf(connection, 'select count(*) from data');
  return { rowsRead: rows, rowsKept: Number(kept![0]), rowsRejected: 0, rejected: [], notes: [`Table “${table}” of an SQLite file.`, ...mixed.map(name => `“${name}” holds values of several types: read as text.`)] };
}

/** The tables and views of a DuckDB file, with their schemas where those are not `main`. @throws ImportError where it is none */
export async function tablesOfDuckDb(file: string): Promise<string[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    await attach(connection, file);
    const rows = await rowsOf(connection, "select schema_name, table_name from duckdb_tables() where database_name = 'found' union all select schema_name, view_name from duckdb_views() where database_name = 'found' and not internal order by 1, 2");
    return rows.map(([schema, table]) => (schema === 'main' ? String(table) : `${String(schema)}.${String(table)}`));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

export async function importDuckDbTable(connection: DuckDBConnection, file: string, table: string): Promise<ImportReport> {
  await attach(connection, file);
  const dot = table.indexOf('.');
  await connection.run(`create table data as select * from found.${dot < 0 ? `main.${quoted(table)}` : `${quoted(table.slice(0, dot))}.${quoted(table.slice(dot + 1))}`}`);
  await connection.run('detach found');
  const [kept] = await rowsOf(connection, 'select count(*) from data');
  return { rowsRead: Number(kept![0]), rowsKept: Number(kept![0]), rowsRejected: 0, rejected: [], notes: [`Table “${table}” of a DuckDB file.`] };
}

async function attach(connection: DuckDBConnection, file: string): Promise<void> {
  try {
    await connection.run(`attach ${text(file)} as found (read_only)`);
  } catch (error) {
    throw new ImportError(file, undefined, `This is not a DuckDB file that can be read. ${(error as Error).message.split('\n')[0]!.slice(0, 300)}`);
  }
}

function withSqlite<T>(file: string, work: (database: DatabaseSync) => T): T {
  let database: DatabaseSync;
  try {
    database = new DatabaseSync(file, { readOnly: true, allowExtension: false });
    database.prepare('select count(*) from sqlite_schema').get();
  } catch (error) {
    throw new ImportError(file, undefined, `This is not an SQLite file that can be read. ${(error as Error).message}`);
  }
  const done = () => database.close();
  const result = work(database);
  if (result instanceof Promise) return result.finally(done) as T;
  done();
  return result;
}
