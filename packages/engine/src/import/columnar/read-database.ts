import type { DuckDBConnection } from '@duckdb/node-api';
import { createWriteStream } from 'node:fs';
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { constants, DatabaseSync } from 'node:sqlite';
import { once } from 'node:events';
import { irregularityOf, IrregularFileError } from '../../regular-file.ts';
import { keysByTable, type DeclaredKeys, type KeyColumn } from '../../database/declared-keys.ts';
import { importNested } from './import-parquet.ts';
import type { NestedTables } from '../nested/nested-tables.ts';
import type { UnpackedBytes } from '../archives/unpacked-bytes.ts';
import { ImportError, type ImportReport, type TableRead } from '../report.ts';
import { fileText, quoted, rowsOf, text } from '../sql-text.ts';

/**
 * The tables of a database file. No code of the file is executed: a view might read any file or never end.
 */
export interface DatabaseTables {
  readonly tables: readonly DatabaseTable[];
  /** Other objects of the file that were not executed, e.g. `view “v”`. */
  readonly notRun: readonly string[];
}

export interface DatabaseTable {
  /** Empty for SQLite. */
  readonly schema: string;
  readonly name: string;
  /** Stored columns. */
  readonly columns: readonly string[];
  /** Computed columns. Their expressions are not executed. */
  readonly computed: readonly string[];
  readonly keys?: DeclaredKeys;
}

/** Suffixes of companion files of a database. */
const companions = { sqlite: ['-wal', '-shm', '-journal'], duckdb: ['.wal'] } as const;

/**
 * The existing files that are opened together with a database file.
 * @throws ImportError if one is not a regular file
 */
export async function companionFiles(file: string, kind: keyof typeof companions): Promise<string[]> {
  const names = companions[kind].map(ending => file + ending);
  for (const name of names) {
    const stats = await lstat(name).catch(() => undefined);
    const irregularity = stats && irregularityOf(stats);
    if (!irregularity) continue;
    const { message } = new IrregularFileError(irregularity);
    throw new ImportError(file, undefined, `\`${path.basename(name)}\` belongs to this database. ${message}`);
  }
  // The engine would look for the log of `a?b/x.duckdb` at this path.
  return kind === 'duckdb' && file.includes('?') ? [...names, file.replace('?', '.wal?')] : names;
}

/** Bytes. The engine reserves a multiple of the longest line before it reads the first. */
const usualLine = 2 * 2 ** 20;
/** The functions that our own statements call. */
const sqliteFunctions: ReadonlySet<string | null> = new Set(['typeof', 'hex', 'count', 'like']);
/** They read the schema only. */
const sqlitePragmas: ReadonlySet<string | null> = new Set([
  'table_xinfo',
  'foreign_key_list',
  'index_list',
  'index_info',
]);
/**
 * Follows SQLite's tokenizer, which treats comments like blanks. A comment has a single end here: with several, a
 * row of comments would take exponential time.
 */
