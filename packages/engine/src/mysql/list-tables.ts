import type { DataType } from '@belvedere/model';
import type { Connection, DatabaseTable } from '../database/connection.ts';
import { keysByTable, withDeclaredKeys } from '../database/declared-keys.ts';
import type { Row } from './read-rows.ts';

/** The tables and views of the connection's schemas, with their columns and keys, in order of their names. */
export async function listTables(
  connection: Connection,
  queryRows: (sql: string) => Promise<readonly Row[]>,
): Promise<readonly DatabaseTable[]> {
  const wanted = connection.schemas ?? [connection.database];
  const inSchemas = `in (${wanted.map(schema => `x'${Buffer.from(schema).toString('hex')}'`).join(', ')})`;
  const columns = await queryRows(
    `select table_schema, table_name, column_name, data_type, column_type, collation_name from information_schema.columns where binary table_schema ${inSchemas} order by table_schema, table_name, ordinal_position`,
  );
  const kinds = await queryRows(
    `select table_schema, table_name, table_type, table_rows from information_schema.tables where binary table_schema ${inSchemas}`,
  );
  const keys = await queryRows(
    `select table_schema, table_name, max(column_name) from information_schema.statistics where non_unique = 0 and nullable <> 'YES' and binary table_schema ${inSchemas} group by table_schema, table_name, index_name having count(*) = 1`,
  );
  const keyColumns = await queryRows(
    `select table_schema, table_name, constraint_name, column_name,
      referenced_table_schema, referenced_table_name, referenced_column_name
    from information_schema.key_column_usage where binary table_schema ${inSchemas}
    order by table_schema, table_name, constraint_name, ordinal_position`,
  );
  const declared = keysByTable(
    keyColumns.map(([schema, table, constraint, column, toSchema, toTable, toColumn]) => ({
      schema: schema!,
      table: table!,
      constraint: constraint!,
      column: column!,
      ...(toColumn && { refers: { schema: toSchema!, table: toTable!, column: toColumn } }),
    })),
  );
  const found = new Map<
    string,
    {
      schema: string;
      name: string;
      isView: boolean;
      estimatedRows?: number;
      columns: { name: string; type: DataType; collation?: string }[];
      unique: string[];
    }
  >();
  for (const [schema, name, kind, estimate] of kinds)
    found.set(JSON.stringify([schema, name]), {
      schema: schema!,
      name: name!,
      isView: /VIEW/.test(kind ?? ''),
      ...(estimate !== null && { estimatedRows: Number(estimate) }),
      columns: [],
      unique: [],
    });
  for (const [schema, name, column, type, full, collation] of columns)
    found.get(JSON.stringify([schema, name]))?.columns.push({
      name: column!,
      type: full === 'tinyint(1)' || full === 'bit(1)' ? 'boolean' : (types[type!.toLowerCase()] ?? 'other'),
      ...(collation && { collation }),
    });
  for (const [schema, name, column] of keys) found.get(JSON.stringify([schema, name]))?.unique.push(column!);
  return [...found.values()]
    .filter(table => table.columns.length > 0)
    .map(table => ({
      ...table,
      ...withDeclaredKeys(declared.get(JSON.stringify([table.schema, table.name]))),
    }));
}

const types: Readonly<Record<string, DataType>> = {
  tinyint: 'integer',
  smallint: 'integer',
  mediumint: 'integer',
  int: 'integer',
  bigint: 'integer',
  year: 'integer',
  decimal: 'decimal',
  float: 'number',
  double: 'number',
  date: 'date',
  datetime: 'time',
  timestamp: 'instant',
  char: 'text',
  varchar: 'text',
  tinytext: 'text',
  text: 'text',
  mediumtext: 'text',
  longtext: 'text',
  enum: 'text',
  set: 'text',
  time: 'text',
  uuid: 'text',
  inet4: 'text',
  inet6: 'text',
};
