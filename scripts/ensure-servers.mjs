// Finds the database servers for the tests: ones named in the environment, or programs from Debian's packages, unpacked below `.cache`, never installed.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './setup.mjs';

/** For each server: the variable that names a running one, the package it comes in, and the program that must be there once it is unpacked. */
const servers = {
  postgres: { variable: 'BELVEDERE_TEST_POSTGRES', package: 'postgresql', program: folder => path.join(folder, 'usr', 'lib', 'postgresql', newestIn(path.join(folder, 'usr', 'lib', 'postgresql')), 'bin', 'postgres') },
  mariadb: { variable: 'BELVEDERE_TEST_MARIADB', package: 'mariadb-server-core', program: folder => path.join(folder, 'usr', 'sbin', 'mariadbd') },
  clickhouse: { variable: 'BELVEDERE_TEST_CLICKHOUSE', package: 'clickhouse-server', program: folder => path.join(folder, 'usr', 'sbin', 'clickhouse-server') },
};

/** The variables that tell the tests what there is. A server that cannot be had is named in BELVEDERE_TEST_MISSING, and its tests fail there, saying so. */
export function ensureServers(say) {
  const folder = path.join(root, '.cache', 'servers');
  const wanted = Object.values(servers).filter(server => !process.env[server.variable]);
  if (wanted.some(server => !fs.existsSync(server.program(folder)))) unpack(folder, wanted.map(server => server.package), say);
  const missing = Object.entries(servers).filter(([, server]) => !process.env[server.variable] && !fs.existsSync(server.program(folder)));
  if (missing.length > 0) say(`NOT HERE: ${missing.map(([name]) => name).join(', ')}. Their tests will fail. Name a running server in ${missing.map(([, server]) => server.variable).join(', ')}, or run the tests as root on Debian.`);
  return { BELVEDERE_TEST_SERVERS: folder, BELVEDERE_TEST_MISSING: missing.map(([name]) => name).join(',') };
}

function unpack(folder, packages, say) {
  const apt = (args, cwd = root) => spawnSync('apt-get', args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (apt(['--version']).error) return;
  say('Fetching the database servers for the tests …');
  // Root may ask for the lists of packages; anyone else uses those that are there.
  if (process.getuid?.() === 0) apt(['update', '-qq']);
  // `postgresql` only names the server of this release of Debian.
  const named = packages.map(name => (name === 'postgresql' ? (/Depends: (postgresql-\d+)/.exec(spawnSync('apt-cache', ['depends', name], { encoding: 'utf8' }).stdout)?.[1] ?? name) : name));
  // What a package needs that this machine lacks, as an installation would work it out, without installing anything.
  const { stdout } = apt(['-s', '--no-install-recommends', '--reinstall', 'install', ...named]);
  const needed = [...new Set([...stdout.matchAll(/^Inst (\S+)/gm)].map(match => match[1]))];
  if (needed.length === 0) return;
  const downloads = `${folder}.part`;
  fs.rmSync(downloads, { recursive: true, force: true });
  fs.mkdirSync(path.join(downloads, 'debs'), { recursive: true });
  apt(['download', ...needed], path.join(downloads, 'debs'));
  for (const name of fs.readdirSync(path.join(downloads, 'debs'))) spawnSync('dpkg', ['-x', path.join(downloads, 'debs', name), downloads]);
  fs.rmSync(path.join(downloads, 'debs'), { recursive: true, force: true });
  fs.rmSync(folder, { recursive: true, force: true });
  fs.renameSync(downloads, folder);
}

function newestIn(folder) {
  return fs.existsSync(folder) ? (fs.readdirSync(folder).toSorted((a, b) => Number(b) - Number(a))[0] ?? '') : '';
}
