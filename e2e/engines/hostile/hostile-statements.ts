/**
 * Statements that write, connect elsewhere, wait, or leave something behind, one a line. CANARY is a table,
 * CANARY_FILE a file and CANARY_FOLDER a folder that the server may write to, CANARY_PORT a port with a
 * listener. None of them may run.
 */

const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map(line => line.trim());

/** Not queries on any server. */
const everywhere = lines(String.raw`
  delete from CANARY
  delete from CANARY where 1 = 1
  update CANARY set n = 0
  insert into CANARY values (9, 'x')
  insert into CANARY select * from CANARY
  drop table CANARY
  truncate table CANARY
  alter table CANARY add column x int
  create table stolen as select * from CANARY
  create view stolen as select * from CANARY
  grant all on CANARY to public
  set x = 1
  begin
  commit
  rollback
  explain select 1
  explain analyze delete from CANARY
  show tables
  describe CANARY
  select 1; drop table CANARY
  select 1; delete from CANARY; select 2
  ; drop table CANARY
  select 1) as q; drop table CANARY; select * from (select 1
  select 1 ; ; drop table CANARY ;
  select ';'; drop table CANARY
  select /* ; */ 1; drop table CANARY
  select 1 -- ;
  ; drop table CANARY
  with d as (delete from CANARY returning *) select * from d
  with d as (select 1) delete from CANARY
  with d as (select 1) update CANARY set n = 0
  with d as (select 1) insert into CANARY select 9, 'x'
  use other
  kill 1
  (delete from CANARY)
  ((drop table CANARY))
`).filter(line => line !== 'select 1 -- ;');

