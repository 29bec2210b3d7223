import type { DataType } from '@belvedere/model';
import type { DatabaseTable } from '../database/connection.ts';
import { keysByTable, withDeclaredKeys, type KeyColumn } from '../database/declared-keys.ts';
import { typesByName } from './data-types.ts';

/** Runs a statement of our own and returns its rows, as texts. @throws EngineError */
export type QueryRows = (text: string, values?: unknown[]) => Promise<(string | null)[][]>;

/** Returns the tables and views that the user may read, with their declared keys. @throws EngineError */
export async function listTables(
  queryRows: QueryRows,
  wanted: readonly string[] | undefined,
): Promise<readonly DatabaseTable[]> {
  const rows = await queryRows(
    `select n.nspname, c.relname, c.relkind::text, c.reltuples::bigint::text, a.attname, format_type(a.atttypid, null), coalesce(ty.typtype::text, ''),
      exists (select 1 from pg_index i where i.indrelid = c.oid and i.indisunique and i.indisvalid and i.indnkeyatts = 1 and i.indkey[0] = a.attnum and i.indpred is null and a.attnotnull)::text
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped join pg_type ty on ty.oid = a.atttypid
    where c.relkind in ('r', 'v', 'm', 'p', 'f') and has_table_privilege(c.oid, 'select') and n.nspname <> 'information_schema' and n.nspname !~ '^pg_' ${wanted ? 'and n.nspname = any ($1)' : ''}
    order by n.nspname, c.relname, a.attnum`,
    wanted ? [[...wanted]] : [],
  );
  const keys = keysByTable(await declaredKeys(queryRows));
  return grouped(rows).map(table => ({
    ...table,
    ...withDeclaredKeys(keys.get(JSON.stringify([table.schema, table.name]))),
  }));
}

/** Keys of whole tables: those of partitions repeat them. */
async function declaredKeys(queryRows: QueryRows): Promise<KeyColumn[]> {
  const rows = await queryRows(
    `select n.nspname, c.relname, k.conname, a.attname, rn.nspname, rc.relname, ra.attname
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
      cross join lateral unnest(k.conkey) with ordinality u(num, place)
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.num
      left join pg_class rc on rc.oid = k.confrelid left join pg_namespace rn on rn.oid = rc.relnamespace
      left join pg_attribute ra on ra.attrelid = k.confrelid and ra.attnum = k.confkey[u.place]
    where k.contype in ('p', 'u', 'f') and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
      and has_table_privilege(c.oid, 'select') and (k.contype <> 'f' or has_table_privilege(rc.oid, 'select'))
      and not exists (select 1 from pg_inherits i where i.inhrelid in (c.oid, rc.oid))
    order by n.nspname, c.relname, k.conname, u.place`,
  );
  return rows.map(([schema, table, constraint, column, toSchema, toTable, toColumn]) => ({
    schema: schema!,
    table: table!,
    constraint: constraint!,
    column: column!,
    ...(toColumn && { refers: { schema: toSchema!, table: toTable!, column: toColumn } }),
  }));
}

function grouped(rows: readonly (string | null)[][]): DatabaseTable[] {
  const tables = new Map<
    string,
    {
      schema: string;
      name: string;
      isView: boolean;
      estimatedRows?: number;
      columns: { name: string; type: DataType }[];
      unique: string[];
    }
  >();
  for (const [schema, name, kind, estimate, column, type, typeKind, isUnique] of rows) {
    const key = JSON.stringify([schema, name]);
    const table = tables.get(key) ?? {
      schema: schema!,
      name: name!,
      isView: kind === 'v',
      ...(Number(estimate) >= 0 && kind !== 'v' && { estimatedRows: Number(estimate) }),
      columns: [],
      unique: [],
    };
    table.columns.push({ name: column!, type: typeKind === 'e' ? 'text' : (typesByName[type!] ?? 'other') });
    if (isUnique === 'true') table.unique.push(column!);
    tables.set(key, table);
  }
  return [...tables.values()];
}
