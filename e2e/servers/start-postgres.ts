import { spawnSync } from 'node:child_process';
import path from 'node:path';
import {
  anonymously,
  emptyFolder,
  freePorts,
  libraries,
  newestIn,
  programs,
  serverAt,
  startProgram,
  stopProgram,
  type TestServer,
} from './server-programs.ts';

/** Starts PostgreSQL with an empty database and a login with all permissions on it. */
export async function startPostgres(settings: readonly string[] = []): Promise<TestServer> {
  const named = process.env['BELVEDERE_TEST_POSTGRES'];
  if (named) return serverAt(named);
  const versions = path.join(programs, 'usr', 'lib', 'postgresql');
  const bin = path.join(versions, await newestIn(versions), 'bin');
  const folder = await emptyFolder('postgres');
  const made = spawnSync(
    path.join(bin, 'initdb'),
    [
      '-D',
      path.join(folder, 'data'),
      '-U',
      'keeper',
      '--auth=trust',
      '-E',
      'UTF8',
      '--no-sync',
      '--locale=C.UTF-8',
    ],
    { ...anonymously, cwd: folder, env: { ...process.env, ...libraries }, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr || made.error?.message}`);
  const [port] = await freePorts(1);
  const child = await startProgram(
    path.join(bin, 'postgres'),
    [
      '-D',
      path.join(folder, 'data'),
      '-p',
      String(port),
      ...[
        'listen_addresses=127.0.0.1',
        'unix_socket_directories=',
        'fsync=off',
        'max_connections=60',
        ...settings,
      ].flatMap(setting => ['-c', setting]),
    ],
    { cwd: folder, isReady: said => said.includes('ready to accept connections') },
  );
  return {
    host: '127.0.0.1',
    port: port!,
    database: 'postgres',
    user: 'keeper',
    password: '',
    stop: () => stopProgram(child, 'SIGINT', folder),
  };
}