const postgres = lines(String.raw`
  set default_transaction_read_only = off
  set session characteristics as transaction read write
  set transaction read write
  begin read write
  start transaction read write
  commit; begin read write; delete from CANARY
  set timezone = 'Asia/Tokyo'
  set datestyle = 'German'
  set local timezone = 'Asia/Tokyo'
  set role pg_monitor
  set session authorization keeper
  reset all
  discard all
  copy CANARY to stdout
  copy CANARY from stdin
  copy CANARY to 'CANARY_FOLDER/out'
  copy (select 1) to 'CANARY_FOLDER/out'
  copy (select 1) to program 'touch CANARY_FOLDER/out'
  copy CANARY from program 'echo 9,x'
  do $$ begin delete from CANARY; end $$
  call whatever()
  execute whatever
  prepare p as delete from CANARY
  declare c cursor with hold for select 1
  listen canary
  notify canary
  load 'auto_explain'
  lock table CANARY
  vacuum CANARY
  analyze CANARY
  cluster CANARY
  reindex table CANARY
  refresh materialized view CANARY
  checkpoint
  alter system set work_mem = '1GB'
  create function f() returns int language sql as 'select 1'
  create extension dblink
  comment on table CANARY is 'x'
  import foreign schema public from server s into public
  security label on table CANARY is 'x'
  merge into CANARY using CANARY c on true when matched then delete
  select 1 into stolen
  select * into stolen from CANARY
  select * into temp stolen from CANARY
  table CANARY for update
  select * from CANARY for update
  select * from CANARY for share
  select * from CANARY for no key update
  select * from CANARY for key share
  select * from (select * from CANARY for update) q
  with l as (select * from CANARY for update) select * from l
  with d as (insert into CANARY values (9, 'x') returning *) select * from d
  with d as (update CANARY set n = 0 returning *) select * from d
  select * from (with d as (delete from CANARY returning *) select * from d) q
  select 1 where exists (with d as (delete from CANARY returning *) select 1 from d)
  select set_config('transaction_read_only', 'off', true)
  select set_config('transaction_read_only', 'off', false)
  select set_config('default_transaction_read_only', 'off', false)
  select set_config('timezone', 'Asia/Tokyo', false)
  select set_config('datestyle', 'German', false)
  select set_config('search_path', 'pg_temp', false)
  select set_config('role', 'pg_monitor', false)
  select set_config('session_authorization', 'keeper', false)
  select set_config('statement_timeout', '0', false)
  select pg_catalog.set_config('timezone', 'Asia/Tokyo', false)
  select "set_config"('timezone', 'Asia/Tokyo', false)
  select "pg_catalog"."set_config"('timezone', 'Asia/Tokyo', false)
  select U&"set\005fconfig"('timezone', 'Asia/Tokyo', false)
  select u&"set!005fconfig" uescape '!' ('timezone', 'Asia/Tokyo', false)
  select set_config ( 'timezone', 'Asia/Tokyo', false )
  select * from set_config('timezone', 'Asia/Tokyo', false)
  select * from rows from (set_config('timezone', 'Asia/Tokyo', false)) r
  select x.* from lateral set_config('timezone', 'Asia/Tokyo', false) x
  values (set_config('timezone', 'Asia/Tokyo', false))
  select 1 order by set_config('timezone', 'Asia/Tokyo', false)
  select 1 where set_config('timezone', 'Asia/Tokyo', false) = 'x'
  select case when 1 = 1 then set_config('timezone', 'Asia/Tokyo', false) end
  select 1 limit length(set_config('timezone', 'Asia/Tokyo', false))
  select count(*) filter (where set_config('timezone', 'Asia/Tokyo', false) = 'x') from CANARY
  select array(select set_config('timezone', 'Asia/Tokyo', false))
  select sum(n) over (order by set_config('timezone', 'Asia/Tokyo', false)) from CANARY
  select distinct on (1) set_config('timezone', 'Asia/Tokyo', false)
  select 1 union select length(set_config('timezone', 'Asia/Tokyo', false))
  select nextval('canary_seq')
  select setval('canary_seq', 100)
  select setseed(0.5)
  select pg_sleep(9)
  select pg_sleep_for('9 seconds')
  select pg_sleep_until(now() + interval '9 seconds')
  select (9).pg_sleep
  select (9::float8).pg_sleep
  select s.pg_sleep from generate_series(9, 9) s
  select s."pg_sleep" from generate_series(9, 9) s
  select s . pg_sleep from generate_series(9, 9) s
  select (select 9).pg_sleep
  select (array[9])[1].pg_sleep
  select ('CANARY_FILE'::text).pg_read_file
  select s.pg_read_file from (values ('CANARY_FILE'::text)) v(t), lateral (select t) s
  select t.pg_ls_dir from unnest(array['CANARY_FOLDER']) t
  select k.pg_advisory_lock from generate_series(7::bigint, 7) k
  select pg_advisory_lock(7)
  select pg_advisory_lock_shared(7)
  select pg_try_advisory_lock(7)
  select pg_advisory_xact_lock(7)
  select pg_advisory_unlock_all()
  select pg_terminate_backend(pid) from pg_stat_activity
  select pg_cancel_backend(pid) from pg_stat_activity
  select pg_reload_conf()
  select pg_rotate_logfile()
  select pg_switch_wal()
  select pg_create_restore_point('x')
  select pg_backup_start('x')
  select pg_promote()
  select pg_stat_reset()
  select pg_stat_reset_shared('bgwriter')
  select pg_read_file('CANARY_FILE')
  select pg_read_binary_file('CANARY_FILE')
  select pg_ls_dir('CANARY_FOLDER')
  select * from pg_ls_dir('CANARY_FOLDER') f
  select pg_stat_file('CANARY_FILE')
  select pg_ls_logdir()
  select pg_ls_waldir()
  select lo_import('CANARY_FILE')
  select lo_export(1, 'CANARY_FOLDER/out')
  select lo_create(0)
  select lo_creat(-1)
  select lo_from_bytea(0, 'x')
  select lo_put(1, 0, 'x')
  select lo_unlink(1)
  select lo_open(1, 131072)
  select lowrite(1, 'x')
  select query_to_xml('select pg_advisory_lock(7)', true, true, '')
  select query_to_xml_and_xmlschema('select set_config(''timezone'', ''Asia/Tokyo'', false)', true, true, '')
  select query_to_xmlschema('select pg_advisory_lock(7)', true, true, '')
  select cursor_to_xml('c', 1, true, true, '')
  select ts_stat('select set_config(''timezone'', ''Asia/Tokyo'', false)::tsvector')
  select * from ts_stat('select pg_advisory_lock(7)::text::tsvector')
  select ts_rewrite('a'::tsquery, 'select pg_advisory_lock(7)::text::tsquery, ''b''::tsquery')
  select pg_notify('canary', 'x')
  select pg_export_snapshot()
  select pg_logical_emit_message(false, 'x', 'y')
  select pg_create_physical_replication_slot('canary')
  select pg_create_logical_replication_slot('canary', 'pgoutput')
  select pg_drop_replication_slot('canary')
  select pg_replication_origin_create('canary')
  select pg_import_system_collations('public')
  select binary_upgrade_set_next_pg_type_oid(1)
  select brin_summarize_new_values(1)
  select gin_clean_pending_list(1)
  select pg_log_backend_memory_contexts(1)
  select pg_nextoid(1, 'x', 1)
  select pg_current_logfile()
  select pg_hba_file_rules()
  select pg_show_all_file_settings()
  select dblink('host=127.0.0.1 port=CANARY_PORT', 'select 1')
  select writing_function()
  select public.writing_function()
  select "writing_function"()
  select crosstab('select pg_advisory_lock(7)')
  select $1
  select $1::text, $2
  set local transaction_read_only = off
  set local statement_timeout = 0
  do language plpgsql $x$ begin perform pg_sleep(9); end $x$
  explain (analyze) select pg_sleep(9)
  explain analyze with d as (delete from CANARY returning *) select * from d
  explain (analyze, generic_plan off) update CANARY set n = 0
  select * from CANARY for update of CANARY nowait
  select * from (table CANARY for update skip locked) q
  table CANARY for no key update
  with d as materialized (delete from CANARY returning *) select count(*) from d
  with recursive d as (update CANARY set n = n + 1 returning n) select * from d
  with d as (merge into CANARY using (values (1)) v(n) on true when matched then delete returning 1) select 1
  lock CANARY in access exclusive mode
  unlisten *
  deallocate all
  release savepoint x
  prepare transaction 'x'
  commit prepared 'x'
  close all
  fetch all from c
  move all from c
  create temp table stolen as select 1
  create materialized view stolen as select 1
  create publication canary for all tables
  alter role postgres password 'x'
  alter database belvedere set timezone to 'Asia/Tokyo'
  set constraints all deferred
  copy (delete from CANARY returning *) to stdout
  copy CANARY to program 'touch CANARY_FOLDER/out'
  select pg_file_write('CANARY_FOLDER/out', 'x', false)
  select pg_logfile_rotate()
  select lo_truncate(1, 0)
  select loread(1, 1)
  select lo_get(lo_import('CANARY_FILE'))
  select convert_from(pg_read_binary_file('CANARY_FILE'), 'utf8')
  select * from pg_read_file('CANARY_FILE') f
  select * from pg_stat_file('CANARY_FILE') f
  select pg_ls_tmpdir()
  select pg_ls_archive_statusdir()
  select pg_try_advisory_xact_lock(7)
  select pg_try_advisory_lock_shared(7, 7)
  select pg_drop_replication_slot(slot_name) from pg_replication_slots
  select pg_replication_origin_session_setup('canary')
  select pg_stat_reset_slru('x')
  select pg_stat_statements_reset()
  select pg_stat_clear_snapshot()
  select pg_stat_force_next_flush()
  select pg_set_attribute_stats('x')
  select pg_restore_relation_stats('x')
  select pg_clear_relation_stats('public', 'canary')
  select pg_log_standby_snapshot()
  select pg_sync_replication_slots()
  select pg_extension_config_dump(1, 'x')
  select pg_wal_replay_pause()
  select pg_backup_stop()
  select dblink_connect('host=127.0.0.1 port=CANARY_PORT')
  select dblink_exec('delete from canary')
  select currval('canary_seq') + nextval('canary_seq')
  select json_agg(pg_sleep(9))
  select (pg_sleep(9)) is null as a order by 1
  select 1 from CANARY group by grouping sets ((pg_sleep(9)))
  select * from json_table('[1]'::jsonb, '$[*]' columns (a int path '$' default pg_sleep(9) on error)) j
  select * from xmltable('/a' passing xmlparse(content pg_read_file('CANARY_FILE')) columns a text) x
  select * from CANARY tablesample bernoulli (pg_sleep(9))
  select 1 fetch first (length(set_config('timezone', 'Asia/Tokyo', false))) rows only
  select 1 $1
  select 1or(select pg_sleep(9))is null
  select 1/**/,/**/pg_sleep/**/(9)
  select system('CANARY_FILE')
  select public.system('CANARY_FILE')
  select x from CANARY, lateral system('CANARY_FILE') x
  select reading_sum(n) from CANARY
  select reading_sum(n) over () from CANARY
  select 1 @#@ 2
  select n@#@-1 from CANARY
  select 1 operator(public.@#@) 2
  select * from CANARY a join CANARY b on a.n @#@ b.n = 'x'
  select a_schema_whose_name_has_as_many_letters_as_a_name_can_have_63ab.reading()
  select a_schema_whose_name_has_as_many_letters_as_a_name_can_have_63abc.reading()
  select txid_current()
  select pg_current_xact_id()
  select pg_catalog.txid_current() from CANARY
  select * from pg_file_settings
  select * from pg_hba_file_rules
  select error from pg_catalog.pg_ident_file_mappings
  select count(*) from "pg_hba_file_rules"
  select table_to_xml('pg_hba_file_rules', true, true, '')
  select schema_to_xml('pg_catalog', true, true, '')
  select database_to_xml(true, true, '')
  select pg_sleep--x
  select E'\'', pg_sleep(9), E'\''
  select '\', pg_sleep(9), '\'
  select $a$ $b$ $a$, pg_sleep(9), $b$ $b$
  select a$b$, pg_sleep(9) as c$b$ from CANARY
  select /* /* */ */ pg_sleep(9)
  select 'a' -- '
  `).filter(line => line !== "select 'a' -- '" && line !== '');

