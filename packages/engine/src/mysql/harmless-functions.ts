import { SqlError, type FunctionCall } from '@belvedere/sql';
import type { Row } from './read-rows.ts';

/*
 * Functions of MySQL and MariaDB that custom SQL may call, because they only compute a value. This is an
 * allow list, since neither server declares what its functions do. Functions of newer versions or plug-ins
 * are refused until they are reviewed. Excluded are `load_file`, `sleep`, `benchmark`, locks (`get_lock` and
 * its variants), sequences (`nextval`, `setval`), `last_insert_id`, waiting for replicas, and functions that
 * inspect the server.
 */

/** Keywords and types that may precede a parenthesis without being functions. */
const grammar = `
  select distinct distinctrow all any some exists in not and or xor is like rlike regexp sounds between case when then else if interval match
  against binary over as from join on using where having by group order limit offset union except intersect minus values row rows range lateral
  columns nested partition index key use force ignore with within window cross inner outer left right natural straight_join mod div escape of
  default current return recursive full
  char character varchar nchar nvarchar national varbinary blob text tinytext mediumtext longtext tinyblob mediumblob longblob bit bool boolean
  tinyint smallint mediumint int integer bigint decimal dec fixed numeric float double real precision date time datetime timestamp year enum
  set json signed unsigned`;

const numbers = `
  abs acos asin atan atan2 bin bit_count ceil ceiling conv cos cot crc32 crc32c degrees exp floor format greatest hex least ln log log10 log2
  oct pi pow power radians rand round sign sin sqrt tan truncate unhex sformat`;

const texts = `
  ascii bit_length char_length character_length chr coercibility collation charset concat concat_ws convert elt export_set field find_in_set
  from_base64 insert instr lcase left length lengthb locate lower lpad ltrim make_set mid natural_sort_key octet_length ord position quote
  repeat replace reverse right rpad rtrim soundex space strcmp substr substring substring_index to_base64 to_char trim ucase upper
  weight_string regexp_instr regexp_like regexp_replace regexp_substr extractvalue updatexml
  concat_operator_oracle lpad_oracle ltrim_oracle replace_oracle rpad_oracle rtrim_oracle substr_oracle trim_oracle decode_oracle`;

const times = `
  adddate addtime add_months convert_tz curdate curtime current_date current_time current_timestamp date_add date_format date_sub datediff day
  dayname dayofmonth dayofweek dayofyear extract from_days from_unixtime get_format hour last_day localtime localtimestamp makedate maketime
  microsecond minute month monthname now period_add period_diff quarter sec_to_time second str_to_date subdate subtime sysdate time_format
  time_to_sec timediff timestampadd timestampdiff to_days to_seconds unix_timestamp utc_date utc_time utc_timestamp week weekday weekofyear
  yearweek`;

const groups = `
  any_value avg bit_and bit_or bit_xor count cume_dist dense_rank first_value group_concat grouping json_arrayagg json_objectagg lag last_value
  lead max median min nth_value ntile percent_rank percentile_cont percentile_disc rank row_number std stddev stddev_pop stddev_samp sum var_pop
  var_samp variance`;

const others = `
  aes_decrypt aes_encrypt bin_to_uuid cast coalesce column_check column_create column_add column_delete column_exists column_get column_json
  column_list compress connection_id current_role current_user database decode des_decrypt des_encrypt encode format_bytes format_pico_time
  found_rows icu_version ifnull inet6_aton inet6_ntoa inet_aton inet_ntoa is_ipv4 is_ipv4_compat is_ipv4_mapped is_ipv6 is_uuid isnull md5
  name_const nullif nvl nvl2 random_bytes row_count schema session_user sha sha1 sha2 statement_digest statement_digest_text string_to_vector
  system_user to_vector from_vector uncompress uncompressed_length user uuid uuid_short uuid_v4 uuid_v7 uuid_to_bin vector_dim vector_to_string
  vec_distance vec_distance_euclidean vec_distance_cosine vec_fromtext vec_totext distance sys_guid version
  json_array json_array_append json_array_insert json_compact json_contains json_contains_path json_depth json_detailed json_equals json_exists
  json_extract json_insert json_keys json_length json_loose json_merge json_merge_patch json_merge_preserve json_normalize json_object
  json_overlaps json_pretty json_query json_quote json_remove json_replace json_schema_valid json_schema_validation_report json_search json_set
  json_storage_free json_storage_size json_table json_type json_unquote json_valid json_value json_array_intersect json_object_filter_keys
  json_object_to_array json_key_value
  point linestring polygon multipoint multilinestring multipolygon geometrycollection geomcollection geometry`;

