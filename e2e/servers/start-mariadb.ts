import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  anonymously,
  emptyFolder,
  freePorts,
  libraries,
  programs,
  serverAt,
  startProgram,
  stopProgram,
  type TestServer,
} from './server-programs.ts';

/**
 * Starts MariaDB with an empty database and a login with all permissions on it. Its time-zone tables are
 * empty, as by default.
 */
export async function startMariaDb(settings: readonly string[] = []): Promise<TestServer> {
  const named = process.env['BELVEDERE_TEST_MARIADB'];
  if (named) return serverAt(named);
  const program = path.join(programs, 'usr', 'sbin', 'mariadbd');
  const share = path.join(programs, 'usr', 'share', 'mysql');
  const folder = await emptyFolder('mariadb');
  const scripts = await Promise.all(
    ['mysql_system_tables.sql', 'mysql_performance_tables.sql', 'mysql_system_tables_data.sql'].map(name =>
      readFile(path.join(share, name), 'utf8'),
    ),
  );
  const own = [
    'create database belvedere character set utf8mb4;',
    "create user 'keeper'@'127.0.0.1' identified by 'key';",
    "grant all privileges on *.* to 'keeper'@'127.0.0.1' with grant option;",
  ];
  // A starting server deletes all files in its temporary folder, even those of running servers, so each
  // server has its own.
  const made = spawnSync(
    program,
    [
      '--no-defaults',
      '--bootstrap',
      `--datadir=${folder}`,
      `--tmpdir=${folder}`,
      `--lc-messages-dir=${share}`,
    ],
    {
      ...anonymously,
      cwd: folder,
      env: { ...process.env, ...libraries },
      encoding: 'utf8',
      input: ['create database mysql;', 'use mysql;', ...scripts, 'flush privileges;', ...own].join('\n'),
    },
  );
  if (made.status !== 0) throw new Error(`mariadbd --bootstrap: ${made.stderr || made.error?.message}`);
  const [port] = await freePorts(1);
  const args = [
    '--no-defaults',
    `--datadir=${folder}`,
    `--lc-messages-dir=${share}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    `--socket=${folder}/s.sock`,
    `--tmpdir=${folder}`,
    `--pid-file=${folder}/pid`,
    '--skip-name-resolve',
    '--innodb-buffer-pool-size=256M',
    '--innodb-flush-log-at-trx-commit=0',
    '--skip-log-bin',
    `--plugin-dir=${path.join(programs, 'usr', 'lib', 'mysql', 'plugin')}`,
    ...settings,
  ];
  const child = await startProgram(program, args, {
    cwd: folder,
    isReady: said => said.includes('ready for connections'),
  });
  return {
    host: '127.0.0.1',
    port: port!,
    database: 'belvedere',
    user: 'keeper',
    password: 'key',
    stop: () => stopProgram(child, 'SIGTERM', folder),
  };
}
