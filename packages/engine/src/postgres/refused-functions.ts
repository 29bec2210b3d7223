import type { FunctionCall } from '@belvedere/sql';

/*
 * PostgreSQL declares for each function whether it only computes a value. `immutable` and `stable` functions
 * cannot change anything; `volatile` functions may do anything. So the allowed functions of custom SQL are
 * determined by the server, including functions of extensions and of the database.
 */

/** Of PostgreSQL or an extension, and volatile only because their result varies; they change nothing. */
const harmless = [
  'random',
  'random_normal',
  'clock_timestamp',
  'timeofday',
  'gen_random_uuid',
  'uuidv4',
  'uuidv7',
  'uuid_generate_v1',
  'uuid_generate_v1mc',
  'uuid_generate_v4',
  'current_query',
  'bernoulli',
  'system',
  'system_rows',
  'system_time',
  'st_generatepoints',
  'gen_random_bytes',
  'gen_salt',
  'normal_rand',
  'time_bucket_gapfill',
  'locf',
  'interpolate',
  'pg_column_size',
  'pg_database_size',
  'pg_relation_size',
  'pg_total_relation_size',
  'pg_table_size',
  'pg_indexes_size',
  'pg_tablespace_size',
  'pg_is_in_recovery',
  'pg_last_xact_replay_timestamp',
  'pg_last_wal_receive_lsn',
  'pg_last_wal_replay_lsn',
  'pg_current_wal_lsn',
  'pg_partition_tree',
  'pg_partition_ancestors',
  'pg_xact_commit_timestamp',
  'pg_sequence_last_value',
  'pg_blocking_pids',
];
/** Stable, but each call takes a number from the server's counter of transactions. */
const counts = ['txid_current', 'pg_current_xact_id'];
/** Stable, but they run SQL or read tables given as a text, whose calls are not visible here. */
const runsTexts = [
  'crosstab',
  'crosstab2',
  'crosstab3',
  'crosstab4',
  'crosstabn',
  'connectby',
  'xpath_table',
  'query_to_xml',
  'query_to_xmlschema',
  'query_to_xml_and_xmlschema',
  'table_to_xml',
  'table_to_xml_and_xmlschema',
  'schema_to_xml',
  'schema_to_xml_and_xmlschema',
  'database_to_xml',
  'database_to_xml_and_xmlschema',
];

/**
 * Finds the calls that may do more than compute a value, and why: `volatile`, `counts` or `runs texts`. A
 * qualified name is looked up in its schema, other names on the session's search path. An attribute is refused
 * if it may be a call: it is the only argument, and no column has its name (or the function is built in). An
 * operator calls its function, an aggregate those that add up its rows.
 */
export const refusedFunctions = `
  with used as (
    select c.name, p.oid as function
    from unnest($1::text[], $2::text[], $3::text[]) as c(schema, name, kind)
    join pg_catalog.pg_proc p on p.proname = c.name::name
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    where c.kind <> 'operator' and (n.nspname = c.schema::name or c.schema is null and pg_catalog.pg_function_is_visible(p.oid))
      and (c.kind = 'call' or p.pronargs - p.pronargdefaults <= 1 and p.pronargs > 0
        and (n.nspname = 'pg_catalog' or not exists (select from pg_catalog.pg_attribute a where a.attname = p.proname and a.attnum > 0)))
    union all
    select c.name, o.oprcode
    from unnest($2::text[], $3::text[]) as c(name, kind)
    join pg_catalog.pg_operator o on pg_catalog.strpos(c.name, o.oprname::text) > 0
    where c.kind = 'operator'
  ), called as (
    select name, function from used
    union all
    select u.name, f from used u join pg_catalog.pg_aggregate a on a.aggfnoid = u.function,
      pg_catalog.unnest(array[a.aggtransfn, a.aggfinalfn, a.aggmtransfn, a.aggmfinalfn]::pg_catalog.oid[]) as f
  )
  select c.name, case when p.proname = any ($5::name[]) then 'runs texts'
    when p.proname = any ($6::name[]) then 'counts' else 'volatile' end
  from called c join pg_catalog.pg_proc p on p.oid = c.function
  where p.proname = any ($5::name[])
    or p.proname = any ($6::name[]) and p.pronamespace = 'pg_catalog'::pg_catalog.regnamespace
    or p.provolatile = 'v' and not (p.proname = any ($4::name[])
      and (p.pronamespace = 'pg_catalog'::pg_catalog.regnamespace
        or exists (select from pg_catalog.pg_depend d where d.objid = p.oid
          and d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass and d.deptype = 'e')))
  limit 1`;

export function valuesFor(calls: readonly FunctionCall[]): unknown[] {
  return [
    calls.map(call => call.schema ?? null),
    calls.map(call => call.name),
    calls.map(call => call.kind),
    harmless,
    runsTexts,
    counts,
  ];
}

/** Why a call is refused, by the second column of `refusedFunctions`. */
export const reasons: Readonly<Record<string, string>> = {
  volatile: 'it is `volatile`, so it may change data. If it only reads, declare it `stable`',
  counts: 'it takes a number from the server’s counter of transactions',
  'runs texts': 'it runs SQL from a text argument, or reads a table that a text names',
};
