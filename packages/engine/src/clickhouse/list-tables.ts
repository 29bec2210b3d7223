import type { DataType } from '@belvedere/model';
import { clickhouse } from '@belvedere/sql';
import type { DatabaseTable } from '../database/connection.ts';
import { typeOfClickHouse } from './clickhouse-types.ts';
import type { QueryRows } from './server-functions.ts';

interface ListedTable {
  readonly schema: string;
  readonly name: string;
  readonly isView: boolean;
  readonly columns: { readonly name: string; readonly type: DataType }[];
}

/**
 * Lists the tables and views of databases with their columns, without the inner tables of views.
 * @param times whether columns of times are moments, or times on the clock of the place
 */
export async function listTables(
  queryRows: QueryRows,
  schemas: readonly string[],
  times: 'moments' | 'wall clock',
): Promise<readonly DatabaseTable[]> {
  const inSchemas = `in (${schemas.map(clickhouse.text).join(', ')})`;
  const columns = await queryRows(
    `select database, table, name, type from system.columns where database ${inSchemas}`,
  );
  const engines = await queryRows(
    `select database, name, engine from system.tables where database ${inSchemas}`,
  );
  const keyOf = (schema: string | null | undefined, name: string | null | undefined) =>
    JSON.stringify([schema, name]);
  const engineOf = new Map(engines.map(([schema, name, engine]) => [keyOf(schema, name), engine ?? '']));
  const tables = new Map<string, ListedTable>();
  for (const [schema, name, column, fullType] of columns) {
    const key = keyOf(schema, name);
    const isView = /View/.test(engineOf.get(key) ?? '');
    const table = tables.get(key) ?? { schema: schema!, name: name!, isView, columns: [] };
    const type = typeOfClickHouse(fullType!);
    table.columns.push({
      name: column!,
      type: type === 'instant' && times === 'wall clock' ? 'time' : type,
    });
    tables.set(key, table);
  }
  return [...tables.values()].filter(table => !table.name.startsWith('.inner'));
}
