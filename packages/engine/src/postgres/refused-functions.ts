import type { FunctionCall } from '@belvedere/sql';

/*
 * PostgreSQL declares for each function whether it only computes a value. `immutable` and `stable` functions
 * cannot change anything; `volatile` functions may do anything. So the allowed functions of custom SQL are
 * determined by the server, including functions of extensions and of the database.
 */

/** Volatile only because their result varies; they change nothing. */
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
/** Stable, but they run SQL given as a text, whose calls are not visible here. */
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
];

/**
 * Finds the calls that may do more than compute a value. A qualified name is looked up in its schema, other
 * names on the session's search path. An attribute is refused if it may be a call: it is the only argument,
 * and no column has its name (or the function is built in).
 */
export const refusedFunctions = `
  select c.name, bool_or(p.provolatile = 'v')::text
  from unnest($1::text[], $2::text[], $3::bool[]) as c(schema, name, attribute)
  join pg_catalog.pg_proc p on p.proname = c.name::name
  join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where (n.nspname = c.schema or c.schema is null and pg_catalog.pg_function_is_visible(p.oid))
    and (p.provolatile = 'v' and p.proname <> all ($4::name[]) or p.proname = any ($5::name[]))
    and (not c.attribute or p.pronargs - p.pronargdefaults <= 1 and p.pronargs > 0
      and (n.nspname = 'pg_catalog' or not exists (select from pg_catalog.pg_attribute a where a.attname = p.proname and a.attnum > 0)))
  group by c.name limit 1`;

export function valuesFor(calls: readonly FunctionCall[]): unknown[] {
  return [
    calls.map(call => call.schema ?? null),
    calls.map(call => call.name),
    calls.map(call => call.isAttribute),
    harmless,
    runsTexts,
  ];
}
