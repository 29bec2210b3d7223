import { freeName } from '@belvedere/document';
import { DuckDBTypeId, type DuckDBConnection } from '@duckdb/node-api';
import path from 'node:path';
import { columnsOf } from '../../duckdb/read-result.ts';
import { distinctName, spreadColumns, type SpreadColumn } from './nested-columns.ts';
import type { UnpackedBytes } from '../archives/unpacked-bytes.ts';
import type { ParentTable } from '../report.ts';
import { quoted, rowsOf, text } from '../sql-text.ts';

/**
 * A table created from the lists in a column of another table. Its rows are in a database file in the work
 * folder, as `data`.
 */
export interface NestedTable {
  readonly name: string;
  readonly rows: number;
  readonly parent: ParentTable;
  readonly notes: readonly string[];
  /** Key columns that must not be converted, since they relate rows of several tables. */
  readonly keys: readonly string[];
}

export interface NestedSettings {
  /** The folder for the database files. */
  readonly folder: string;
  readonly produced: UnpackedBytes;
  readonly storageVersion: string;
  readonly choice: 'columns' | 'text';
  /** The names of existing tables; the names of new tables are added. */
  readonly names: Set<string>;
}

const maxTables = 20;
/** A table of more elements would take longer to import than the rest of the file. */
const maxElements = 20_000_000;
/** A table of list elements has at least a row key, a position and a value. */
const cellsOfElement = 3;
/** Names of possible key columns. A column is a key only if its values are unique. */
const keyName = /(^|[^\p{L}])(id|key|uuid|guid)$|[\p{Ll}](Id|ID|Key|Uuid|UUID)$/u;
const rowNumber = 'row_id';

/** Creates tables from a table with objects and lists. */
export class NestedTables {
  readonly #folder: string;
  readonly #produced: UnpackedBytes;
  readonly #storageVersion: string;
  readonly #choice: 'columns' | 'text';
  readonly #names: Set<string>;
  readonly tables: NestedTable[] = [];
  /** The number of tables created or planned. */
  #planned = 0;

  constructor({ folder, produced, storageVersion, choice, names }: NestedSettings) {
    this.#folder = folder;
    this.#produced = produced;
    this.#storageVersion = storageVersion;
    this.#choice = choice;
    this.#names = names;
  }

  /**
   * Creates `main.data` from a table with nested values, and a database file for each list in it and for the
   * lists inside those lists.
   * @param source a stored table of this connection, in SQL
   * @returns notes, and the key columns that must not be converted
   */
  async spread(
    connection: DuckDBConnection,
    source: string,
    name: string,
    maxColumns?: number,
  ): Promise<{ notes: string[]; keys: string[] }> {
    const waiting: (() => Promise<void>)[] = [];
    const done = await this.#spreadInto(connection, 'data', source, name, [], waiting, maxColumns);
    for (let next = waiting.shift(); next; next = waiting.shift()) await next();
    return done;
  }