const mysql = lines(String.raw`
  set session transaction read write
  set transaction read write
  start transaction read write
  set session time_zone = '+09:00'
  set global time_zone = '+09:00'
  set sql_mode = ''
  set @canary = 1
  set names latin1
  set password = 'x'
  set autocommit = 0
  replace into CANARY values (1, 'x')
  load data infile 'CANARY_FILE' into table CANARY
  load data local infile 'CANARY_FILE' into table CANARY
  lock tables CANARY write
  unlock tables
  flush tables
  flush privileges
  reset query cache
  handler CANARY open
  do sleep(9)
  do get_lock('canary', 1)
  call whatever()
  prepare p from 'delete from CANARY'
  execute immediate 'delete from CANARY'
  execute p
  create temporary table stolen (a int)
  create user thief
  drop user keeper
  create function f returns integer soname 'x.so'
  install plugin x soname 'x.so'
  rename table CANARY to stolen
  optimize table CANARY
  analyze table CANARY
  repair table CANARY
  shutdown
  help 'x'
  xa start 'x'
  savepoint x
  signal sqlstate '45000'
  begin not atomic delete from CANARY; end
  select * from CANARY into outfile 'CANARY_FOLDER/out'
  select * into outfile 'CANARY_FOLDER/out' from CANARY
  select 'x' into dumpfile 'CANARY_FOLDER/out'
  select 1 into @canary
  select 1 INTO/**/@canary
  select n into @canary from CANARY limit 1
  (select 1) into @canary
  (select 1 into @canary)
  select 1e5into @canary
  select 1.5into @canary
  select .5into @canary
  select 1.into @canary
  select 0x41 into @canary
  select 1 from CANARY where n=1e0into outfile 'CANARY_FOLDER/out'
  select 1 union select 2 into outfile 'CANARY_FOLDER/out'
  with a as (select 1) select * from a into outfile 'CANARY_FOLDER/out'
  table CANARY into outfile 'CANARY_FOLDER/out'
  values row(1) into outfile 'CANARY_FOLDER/out'
  select 1 /*!into outfile 'CANARY_FOLDER/out'*/
  select 1 /*!50000into outfile 'CANARY_FOLDER/out'*/
  select 1 /*M!into outfile 'CANARY_FOLDER/out'*/
  select 1 /*M!100000 into outfile 'CANARY_FOLDER/out'*/
  select 1 /*! into @canary */
  select /*!sleep(9)*/
  select /*!99999 1, */ 2 /*!, sleep(9) */
  /*! delete from CANARY */
  /*!50000 drop */ table CANARY
  select @canary := 1
  select @canary:=@canary+1 from CANARY
  select 1 where (@canary := 1)
  select * from (select @canary := 1) q
  select * from CANARY for update
  select * from CANARY for share
  select * from CANARY lock in share mode
  select * from (select * from CANARY for update) q
  select * from CANARY for update nowait
  select * from CANARY for update skip locked
  (select * from CANARY for update)
  select 1 from CANARY procedure analyse()
  select * from CANARY procedure analyse(10, 2000)
  select sleep(9)
  select sleep (9)
  select SLEEP/**/(9)
  select ${'`sleep`'}(9)
  select "sleep"(9)
  select 1 and sleep(9)
  select 1 from CANARY where sleep(9)
  select 1 order by sleep(9)
  select 1 group by sleep(9)
  select if(1, sleep(9), 0)
  select case when 1 then sleep(9) end
  select count(*) from CANARY having sleep(9)
  select (select sleep(9))
  select 1 union select sleep(9)
  select distinct(sleep(9))
  select sum(sleep(9)) over ()
  with a as (select sleep(9)) select * from a
  with recursive a(n) as (select sleep(9)) select * from a
  values row(sleep(9))
  select 1 limit 1 offset 0 union (select sleep(9))
  select ſleep(9)
  select "ſleep"(9)
  select 1,sleep(9)
  select -sleep(9)
  select !sleep(9)
  select(sleep(9))
  select+sleep(9)
  select@canary,sleep(9)
  select 1--1,sleep(9)
  select 1 #', 
  select '\', sleep(9), '\'
  select 'a''', sleep(9), ''
  select "a""", sleep(9), "n" from CANARY
  select ${'`a```'}, sleep(9) from CANARY
  select benchmark(1000000000, md5('x'))
  select get_lock('canary', 0)
  select is_free_lock('canary')
  select is_used_lock('canary')
  select release_lock('canary')
  select release_all_locks()
  select load_file('CANARY_FILE')
  select hex(load_file('CANARY_FILE'))
  select load_file(0x2f6574632f706173737764)
  select last_insert_id(7)
  select last_insert_id(n) from CANARY
  select master_pos_wait('x', 1, 9)
  select source_pos_wait('x', 1, 9)
  select master_gtid_wait('1-1-1', 9)
  select wait_for_executed_gtid_set('3e11fa47-71ca-11e1-9e33-c80aa9429562:1', 9)
  select sys_exec('touch CANARY_FOLDER/out')
  select sys_eval('id')
  select nextval(canary_seq)
  select next value for canary_seq
  select previous value for canary_seq, next value for canary_seq
  select setval(canary_seq, 100)
  select lastval(canary_seq)
  select writing_function()
  select belvedere.writing_function()
  select ${'`writing_function`'}()
  select "belvedere"."writing_function"()
  select st_stealing()
  select stealing_lock()
  select sys.ps_kill(1)
  select mysql.sleep(9)
  select 1 as sleep, sleep(9)
  select * from json_table('[1]', '$[*]' columns(a int path '$')) j where sleep(9)
  select 1 where exists (select sleep(9))
  select any_value(sleep(9))
  select json_arrayagg(sleep(9)) from CANARY
  select group_concat(sleep(9)) from CANARY
  select interval(1, sleep(9))
  select 1 in (sleep(9))
  select 1 between 0 and sleep(9)
  select cast(sleep(9) as char)
  select convert(sleep(9), char)
  select row(1, sleep(9)) = row(1, 1)
  select 1 mod sleep(9)
  select (1) mod (sleep(9))
  select (1) div (sleep(9))
  select 'a' like sleep(9)
  select binary sleep(9)
  handler CANARY read first
  handler CANARY open as h
  load xml infile 'CANARY_FILE' into table CANARY
  import table from 'CANARY_FOLDER/*.sdi'
  clone local data directory 'CANARY_FOLDER/out'
  set persist time_zone = '+09:00'
  set @@session.time_zone = '+09:00'
  set @@global.read_only = 0
  set role none
  set statement max_statement_time = 0 for select sleep(9)
  set transaction isolation level read uncommitted
  alter user current_user() identified by 'x'
  start transaction with consistent snapshot
  explain analyze select sleep(9)
  analyze format=json select sleep(9)
  explain for connection 1
  show create table CANARY
  select * from CANARY into @canary, @other
  select 1 from CANARY limit 1 into @canary
  select 1 into outfile 'CANARY_FOLDER/out' fields terminated by ','
  select * from (select 1 into @canary) q
  select * from CANARY for update of CANARY
  select * from CANARY for share skip locked
  select * from CANARY lock in share mode nowait
  table CANARY for update
  select @canary:=n from CANARY order by @canary:=0
  select (@canary := sleep(9))
  select 1 from CANARY where (@a:=n)
  select coalesce(@canary:=1, 2)
  select get_lock('canary', 0) from (select 1) q
  select group_concat(get_lock('canary', 0)) from CANARY
  select max(get_lock('canary', 0)) over () from CANARY
  select json_value(load_file('CANARY_FILE'), '$')
  select from_base64(to_base64(load_file('CANARY_FILE')))
  select extractvalue(load_file('CANARY_FILE'), '/a')
  select uuid_to_bin(load_file('CANARY_FILE'))
  select @a. into @canary
  select @a. into outfile 'CANARY_FOLDER/out'
  select @1. into outfile 'CANARY_FOLDER/out'
  select @a.b. into outfile 'CANARY_FOLDER/out'
  select @. into outfile 'CANARY_FOLDER/out'
  select n from CANARY where @a. is null into outfile 'CANARY_FOLDER/out'
  select @a. for update
  select@a. into@canary
  select distance()
  select coalesce(distance(), 1)
  select wait_until_sql_thread_after_gtids('x', 9)
  select master_gtid_wait('x')
  select service_get_write_locks('a', 'canary', 9)
  select service_release_locks('a')
  select asynchronous_connection_failover_reset()
  select group_replication_switch_to_single_primary_mode()
  select keyring_key_store('a', 'AES', 'x')
  select audit_log_rotate()
  select mysql_firewall_flush_status()
  select version_tokens_set('x')
  select lastval(canary_seq), nextval(canary_seq)
  select canary_seq.nextval
  select load_file(concat('CANARY', '_FILE'))
  with a as (select get_lock('canary', 0) g) select * from a
  with a as (select 1) delete from CANARY
  with a as (select 1) update CANARY set n = 0
  with a as (select 1) insert into CANARY select 9, 'x'
  values (sleep(9))
  select 1 from dual procedure analyse()
  (select 1) union (select sleep(9)) order by 1
  (table CANARY) for update
  delete CANARY from CANARY
  delete from CANARY returning n
  replace into CANARY select 9, 'x' returning n
  ; select sleep(9)
  delimiter //
  select ?
  select 1 where 1 = ?
`).filter(line => line !== "select 1 #',");

