import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  anonymously,
  emptyFolder,
  freePorts,
  serverAt,
  startProgram,
  stopProgram,
  type TestServer,
} from './server-programs.ts';

const programs =
  process.env['BELVEDERE_TEST_MYSQL_PROGRAMS'] ??
  path.resolve(import.meta.dirname, '..', '..', '.cache', 'mysql');
const named = process.env['BELVEDERE_TEST_MYSQL'];

/** Whether MySQL is available. Its tests are skipped on machines without it (scripts/ensure-servers.mjs). */
export const hasMySql = named !== undefined || existsSync(path.join(programs, 'usr', 'sbin', 'mysqld'));

/**
 * Starts MySQL with an empty database and a login with all permissions on it. Its time-zone tables are empty,
 * as by default.
 */
export async function startMySql(settings: readonly string[] = []): Promise<TestServer> {
  if (named !== undefined) return serverAt(named);
  const folder = await emptyFolder('mysql');
  const data = path.join(folder, 'data');
  await cp(await emptyData(), data, { recursive: true, preserveTimestamps: true });
  if (anonymously.uid !== undefined) spawnSync('chown', ['-R', String(anonymously.uid), data]);
  const [port] = await freePorts(1);
  const { loader, args } = mysqld(data);
  const child = await startProgram(
    loader,
    [
      ...args,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${folder}/s.sock`,
      `--tmpdir=${folder}`,
      `--pid-file=${folder}/pid`,
      '--mysqlx=OFF',
      '--skip-name-resolve',
      '--performance-schema=OFF',
      '--innodb-buffer-pool-size=256M',
      '--innodb-flush-log-at-trx-commit=0',
      '--skip-log-bin',
      ...settings,
    ],
    { cwd: folder, isReady: said => said.includes('ready for connections') },
  );
  return {
    host: '127.0.0.1',
    port: port!,
    database: 'belvedere',
    user: 'keeper',
    password: 'key',
    stop: () => stopProgram(child, 'SIGTERM', folder),
  };
}

/** Returns the data folder of an unused server. It is created once, since that takes seconds. */
async function emptyData(): Promise<string> {
  const made = path.join(programs, 'empty-data');
  if (existsSync(made)) return made;
  const folder = await emptyFolder('mysql-empty');
  const [data, first] = [path.join(folder, 'data'), path.join(folder, 'first.sql')];
  await writeFile(
    first,
    "create database belvedere character set utf8mb4;\ncreate user 'keeper'@'127.0.0.1' identified by 'key';\ngrant all privileges on *.* to 'keeper'@'127.0.0.1' with grant option;\n",
  );
  await chmod(first, 0o644);
  const { loader, args } = mysqld(data);
  const { status, stderr, error } = spawnSync(
    loader,
    [...args, `--tmpdir=${folder}`, '--initialize-insecure', `--init-file=${first}`],
    { ...anonymously, cwd: folder, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`mysqld --initialize: ${stderr || error?.message}`);
  // Created beside its final path first, since another test file may be creating one too.
  const beside = `${made}.${process.pid}`;
  await mkdir(programs, { recursive: true });
  await cp(data, beside, { recursive: true });
  await rename(beside, made).catch(() => rm(beside, { recursive: true, force: true }));
  await rm(folder, { recursive: true, force: true });
  return made;
}

/** Runs the server with its own loader and libraries, since it may need newer ones than this machine has. */
function mysqld(data: string): { readonly loader: string; readonly args: readonly string[] } {
  const libraries = readdirSync(path.join(programs, 'usr', 'lib'))
    .filter(name => name.endsWith('-linux-gnu'))
    .map(name => path.join(programs, 'usr', 'lib', name))[0]!;
  const loader = path.join(
    libraries,
    readdirSync(libraries).find(name => /^ld-linux-.*\.so\.\d$/.test(name))!,
  );
  const share = path.join(programs, 'usr', 'share', 'mysql');
  return {
    loader,
    args: [
      '--library-path',
      libraries,
      path.join(programs, 'usr', 'sbin', 'mysqld'),
      '--no-defaults',
      `--datadir=${data}`,
      `--lc-messages-dir=${share}`,
      `--character-sets-dir=${path.join(share, 'charsets')}`,
      `--plugin-dir=${path.join(programs, 'usr', 'lib', 'mysql', 'plugin')}`,
      '--secure-file-priv=NULL',
      '--innodb-redo-log-capacity=64M',
    ],
  };
}