const createsVirtualTable = /^create(?:\s|--[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)+virtual(?![\w$])/is;

/** @throws ImportError if it is not an SQLite file */
export function tablesOfSqlite(file: string): DatabaseTables {
  return withSqlite(file, database => {
    const ours = "type in ('table', 'view', 'trigger') and name not like 'sqlite_%'";
    const rows = database
      .prepare(`select type, name, sql from sqlite_schema where ${ours} order by name`)
      .all();
    const all = rows.map(row => ({
      type: String(row['type']),
      name: String(row['name']),
      sql: String(row['sql']),
    }));
    const kindOf = ({ type, sql }: (typeof all)[number]) =>
      type === 'table' && createsVirtualTable.test(sql) ? 'virtual table' : type;
    const tables = all
      .filter(one => kindOf(one) === 'table')
      .map(({ name }) => {
        const columns = database.prepare(`pragma table_xinfo(${quoted(name)})`).all();
        const named = (isStored: boolean) =>
          columns.filter(row => (Number(row['hidden']) === 0) === isStored).map(row => String(row['name']));
        return { schema: '', name, columns: named(true), computed: named(false) };
      });
    const keys = keysByTable(sqliteKeys(database, tables));
    return {
      tables: tables.map(table => withKeys(table, keys)),
      notRun: all
        .filter(one => kindOf(one) !== 'table')
        .map(one => `${kindOf(one)} “${shortened(one.name)}”`),
    };
  });
}

function withKeys(table: DatabaseTable, keys: ReadonlyMap<string, DeclaredKeys>): DatabaseTable {
  const own = keys.get(JSON.stringify([table.schema, table.name]));
  return own ? { ...table, keys: own } : table;
}

/** SQLite compares names without regard to case, and a foreign key without columns means the primary key. */
function sqliteKeys(database: DatabaseSync, tables: readonly DatabaseTable[]): KeyColumn[] {
  const isSame = (one: string) => (other: string) => one.toLowerCase() === other.toLowerCase();
  const pragma = (name: string, of: string) => database.prepare(`pragma ${name}(${quoted(of)})`).all();
  const primary = new Map(
    tables.map(({ name }) => [
      name,
      pragma('table_xinfo', name)
        .filter(row => Number(row['pk']) > 0)
        .toSorted((a, b) => Number(a['pk']) - Number(b['pk']))
        .map(row => String(row['name'])),
    ]),
  );
  return tables.flatMap(({ name, columns }) => {
    const own = { schema: '', table: name };
    const main = primary.get(name)!.map(column => ({ ...own, constraint: 'primary key', column }));
    const unique = pragma('index_list', name)
      .filter(index => Number(index['unique']) === 1 && Number(index['partial']) === 0)
      .flatMap(index => {
        const parts = pragma('index_info', String(index['name']));
        // Expressions have no name.
        if (parts.some(part => part['name'] === null)) return [];
        return parts.map(part => ({
          ...own,
          constraint: `index ${String(index['name'])}`,
          column: String(part['name']),
        }));
      });
    const foreign = pragma('foreign_key_list', name)
      .toSorted((a, b) => Number(a['id']) - Number(b['id']) || Number(a['seq']) - Number(b['seq']))
      .flatMap((row): KeyColumn[] => {
        const target = tables.find(table => isSame(String(row['table']))(table.name));
        const column = columns.find(isSame(String(row['from'])));
        const wanted =
          row['to'] === null ? primary.get(target?.name ?? '')?.[Number(row['seq'])] : String(row['to']);
        const key = wanted === undefined ? undefined : target?.columns.find(isSame(wanted));
        if (!target || column === undefined || key === undefined) return [];
        const refers = { schema: '', table: target.name, column: key };
        return [{ ...own, constraint: `foreign key ${String(row['id'])}`, column, refers }];
      });
    return [...main, ...unique, ...foreign];
  });
}

/**
 * Imports a table of an SQLite file into `main.data`. SQLite columns hold values of any type: a column of
 * integers becomes an integer column, a column of numbers a number column, any other column text.
 */
export async function importSqliteTable(
  connection: DuckDBConnection,
  file: string,
  table: DatabaseTable,
  folder: string,
  produced: UnpackedBytes,
): Promise<ImportReport> {
  const copy = path.join(folder, 'sqlite.csv');
  const out = createWriteStream(copy);
  const { columns, mixed, rows, longest } = await withSqlite(file, async database => {
    const from = quoted(table.name);
    const typed = table.columns.map(name => {
      const found = database
        .prepare(`select distinct typeof(${quoted(name)}) as type from ${from}`)
        .all()
        .map(row => String(row['type']))
        .filter(type => type !== 'null');
      const type =
        found.length === 0
          ? 'VARCHAR'
          : found.every(one => one === 'integer')
            ? 'BIGINT'
            : found.every(one => one === 'integer' || one === 'real')
              ? 'DOUBLE'
              : 'VARCHAR';
      return { name, type, isMixed: type === 'VARCHAR' && found.some(one => one !== 'text') };
    });
    const select = typed.map(({ name, type }) =>
      type === 'VARCHAR'
        ? `case typeof(${quoted(name)}) when 'blob' then hex(${quoted(name)}) else cast(${quoted(name)} as text) end`
        : quoted(name),
    );
    const statement = database.prepare(
      `select ${select.map((expression, i) => `${expression} as c${i}`).join(', ')} from ${from}`,
    );
    statement.setReadBigInts(true);
    let count = 0;
    let longestLine = usualLine;
    for (const row of statement.iterate()) {
      count++;
      const line = Object.values(row).map(cell =>
        cell === null
          ? '\\N'
          : typeof cell === 'string'
            ? `"${cell.replaceAll('"', '""').replaceAll('\0', '')}"`
            : String(cell),
      );
      const written = Buffer.from(`${line.join(',')}\n`);
      produced.add(written.length);
      longestLine = Math.max(longestLine, written.length);
      if (!out.write(written)) await once(out, 'drain');
    }
    return {
      columns: typed,
      mixed: typed.filter(column => column.isMixed).map(column => column.name),
      rows: count,
      longest: longestLine,
    };
  });
  await new Promise<void>(resolve => out.end(resolve));
  const list = columns.map(({ name, type }) => `${text(name)}: ${text(type)}`).join(', ');
  await connection.run(
    `create table data as select * from read_csv(${fileText(copy)}, auto_detect = false, header = false, delim = ',', quote = '"', escape = '"', nullstr = '\\N', allow_quoted_nulls = false, columns = {${list}}, max_line_size = ${longest}, parallel = false)`,
  );
  const [kept] = await rowsOf(connection, 'select count(*) from data');
  const notes = [
    `Table “${table.name}” of an SQLite file.`,
    ...mixed.map(name => `“${name}” has values of several types, so it is imported as text.`),
  ];
  return { rowsRead: rows, rowsKept: Number(kept![0]), rowsRejected: 0, rejected: [], notes };
}

/**
 * @param connection in a sandbox with access to the file
 * @throws ImportError if it is not a DuckDB file
 */
export async function tablesOfDuckDb(connection: DuckDBConnection, file: string): Promise<DatabaseTables> {
  await attach(connection, file);
  try {
    const namesIn = async (list: string, name: string) => {
      const select = `select distinct ${name}, schema_name from ${list} where database_name = 'found' and not internal`;
      return (await rowsOf(connection, `${select} order by 2, 1`)).map(
        row => row.map(String) as [string, string],
      );
    };
    const tables: DatabaseTable[] = [];
    for (const [name, schema] of await namesIn('duckdb_tables()', 'table_name')) {
      tables.push({ schema, name, ...(await columnsOf(connection, schema, name)) });
    }
    const keys = keysByTable(await duckDbKeys(connection));
    const views = (await namesIn('duckdb_views()', 'view_name')).map(([name]) => `view “${shortened(name)}”`);
    const macros = (await namesIn('duckdb_functions()', 'function_name')).map(
      ([name]) => `macro “${shortened(name)}”`,
    );
    return { tables: tables.map(table => withKeys(table, keys)), notRun: [...views, ...macros] };
  } finally {
    await connection.run('detach found');
  }
}

/** A foreign key of DuckDB refers to a table of the same schema. */
async function duckDbKeys(connection: DuckDBConnection): Promise<KeyColumn[]> {
  const rows = await rowsOf(
    connection,
    `select schema_name, table_name, constraint_index, unnest(constraint_column_names), referenced_table, unnest(referenced_column_names)
    from duckdb_constraints() where database_name = 'found' and constraint_type in ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')`,
  );
  return rows.map(([schema, table, index, column, toTable, toColumn]) => ({
    schema: String(schema),
    table: String(table),
    constraint: String(index),
    column: String(column),
    ...(toColumn !== null && {
      refers: { schema: String(schema), table: String(toTable), column: String(toColumn) },
    }),
  }));
}

/** @param called the name of the imported table */
export async function importDuckDbTable(
  connection: DuckDBConnection,
  file: string,
  { schema, name, columns }: DatabaseTable,
  produced: UnpackedBytes,
  nested: NestedTables,
  called: string,
): Promise<TableRead> {
  await attach(connection, file);
  const table = `found.${quoted(schema)}.${quoted(name)}`;
  const [counted] = await rowsOf(connection, `select count(*) from ${table}`);
  produced.addCells(Number(counted![0]) * columns.length);
  const query = `select ${columns.map(quoted).join(', ')} from ${table}`;
  const { notes: nestedNotes, keys } = await importNested(connection, query, called, nested);
  await connection.run('detach found');
  const [kept] = await rowsOf(connection, 'select count(*) from data');
  const notes = [`Table “${titled(schema, name)}” of a DuckDB file.`, ...nestedNotes];
  return {
    rowsRead: Number(counted![0]),
    rowsKept: Number(kept![0]),
    rowsRejected: 0,
    rejected: [],
    notes,
    keys,
  };
}

/** The display name of a table, with its schema unless it is the default one. */
export function titled(schema: string, name: string): string {
  return schema === '' || schema === 'main' ? name : `${schema}.${name}`;
}

/** Only stored columns have segments. In a table without rows, no expression is evaluated. */
async function columnsOf(
  connection: DuckDBConnection,
  schema: string,
  name: string,
): Promise<Pick<DatabaseTable, 'columns' | 'computed'>> {
  const table = text(`found.${quoted(schema)}.${quoted(name)}`);
  const described = (
    await rowsOf(connection, `select name, dflt_value is not null from pragma_table_info(${table})`)
  ).map(([column, hasDefault]) => ({ column: String(column), hasDefault: hasDefault === true }));
  const columns = described.map(({ column }) => column);
  // A computed column has a default expression.
  if (described.every(({ hasDefault }) => !hasDefault)) return { columns, computed: [] };
  const segments = await rowsOf(connection, `select distinct column_name from pragma_storage_info(${table})`);
  const stored = new Set(segments.map(([column]) => String(column)));
  const isComputed = ({ column, hasDefault }: (typeof described)[number]) =>
    hasDefault && stored.size > 0 && !stored.has(column);
  const computed = described.filter(isComputed).map(({ column }) => column);
  return { columns: columns.filter(column => !computed.includes(column)), computed };
}

async function attach(connection: DuckDBConnection, file: string): Promise<void> {
  try {
    await connection.run(`attach ${text(file)} as found (read_only)`);
  } catch (error) {
    throw new ImportError(
      file,
      undefined,
      `Could not read this DuckDB file. ${(error as Error).message.split('\n')[0]!.slice(0, 300)}`,
    );
  }
}

/** Names in a file may have any length. */
function shortened(name: string): string {
  return name.length > 80 ? `${name.slice(0, 79)}…` : name;
}

function withSqlite<T>(file: string, work: (database: DatabaseSync) => T): T {
  let database: DatabaseSync;
  try {
    database = new DatabaseSync(file, { readOnly: true, allowExtension: false, defensive: true });
    // SQLite's recommendations for untrusted files (https://www.sqlite.org/security.html).
    database.exec('pragma trusted_schema = off; pragma cell_size_check = on; pragma mmap_size = 0');
    database.prepare('select count(*) from sqlite_schema').get();
    database.setAuthorizer(onlyTables);
  } catch (error) {
    throw new ImportError(file, undefined, `Could not read this SQLite file. ${(error as Error).message}`);
  }
  const done = () => database.close();
  try {
    const result = work(database);
    if (result instanceof Promise) return result.finally(done) as T;
    done();
    return result;
  } catch (error) {
    if (database.isOpen) done();
    throw error;
  }
}

/** Allows only SELECT from tables. Views, triggers, and functions other than our own calls are refused. */
function onlyTables(
  action: number,
  first: string | null,
  second: string | null,
  _database: string | null,
  through: string | null,
): number {
  const { SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_PRAGMA, SQLITE_OK, SQLITE_DENY } = constants;
  const isAllowed =
    action === SQLITE_SELECT ||
    (action === SQLITE_READ && through === null) ||
    (action === SQLITE_FUNCTION && sqliteFunctions.has(second)) ||
    (action === SQLITE_PRAGMA && sqlitePragmas.has(first));
  return isAllowed ? SQLITE_OK : SQLITE_DENY;
}