const clickhouse = lines(String.raw`
  set readonly = 0
  set max_execution_time = 0
  system reload config
  system drop mark cache
  system shutdown
  system flush logs
  optimize table CANARY
  attach table CANARY
  detach table CANARY
  rename table CANARY to stolen
  create database stolen
  create temporary table stolen (a Int8)
  insert into function file('out', CSV, 'a String') values ('x')
  insert into CANARY select 9, 'x'
  insert into CANARY format CSV
  alter table CANARY delete where 1
  alter table CANARY drop column word
  kill query where 1
  check table CANARY
  exists table CANARY
  select 1 into outfile 'CANARY_FOLDER/out'
  select * from CANARY into outfile 'CANARY_FOLDER/out'
  select 1 INTO/**/OUTFILE 'CANARY_FOLDER/out'
  select * from url('http://127.0.0.1:CANARY_PORT/', CSV, 'a String')
  select * from URL('http://127.0.0.1:CANARY_PORT/', CSV, 'a String')
  select * from ${'`url`'}('http://127.0.0.1:CANARY_PORT/', CSV, 'a String')
  select * from "url"('http://127.0.0.1:CANARY_PORT/', CSV, 'a String')
  select * from url ('http://127.0.0.1:CANARY_PORT/', CSV, 'a String')
  select * from url/**/('http://127.0.0.1:CANARY_PORT/', CSV, 'a String')
  select * from (select * from url('http://127.0.0.1:CANARY_PORT/', CSV, 'a String'))
  select 1 in (select a from url('http://127.0.0.1:CANARY_PORT/', CSV, 'a Int8'))
  select (select a from url('http://127.0.0.1:CANARY_PORT/', CSV, 'a String'))
  select 1 union all select a from url('http://127.0.0.1:CANARY_PORT/', CSV, 'a Int8')
  select * from CANARY any left join (select a from url('http://127.0.0.1:CANARY_PORT/', CSV, 'a String')) using word
  with (select a from url('http://127.0.0.1:CANARY_PORT/', CSV, 'a String')) as x select x
  select count() from url('http://127.0.0.1:CANARY_PORT/', CSV, 'a String')
  select * from urlCluster('shards', 'http://127.0.0.1:CANARY_PORT/', CSV, 'a String')
  select * from file('CANARY_FILE', CSV, 'a String')
  select * from file('canary.csv', CSV, 'a String')
  select * from file('canary.csv')
  select file('CANARY_FILE')
  select * from fileCluster('shards', 'canary.csv', CSV, 'a String')
  select * from remote('127.0.0.1:CANARY_PORT', system.one)
  select * from remote('127.0.0.1', system, one)
  select * from remoteSecure('127.0.0.1:CANARY_PORT', system.one)
  select * from cluster('shards', system.one)
  select * from clusterAllReplicas('shards', system.one)
  select * from mysql('127.0.0.1:CANARY_PORT', 'a', 'b', 'c', 'd')
  select * from postgresql('127.0.0.1:CANARY_PORT', 'a', 'b', 'c', 'd')
  select * from odbc('DSN=x', 'a', 'b')
  select * from jdbc('jdbc:x', 'a', 'b')
  select * from mongodb('127.0.0.1:CANARY_PORT', 'a', 'b', 'c', 'd', 'e')
  select * from redis('127.0.0.1:CANARY_PORT', 'a', 'a String')
  select * from sqlite('CANARY_FILE', 'a')
  select * from s3('http://127.0.0.1:CANARY_PORT/a.csv', CSV, 'a String')
  select * from s3Cluster('shards', 'http://127.0.0.1:CANARY_PORT/a.csv', CSV, 'a String')
  select * from gcs('http://127.0.0.1:CANARY_PORT/a.csv', CSV, 'a String')
  select * from azureBlobStorage('x', 'y', 'z')
  select * from hdfs('hdfs://127.0.0.1:CANARY_PORT/a', CSV, 'a String')
  select * from iceberg('http://127.0.0.1:CANARY_PORT/a')
  select * from deltaLake('http://127.0.0.1:CANARY_PORT/a')
  select * from hudi('http://127.0.0.1:CANARY_PORT/a')
  select * from executable('touch CANARY_FOLDER/out', CSV, 'a String')
  select * from input('a String')
  select * from catBoostPool('CANARY_FILE', 'CANARY_FILE')
  select * from shardByHash('shards', 'a', 'b', 'c', 'd')
  select sleep(3)
  select sleep (3)
  select SLEEP(3)
  select ${'`sleep`'}(3)
  select "sleep"(3)
  select sleepEachRow(1) from numbers(3)
  select arrayMap(x -> sleep(x), [3])
  select arrayFilter(x -> sleepEachRow(1) = 0, [1, 2, 3])
  select if(sleep(3) = 0, 1, 0)
  select count() from CANARY where sleep(3) = 0
  select 1 order by sleep(3)
  select n from CANARY group by n having sleep(3) = 0
  select n from CANARY prewhere sleep(3) = 0
  select * from numbers(sleep(3))
  with sleep(3) as x select x
  select (sleep(3), 1)
  select [sleep(3)]
  select sleep(3) as x, x
  select 'it\'s', sleep(3), 'x\''
  select 'a''', sleep(3), ''
  select ${'`a\\``'}, sleep(3) from CANARY
  select "a\"", sleep(3) from CANARY
  select '\\', sleep(3), '\\'
  select $$a$$, sleep(3)
  select * apply sleep from CANARY
  select * apply(sleep) from CANARY
  select columns('n') apply sleepEachRow from CANARY
  select distinct on (n) sleep(3) from CANARY
  select modelEvaluate('x', 1)
  select catboostEvaluate('CANARY_FILE', 1)
  select reverseDNSQuery('127.0.0.1')
  select generateSerialID('x')
  select getClientHTTPHeader('Authorization')
  select hasColumnInTable('127.0.0.1:CANARY_PORT', 'a', 'b', 'c', 'd', 'e')
  select evalMLMethod(1, 2)
  select showCertificate()
  select logTrace('x')
  select trap('null pointer')
  select aiGenerate('x')
  select 1 settings max_execution_time = 0
  select 1 settings readonly = 0
  select 1 SETTINGS/**/ readonly=0
  select 1 settings ${'`readonly`'} = 0
  select * from (select 1 settings max_threads = 1)
  select 1 format CSV
  select 1 format Null
  select sleep${'\u00a0'}(3)
  select sleep${'\u3000'}(3)
  select ‘a’, sleep(3)
  select 1 -- ;
  select a$b$, sleep(3) as c$b$ from CANARY
  select /* /* */ sleep(3)
  select 1 #!
  select sleepState(3)
  select urlIf('x')
  select fileMerge('x')
  with x as (select * from file('canary.csv', CSV, 'a String')) select * from x
  explain syntax select 1
  from url('http://127.0.0.1:CANARY_PORT/', CSV, 'a String') select *
  select ignore(sleep(3))
  select materialize(sleep(3))
  select toString(sleep(3)) || 'x'
  select not sleep(3)
  select -sleep(3)
  select 1 between 0 and sleep(3)
  select 1 in (sleep(3))
  select case when sleep(3) = 0 then 1 end
  select cast(sleep(3) as String)
  select 1 limit sleep(3)
  select sum(sleep(3)) from CANARY
  select quantile(0.5)(sleep(3)) from CANARY
  select sleep(0.5)(3)
  select * from merge('system', '^one$') settings max_execution_time = 0
  select 1 settings use_query_cache
  select 1 settings skip_unavailable_shards, readonly
  select * from (select 1 settings join_use_nulls)
  select n from CANARY settings final = 1
  select 1 union all select 2 settings allow_introspection_functions format Null
  select 1 settings ${'`skip_unavailable_shards`'}
  select 1 settings "readonly"
  execute as default select 1
  grant current grants on *.* to thief
  undrop table CANARY
  exchange tables CANARY and stolen
  move user x to y
  backup table CANARY to Disk('default', 'x')
  restore table CANARY from Disk('default', 'x')
  watch CANARY
  drop table CANARY parallel with drop table CANARY
  select 1 parallel with drop table CANARY
  select * from (explain select * from url('http://127.0.0.1:CANARY_PORT/', CSV, 'a String'))
  select * from viewExplain('EXPLAIN', '', (select sleep(3)))
  select * from urlWithHeaders('http://127.0.0.1:CANARY_PORT/')
  select * from s3('http://127.0.0.1:CANARY_PORT/a')
  select * from arrowFlight('127.0.0.1:CANARY_PORT', 'a')
  select * from icebergS3('http://127.0.0.1:CANARY_PORT/a')
  select * from deltaLakeLocal('CANARY_FOLDER')
  select * from icebergLocal('CANARY_FOLDER')
  select * from paimon('http://127.0.0.1:CANARY_PORT/a')
  select * from ytsaurus('127.0.0.1:CANARY_PORT', 'a', 'b')
  select * from prometheusQuery('a', 'b')
  select * from timeSeriesData('a')
  select * from fuzzJSON('a')
  select * from loop(CANARY)
  select * from input('a String') format CSV
  select * from executable('x.sh', TabSeparated, 'a String', (select 1))
  select * from executablePool('x.sh', TabSeparated, 'a String')
  select * from odbc('DSN=x;Server=127.0.0.1', 'a', 'b', 'c')
  select * from hdfsCluster('x', 'hdfs://127.0.0.1:CANARY_PORT/a', CSV, 'a String')
  select * from azureBlobStorageCluster('a', 'b', 'c', 'd')
  select * from gcs('x')
  select * from cosn('x')
  select * from oss('x')
  select * from mergeTreeIndex('default', CANARY)
  select * from CANARY where n in (select a from remote('127.0.0.1:CANARY_PORT', system.one))
  select * from CANARY array join (select groupArray(a) from url('http://127.0.0.1:CANARY_PORT/', CSV, 'a String')) as b
  select arrayReduce('count', [sleep(3)])
  select arraySort(x -> sleep(x), [1, 2])
  select arrayFold((a, x) -> sleep(x), [1], 0)
  select mapApply((k, v) -> (k, sleep(v)), map('a', 1))
  select * except (n) apply (x -> sleepEachRow(1)) from CANARY
  select * replace (sleep(3) as n) from CANARY
  select columns('n') apply(sleep) from CANARY
  select dictGet('x', 'y', sleep(3))
  select sleepEachRowIf(1, 1)
  select logTrace(word) from CANARY
  select aiClassify('x', ['a'])
  select llmGenerate('x')
  select addressToSymbol(1)
  select 1 into outfile 'CANARY_FOLDER/out' truncate
  select 1 into outfile 'CANARY_FOLDER/out' and stdout
  select 1 qualify sleep(3) = 0
  select 1 limit 1 with ties settings max_threads = 1
  select sleep(3) over ()
  select * from format(Values, 'a UInt8', '(sleep(3))')
  select * from format('Values', '(sleep(3)), (1)')
  select sum(n) over (order by sleep(3)) from CANARY
`).filter(line => line !== 'select 1 -- ;' && line !== 'select 1 #!');

/** A comment for MySQL, whose mark is followed by any control character: it hides the quote after it. Without
 * spaces, which variants replace by line breaks. */
const commented = ['sleep(9)', "load_file('CANARY_FILE')", "get_lock('canary',0)", '@canary:=1'].flatMap(
  call => ["'", '"', '`'].map(quote => `select\t1\t--\x7f${quote}\n,${call}\t--\t${quote}`),
);
const commentedOutputs = ["'", '"', '/*'].map(
  quote =>
    `select\t1\t--\x7f${quote}\ninto\toutfile'CANARY_FOLDER/out'\t--\t${quote === '/*' ? '*/' : quote}`,
);

