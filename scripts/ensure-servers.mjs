// Finds the database servers for the tests: from the environment, or from Debian packages that are unpacked
// below `.cache` and never installed.
//
// MySQL is only in Debian's unstable release. It is unpacked with its libraries and started by their own
// loader. Packages of unstable may be missing for a day: MySQL's tests are then skipped with a message,
// whereas the other servers' tests fail.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './setup.mjs';

/**
 * For each server: the variable that names a running one, its package, and the program that must exist once
 * it is unpacked.
 */
const servers = {
  postgres: {
    variable: 'BELVEDERE_TEST_POSTGRES',
    package: 'postgresql',
    program: folder =>
      path.join(
        folder,
        'usr',
        'lib',
        'postgresql',
        newestIn(path.join(folder, 'usr', 'lib', 'postgresql')),
        'bin',
        'postgres',
      ),
  },
  mariadb: {
    variable: 'BELVEDERE_TEST_MARIADB',
    package: 'mariadb-server-core',
    program: folder => path.join(folder, 'usr', 'sbin', 'mariadbd'),
  },
  clickhouse: {
    variable: 'BELVEDERE_TEST_CLICKHOUSE',
    package: 'clickhouse-server',
    program: folder => path.join(folder, 'usr', 'sbin', 'clickhouse-server'),
  },
};

const unstable =
  'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian unstable main\n';

/**
 * Returns the variables that tell the tests which servers exist. Unavailable servers are listed in
 * BELVEDERE_TEST_MISSING, and their tests fail with a message; MySQL's are skipped.
 */
export function ensureServers(say) {
  const folder = path.join(root, '.cache', 'servers');
  const mysql = path.join(root, '.cache', 'mysql');
  const wanted = Object.values(servers).filter(server => !process.env[server.variable]);
  if (wanted.some(server => !fs.existsSync(server.program(folder))))
    unpack(
      folder,
      wanted.map(server => server.package),
      say,
    );
  const missing = Object.entries(servers).filter(
    ([, server]) => !process.env[server.variable] && !fs.existsSync(server.program(folder)),
  );
  if (missing.length > 0)
    say(
      `NOT FOUND: ${missing.map(([name]) => name).join(', ')}. Their tests will fail. Set a running server in ${missing.map(([, server]) => server.variable).join(', ')}, or run the tests as root on Debian.`,
    );
  const hasMySql = () =>
    process.env.BELVEDERE_TEST_MYSQL || fs.existsSync(path.join(mysql, 'usr', 'sbin', 'mysqld'));
  if (!hasMySql()) unpackMySql(mysql, say);
  if (!hasMySql())
    say(
      'NOT FOUND: mysql. ITS TESTS ARE SKIPPED. Set a running server in BELVEDERE_TEST_MYSQL, or run the tests on Debian.',
    );
  return {
    BELVEDERE_TEST_SERVERS: folder,
    BELVEDERE_TEST_MISSING: missing.map(([name]) => name).join(','),
    ...(hasMySql() && { BELVEDERE_TEST_MYSQL_PROGRAMS: mysql }),
  };
}

const apt = (args, cwd = root) => spawnSync('apt-get', args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 });

function unpackMySql(folder, say) {
  if (apt(['--version']).error) return;
  say('Downloading MySQL for the tests …');
  const work = `${folder}.part`;
  fs.rmSync(work, { recursive: true, force: true });
  for (const name of ['apt/lists/partial', 'apt/cache/archives/partial'])
    fs.mkdirSync(path.join(work, name), { recursive: true });
  fs.writeFileSync(path.join(work, 'apt', 'unstable.list'), unstable);
  // An empty status file, as on a machine without packages, so that every library is included. The machine's
  // own lists and packages stay unchanged.
  fs.writeFileSync(path.join(work, 'apt', 'status'), '');
  const settings = {
    'Dir::State::status': 'status',
    'Dir::Etc::sourcelist': 'unstable.list',
    'Dir::State::lists': 'lists',
    'Dir::Cache': 'cache',
  };
  const own = [
    ...Object.entries(settings).flatMap(([name, value]) => [
      '-o',
      `${name}=${path.join(work, 'apt', value)}`,
    ]),
    '-o',
    'Dir::Etc::sourceparts=/dev/null',
  ];
  apt([...own, 'update', '-qq']);
  const needed = neededFor([...own, 'mysql-server-core', 'libc6']).filter(name => !/perl/.test(name));
  if (needed.length > 0) download(needed, work, own);
  fs.rmSync(path.join(work, 'apt'), { recursive: true, force: true });
  fs.rmSync(folder, { recursive: true, force: true });
  fs.renameSync(work, folder);
}

/** Returns the dependencies that this machine lacks, as apt resolves them, without installing anything. */
function neededFor(args) {
  const { stdout } = apt(['-s', '--no-install-recommends', '--reinstall', 'install', ...args]);
  return [...new Set([...stdout.matchAll(/^Inst (\S+)/gm)].map(match => match[1]))];
}

/** Unpacks packages into a folder. */
function download(packages, folder, settings = []) {
  const debs = path.join(folder, 'debs');
  fs.mkdirSync(debs, { recursive: true });
  apt([...settings, 'download', ...packages], debs);
  for (const name of fs.readdirSync(debs)) spawnSync('dpkg', ['-x', path.join(debs, name), folder]);
  fs.rmSync(debs, { recursive: true, force: true });
}

function unpack(folder, packages, say) {
  if (apt(['--version']).error) return;
  say('Downloading the database servers for the tests …');
  // Root may update the package lists; other users rely on the existing ones.
  if (process.getuid?.() === 0) apt(['update', '-qq']);
  // `postgresql` is a metapackage for the server of this Debian release.
  const named = packages.map(name =>
    name === 'postgresql'
      ? (/Depends: (postgresql-\d+)/.exec(
          spawnSync('apt-cache', ['depends', name], { encoding: 'utf8' }).stdout,
        )?.[1] ?? name)
      : name,
  );
  const needed = neededFor(named);
  if (needed.length === 0) return;
  const downloads = `${folder}.part`;
  fs.rmSync(downloads, { recursive: true, force: true });
  download(needed, downloads);
  fs.rmSync(folder, { recursive: true, force: true });
  fs.renameSync(downloads, folder);
}

function newestIn(folder) {
  return fs.existsSync(folder)
    ? (fs.readdirSync(folder).toSorted((a, b) => Number(b) - Number(a))[0] ?? '')
    : '';
}