  /**
   * @param first columns that precede all others and keep their names
   * @param waiting collects the lists found, so that less nested lists are processed first
   */
  async #spreadInto(
    connection: DuckDBConnection,
    target: string,
    source: string,
    name: string,
    first: readonly string[],
    waiting: (() => Promise<void>)[],
    maxColumns?: number,
  ): Promise<{ notes: string[]; keys: string[] }> {
    const fields = columnsOf(await connection.run(`select * from ${source} limit 0`)).filter(
      field => !first.includes(field.name),
    );
    const elementOnly = first.length > 0;
    const spread = spreadColumns(fields, this.#choice, maxColumns);
    const notes = [...spread.notes];
    const taken = new Set(first.map(one => one.toLowerCase()));
    // The row is the list element: its fields keep their own names, and a plain element becomes the value.
    const columns = spread.columns.map(column => {
      const own = elementOnly ? column.path.slice(1) : column.path;
      return {
        ...column,
        isOwn: own.length === 1,
        name: distinctName(own.length === 0 ? 'value' : own.join('_'), taken),
      };
    });
    const lists: typeof columns = [];
    for (const column of columns)
      if (column.list && (await this.#isTable(connection, source, column, column.name, notes)))
        lists.push(column);
    const key = lists.length > 0 ? await keyOf(connection, source, columns, taken) : undefined;
    const selected = [
      ...(key?.isMade ? [`${key.expression} as ${quoted(key.name)}`] : []),
      ...first.map(quoted),
      ...columns.map(column => `${column.expression} as ${quoted(column.name)}`),
    ];
    await connection.run(`create table ${target} as select ${selected.join(', ')} from ${source}`);
    const made: string[] = [];
    for (const { name: column, list } of lists) {
      if (++this.#planned > maxTables) {
        notes.push(
          `“${column}” is imported as JSON text only: ${maxTables} lists of this file are tables already.`,
        );
        continue;
      }
      const child = freeName(`${name}_${column}`, this.#names);
      made.push(`“${child}” (of “${column}”)`);
      waiting.push(() =>
        this.#makeTable(connection, source, { child, name, column, list: list!, key: key! }, waiting),
      );
    }
    if (made.length > 0)
      notes.push(
        `Lists are also imported as separate tables: ${made.join(', ')}. Their rows refer to their parent row by its \`${key!.name}\`${key!.isMade ? ', an added row number' : ''}.`,
      );
    if (columns.some(column => column.isNested && !lists.includes(column)))
      notes.push(
        'Lists of lists, of mixed values or of a fixed length, and the deepest objects are imported as JSON text.',
      );
    return { notes, keys: key && made.length > 0 ? [key.name] : [] };
  }

  /**
   * Whether the lists of a column become a table. They do not if there are none or too many, or if all have
   * the same length, like vectors and coordinates.
   */
  async #isTable(
    connection: DuckDBConnection,
    source: string,
    { list }: SpreadColumn,
    name: string,
    notes: string[],
  ): Promise<boolean> {
    const [row] = await rowsOf(
      connection,
      `select sum(len(l))::double, count(*), min(len(l)), max(len(l)) from (select ${list!.expression} as l from ${source}) where l is not null`,
    );
    const [elements, lists, shortest, longest] = row!.map(Number);
    if (!elements) return false;
    if (isNumber.has(list!.elementType.typeId) && lists! > 1 && longest! > 1 && shortest === longest)
      return false;
    if (elements <= maxElements && this.#produced.hasRoomFor(elements * cellsOfElement)) return true;
    notes.push(
      `“${name}” is imported as JSON text only: its lists have ${elements.toLocaleString('en')} elements, too many for a table.`,
    );
    return false;
  }

  async #makeTable(
    connection: DuckDBConnection,
    source: string,
    { child, name, column, list, key }: ListToTable,
    waiting: (() => Promise<void>)[],
  ): Promise<void> {
    const reference = /^(row_id|id|key|uuid|guid)$/i.test(key.name) ? `${name}_${key.name}` : key.name;
    const position = 'position';
    const elements = `list_${this.tables.length}`;
    // Null elements are included, because they have a position in their list.
    await connection.run(
      `create temp table ${elements} as select ${key.expression} as ${quoted(reference)}, unnest(range(1, len(${list.expression}) + 1)) as ${position}, unnest(${list.expression}) as element from ${source} where len(${list.expression}) > 0`,
    );
    const [count] = await rowsOf(connection, `select count(*) from ${elements}`);
    const rows = Number(count![0]);
    const file = path.join(this.#folder, `${child}.duckdb`);
    await connection.run(`attach ${text(file)} as nested (storage_version ${text(this.#storageVersion)})`);
    const table = {
      name: child,
      rows,
      parent: { table: name, column: reference, equals: key.name },
      notes: [] as string[],
      keys: [reference],
    };
    this.tables.push(table);
    this.#produced.addCells(rows * cellsOfElement);
    const { notes, keys } = await this.#spreadInto(
      connection,
      'nested.data',
      elements,
      child,
      [reference, position],
      waiting,
    );
    table.keys.push(...keys);
    table.notes.push(
      `One row per element of “${column}” in “${name}”: \`${reference}\` is the \`${key.name}\` of the parent row, \`${position}\` the position in the list.`,
      ...notes,
    );
    await connection.run('detach nested');
    // Dropped later, because nested lists are read from it.
    waiting.push(async () => void (await connection.run(`drop table ${elements}`)));
  }
}

interface ListToTable {
  readonly child: string;
  readonly name: string;
  readonly column: string;
  readonly list: NonNullable<SpreadColumn['list']>;
  readonly key: RowKey;
}

/** The key of a table's rows. */
interface RowKey {
  readonly name: string;
  readonly expression: string;
  /** Whether the key is a generated row number, because no column is a key. */
  readonly isMade: boolean;
}

async function keyOf(
  connection: DuckDBConnection,
  source: string,
  columns: readonly (SpreadColumn & { readonly name: string; readonly isOwn: boolean })[],
  taken: Set<string>,
): Promise<RowKey> {
  const candidates = columns
    .filter(({ name, isNested, isOwn }) => !isNested && isOwn && keyName.test(name))
    .toSorted((a, b) => a.name.length - b.name.length)
    .slice(0, 10);
  if (candidates.length > 0) {
    const counts = candidates.map(({ expression }) => `count(*) = count(distinct ${expression})`);
    const [row] = await rowsOf(connection, `select ${counts.join(', ')} from ${source}`);
    const found = candidates.find((_, i) => row![i] === true);
    if (found) return { name: found.name, expression: found.expression, isMade: false };
  }
  return { name: distinctName(rowNumber, taken), expression: '(rowid + 1)', isMade: true };
}

const isNumber: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.FLOAT,
  DuckDBTypeId.DOUBLE,
  DuckDBTypeId.DECIMAL,
]);