/** A text `E'…'` that continues on another line, where a backslash still escapes. */
const continued = [
  'pg_sleep(9)',
  "pg_read_file('CANARY_FILE')",
  "set_config('timezone', 'Asia/Tokyo', false)",
  "lo_export(1, 'CANARY_FOLDER/out')",
  'pg_advisory_lock(7)',
].flatMap(call => ['\n', ' -- a\n ', '\r\n'].map(blank => `select E'a'${blank}'\\'', ${call} /* '*/`));

export const hostile = {
  PostgreSQL: [...everywhere, ...postgres, ...continued],
  MariaDB: [
    ...everywhere,
    ...mysql,
    ...commented,
    ...commentedOutputs,
    ...['escape', 'current', 'uuid_to_bin', 'regexp_like', 'any_value'].map(name => `select ${name}()`),
  ],
  MySQL: [
    ...everywhere,
    ...mysql,
    ...commented,
    ...commentedOutputs,
    ...['minus', 'nvl', 'to_char', 'median', 'add_months', 'json_query'].map(name => `select ${name}()`),
  ],
  ClickHouse: [...everywhere, ...clickhouse],
} as const;

/** The same statement in other clothes: each is as hostile as it. */
export function variantsOf(sql: string, place: number): string[] {
  const ways = [
    () => sql.toUpperCase(),
    () => sql.replace(/ /g, '/**/'),
    () => sql.replace(/ /g, '\n\t'),
    () => sql.replace(/ /, ' -- a\n '),
    () => `/* a */ ${sql}`,
    () => `-- a\n${sql};`,
    () => `(${sql})`,
    () => `select * from (${sql}) as q`,
    () => `with w as (${sql}) select * from w`,
    () => `select 1 union all ${sql}`,
    () => `select '${'x'.repeat(50)}', (${sql})`,
    () => `${sql} -- '`,
    () => `${sql} /* ' */`,
    () => `${sql};;;`,
  ];
  return [0, 5, 9].map(step => ways[(place + step) % ways.length]!());
}

