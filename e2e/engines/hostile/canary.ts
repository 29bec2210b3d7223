import { openDatabase, type DatabaseEngine } from '@belvedere/engine';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { createConnection } from 'mysql2/promise';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startClickHouse } from '../../servers/start-clickhouse.ts';
import { startMariaDb } from '../../servers/start-mariadb.ts';
import { startMySql } from '../../servers/start-mysql.ts';
import type { TestServer } from '../../servers/server-programs.ts';
import { startPostgres } from '../../servers/start-postgres.ts';
import { databaseKinds } from '../loaded-engines.ts';

export type GuardedName = keyof typeof databaseKinds;

/**
 * A server whose account may do anything, with data that shows what was done: only Belvedere's own guard
 * protects it.
 */
export interface Canary {
  readonly engine: DatabaseEngine;
  readonly server: TestServer;
  /** Fills in where the canaries are. */
  readonly placed: (sql: string) => string;
  /** Everything that a statement could have changed, in the server and beside it. */
  state(): Promise<unknown>;
  /** Reads a session's settings by a query that changes nothing. */
  readonly session: string;
  close(): Promise<void>;
}

const rows = [
  [1, 'one'],
  [2, 'two'],
  [3, 'three'],
] as const;
const values = rows.map(([n, word]) => `(${n}, '${word}')`).join(', ');