/** Each after `st_`; those of `mbr` have no underscore. */
const shapes = `
  area asbinary asgeojson astext aswkb aswkt boundary buffer buffer_strategy centroid collect contains
  convexhull crosses difference dimension disjoint distance distance_sphere endpoint envelope equals
  exteriorring frechetdistance geohash geomcollfromtext geomcollfromtxt geomcollfromwkb
  geometrycollectionfromtext geometrycollectionfromwkb geometryfromtext geometryfromwkb geometryn geometrytype
  geomfromgeojson geomfromtext geomfromwkb hausdorffdistance interiorringn intersection intersects isclosed
  isempty isring issimple isvalid latfromgeohash latitude length linefromtext linefromwkb lineinterpolatepoint
  lineinterpolatepoints linestringfromtext linestringfromwkb longfromgeohash longitude makeenvelope
  mlinefromtext mlinefromwkb mpointfromtext mpointfromwkb mpolyfromtext mpolyfromwkb multilinestringfromtext
  multilinestringfromwkb multipointfromtext multipointfromwkb multipolygonfromtext multipolygonfromwkb
  numgeometries numinteriorring numinteriorrings numpoints overlaps pointatdistance pointfromgeohash
  pointfromtext pointfromwkb pointn pointonsurface polyfromtext polyfromwkb polygonfromtext polygonfromwkb
  relate simplify srid startpoint swapxy symdifference touches transform union validate within x y`;
const boxes =
  'mbrcontains mbrcoveredby mbrcovers mbrdisjoint mbrequal mbrequals mbrintersects mbroverlaps mbrtouches mbrwithin';

const words = (list: string) => list.trim().split(/\s+/);
const grammarWords = new Set(words(grammar));
const functions = new Set([
  ...[numbers, texts, times, groups, others, boxes].flatMap(words),
  ...words(shapes).map(name => `st_${name}`),
]);

/** Whether a name before a parenthesis is a built-in function that only computes a value, or a keyword. */
function isHarmless(name: string, isQuoted: boolean): boolean {
  const known = name.toLowerCase();
  return functions.has(known) || (!isQuoted && grammarWords.has(known));
}

/**
 * Refuses calls of functions that may do more than compute a value. A stored function is allowed if it
 * declares itself read-only. It may have the name of a harmless function that only other servers have.
 * @throws SqlError
 */
export async function refuseUnknownFunctions(
  calls: readonly FunctionCall[],
  queryRows: (sql: string) => Promise<readonly Row[]>,
): Promise<void> {
  if (calls.length === 0) return;
  const literal = (text: string) => `convert(x'${Buffer.from(text).toString('hex')}' using utf8mb4)`;
  const stored = await queryRows(
    `select lower(routine_schema), lower(routine_name), sql_data_access, lower(database()) from information_schema.routines where routine_type = 'FUNCTION' and routine_name in (${[...new Set(calls.map(call => call.name))].map(literal).join(', ')})`,
  );
  for (const { schema, name, isQuoted } of calls) {
    const found = stored.filter(
      ([inSchema, called, , own]) =>
        called === name.toLowerCase() && inSchema === (schema?.toLowerCase() ?? own),
    );
    const isAllowed =
      found.length > 0
        ? found.every(routine => readsOnly.has(routine[2]!))
        : schema === undefined && isHarmless(name, isQuoted);
    if (isAllowed) continue;
    const why =
      found.length > 0
        ? 'it is not declared read-only. If it is, declare it `reads sql data` or `no sql`'
        : 'it is not a known read-only function';
    throw new SqlError(`The function \`${name}\` is not allowed: ${why}.`);
  }
}

const readsOnly = new Set(['READS SQL DATA', 'NO SQL']);