const callsInTexts = [
  "select 'a', missing(), 'b'",
  "select 'a', 'c', missing(), 'b', 'd'",
  "select E'a', missing(), E'b'",
  "select E'a'\n'b', missing() /* 'c' */",
  String.raw`select E'a'
'\', missing() /* '*/`,
  "select 'a'\n'b', missing(), 'c'",
  'select "a", missing(), \'b\'',
  'select 1, missing()',
  "select /* 'a' */ 'b', missing() /* */",
  "select 'a' -- b\n, missing() -- c\n",
  "select 'a' # b\n, missing() # c\n",
  'select $$a$$, missing(), $b$c$b$',
  "select `a`, missing(), `b`, 'c'",
  'select n as "a", missing() as "b" from CANARY',
  String.raw`select n as a, missing() as b, '\\' from CANARY`,
];
const lexicalPieces = [
  ["'", "'", "''", '\\', "\\'", "\n'", "'\n'", "E'", "e'", "U&'", "N'", "x'", "b'", "_utf8'", '"', '`'],
  ['\n', '\r', ' ', '\f', '\v', '\u0001', '\x7f', '\u00a0', '\u3000', '\ufeff', '\u2019'],
  ['--', '-- ', '#', '#!', '/*', '*/', '/*!', '/*+', '$$', '$a$', '$', '1', '1e1', '0x', '.', ',', 'a', 'é'],
  ['@', '{', '}', '(', ')', ';', '||', '/', '*', '-', '+', '!', '%', '&', '::text', ' as x'],
].flat();