export async function startCanary(name: GuardedName): Promise<Canary> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-canary-'));
  const file = path.join(folder, 'canary');
  await writeFile(file, 'untouched');
  await chmod(folder, 0o777);
  await chmod(file, 0o666);
  let callers = 0;
  const listener = createServer(socket => {
    callers++;
    socket.destroy();
  });
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  const own =
    name === 'PostgreSQL'
      ? await onPostgres()
      : name === 'ClickHouse'
        ? await onClickHouse()
        : await onMySql(name);
  return {
    ...own,
    engine: own.engine,
    placed: sql =>
      sql
        .replaceAll('CANARY_FOLDER', folder)
        .replaceAll('CANARY_FILE', file)
        .replaceAll('CANARY_PORT', String(port))
        .replaceAll('CANARY', 'canary'),
    state: async () => ({
      server: await own.state(),
      files: await readdir(folder),
      file: await readFile(file, 'utf8'),
      callers,
    }),
    close: async () => {
      await own.engine.close();
      await own.close();
      listener.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const onlyElsewhere = {
  MariaDB: ['`escape`', '`current`', 'uuid_to_bin', 'distance', 'regexp_like', 'any_value'],
  MySQL: ['`minus`', 'nvl', 'to_char', 'distance', 'median', 'add_months', 'json_query'],
} as const;

type OnServer = Omit<Canary, 'placed'>;

async function onPostgres(): Promise<OnServer> {
  const server = await startPostgres();
  const keeper = new pg.Client({
    host: server.host,
    port: server.port,
    user: server.user,
    database: server.database,
  });
  await keeper.connect();
  await keeper.query(`
    create table canary (n int, word text);
    insert into canary values ${values};
    create sequence canary_seq;
    create function writing_function() returns int language plpgsql as $$ begin insert into canary values (9, 'x'); return 1; end $$;
    create function system(file text) returns text language plpgsql as $$ begin return pg_read_file(file); end $$;
    create function add_reading(total int, n int) returns int
      language plpgsql as $$ begin return total + n + length(pg_ls_dir('.')); end $$;
    create aggregate reading_sum(int) (sfunc = add_reading, stype = int, initcond = '0');
    create function joined_reading(a int, b int) returns text language plpgsql as $$ begin return pg_ls_dir('.'); end $$;
    create operator @#@ (leftarg = int, rightarg = int, function = joined_reading);
    create schema a_schema_whose_name_has_as_many_letters_as_a_name_can_have_63ab;
    create function a_schema_whose_name_has_as_many_letters_as_a_name_can_have_63ab.reading() returns text
      language plpgsql as $$ begin return pg_ls_dir('.'); end $$;
    create function reading_function(of int) returns bigint language sql stable as $$ select count(*) from canary where n = of $$;
  `);
  const counted = [
    'pg_class',
    'pg_proc',
    'pg_roles',
    'pg_database',
    'pg_extension',
    'pg_largeobject_metadata',
    'pg_replication_slots',
    'pg_replication_origin',
    'pg_prepared_xacts',
    'pg_type',
    'pg_collation',
  ];
  return {
    server,
    engine: await openDatabase('postgres', { ...server, tls: 'off' }),
    state: async () => {
      const { rows: state } = await keeper.query<object>(`
        select (select json_agg(c order by n) from canary c) as canary, (select json_build_array(last_value, is_called) from canary_seq) as sequence, (select count(*) from pg_locks where locktype = 'advisory') as locks,
          (select json_agg(json_build_array(name, setting, pending_restart) order by name) from pg_settings where context in ('sighup', 'postmaster')) as settings,
          (select count(*) from pg_stat_activity where state like 'idle in transaction%') as open, pg_conf_load_time() as loaded, (select relacl::text from pg_class where relname = 'canary') as rights,
          ${counted.map(table => `(select count(*) from ${table}) as ${table}`).join(', ')}`);
      return state;
    },
    session:
      "select current_setting('timezone') as a, current_setting('datestyle') as b, current_setting('default_transaction_read_only') as c, current_setting('search_path') as d, current_setting('role') as e, current_user::text as f, current_setting('work_mem') as g",
    close: async () => {
      await keeper.end();
      await server.stop();
    },
  };
}

async function onMySql(name: 'MariaDB' | 'MySQL'): Promise<OnServer> {
  const server = await (name === 'MariaDB'
    ? startMariaDb(['--secure-file-priv=', '--local-infile=1'])
    : startMySql(['--secure-file-priv=', '--local-infile=1']));
  const keeper = await createConnection({
    host: server.host,
    port: server.port,
    database: server.database,
    user: server.user,
    password: server.password,
    rowsAsArray: true,
  });
  for (const text of [
    'create table canary (n int, word text, index by_n (n))',
    `insert into canary values ${values}`,
    ...(name === 'MariaDB' ? ['create sequence canary_seq'] : ['create table canary_seq (a int)']),
    "create function writing_function() returns int deterministic modifies sql data begin insert into canary values (9, 'x'); return 1; end",
    // Their names begin like those of the server's own functions of shapes.
    "create function st_stealing() returns int deterministic modifies sql data return get_lock('canary', 0)",
    "create function stealing_lock() returns int deterministic modifies sql data return get_lock('canary', 0)",
    // Harmless functions of the other server, or of another version.
    ...onlyElsewhere[name].map(
      called =>
        `create function ${called}() returns int deterministic modifies sql data return get_lock('canary', 0)`,
    ),
    'create function reading_function(wanted int) returns int reads sql data return (select count(*) from canary where n = wanted)',
  ])
    await keeper.query(text);
  return {
    server,
    engine: await openDatabase(databaseKinds[name], { ...server, tls: 'off' }),
    state: async () => {
      const asked = [
        'select * from canary order by n',
        "select table_schema, table_name from information_schema.tables where table_schema <> 'performance_schema' order by 1, 2",
        'select user, host from mysql.user order by 1, 2',
        "select routine_name from information_schema.routines where routine_schema = 'belvedere'",
        "select is_used_lock('canary')",
        'show databases',
        "show global variables where variable_name not regexp 'gtid|timestamp|pseudo|innodb_buffer_pool_load'",
        ...(name === 'MariaDB' ? ['select next_not_cached_value from canary_seq'] : []),
      ];
      const state: unknown[] = [];
      for (const text of asked) state.push((await keeper.query(text))[0]);
      return state;
    },
    session:
      'select @@session.time_zone as a, @@session.sql_mode as b, @@session.autocommit as c, @@session.character_set_client as e, @@session.collation_connection as f, database() as g, last_insert_id as h from (select 0 as last_insert_id) q',
    close: async () => {
      await keeper.end();
      await server.stop();
    },
  };
}

async function onClickHouse(): Promise<OnServer> {
  const server = await startClickHouse(1);
  const ask = async (text: string) => {
    const response = await fetch(`http://${server.host}:${server.port}/`, { method: 'POST', body: text });
    const said = await response.text();
    if (!response.ok) throw new Error(said);
    return said;
  };
  await ask('create view sleep as select 1 as a');
  await ask('create table canary (n Int32, word String) engine = MergeTree order by n');
  await ask(`insert into canary values ${values}`);
  return {
    server,
    engine: await openDatabase('clickhouse', { ...server, tls: 'off' }),
    state: async () => [
      await ask('select * from canary order by n'),
      await ask('select database, name from system.tables order by database, name'),
      await ask('select name from system.databases'),
      await ask('select name, value from system.settings where changed order by name'),
    ],
    session:
      "select count(*) as a from system.settings where changed and name in ('max_threads', 'join_use_nulls')",
    close: () => server.stop(),
  };
}