/**
 * A statement that calls `missing`, with quotes and comment marks inserted at random: only the server's own
 * lexer decides whether it still contains the call.
 */
export function statementWithCall(random: () => number): string {
  const one = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)]!;
  let sql = one(callsInTexts);
  for (let i = Math.floor(random() * 6); i >= 0; i--) {
    // Half of them beside quotes, where lexers differ.
    const quotes = [...sql.matchAll(/['"`]/g)].map(({ index }) => index + 1);
    const at =
      quotes.length > 0 && random() < 0.5 ? one(quotes) : 7 + Math.floor(random() * (sql.length - 6));
    sql = sql.slice(0, at) + one(lexicalPieces) + sql.slice(random() < 0.2 ? at + 1 : at);
  }
  return sql;
}

/** Statements made of parts of hostile ones, by chance. */
export function randomStatement(statements: readonly string[], random: () => number): string {
  const one = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)]!;
  const part = () => {
    const words = one(statements).split(/(\s+|[(),;])/);
    const from = Math.floor(random() * words.length);
    return words.slice(from, from + 1 + Math.floor(random() * 12)).join('');
  };
  let sql = random() < 0.5 ? `select ${part()}` : one(statements);
  for (let i = Math.floor(random() * 4); i >= 0; i--) {
    const at = Math.floor(random() * (sql.length + 1));
    sql = one<() => string>([
      () => `${sql.slice(0, at)} ${part()} ${sql.slice(at)}`,
      () =>
        `${sql.slice(0, at)}${one(["'", '"', '`', '--', '--\n', '/*', '*/', '#', '\\', '$$', '$a$', ';', '(', ')', '.', '/*!', '1e1', ':=', '\u00a0', "E'", ','])}${sql.slice(at)}`,
      () => sql.slice(0, at) + sql.slice(at + 1 + Math.floor(random() * 6)),
      () => `select * from (${sql}) q`,
      () => `${sql} union all select ${part()}`,
      () => `select 1, (${sql})`,
    ])();
  }
  return sql;
}
