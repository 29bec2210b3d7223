import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { project } from '../../browser.ts';

const programs = { nginx: 'usr/sbin/nginx', caddy: 'usr/bin/caddy' } as const;

/**
 * Returns the program of a proxy: the machine's own, or that of its Debian package, unpacked below `.cache`
 * without installing it. Undefined, with a message, if there is none.
 */
export function findProxy(name: keyof typeof programs): string | undefined {
  const isRunnable = (program: string) =>
    spawnSync(program, [name === 'caddy' ? 'version' : '-v'], { stdio: 'ignore' }).status === 0;
  if (isRunnable(name)) return name;
  const folder = path.join(project, '.cache', 'proxies', name);
  const program = path.join(folder, programs[name]);
  if (!fs.existsSync(program)) unpack(folder, name);
  // It may miss a library that only an installation would bring.
  if (isRunnable(program)) return program;
  console.error(`NOT FOUND: ${name}. ITS TESTS ARE SKIPPED. Install it, or run the tests on Debian.`);
  return undefined;
}

function unpack(folder: string, name: string): void {
  const packages = path.join(folder, 'packages');
  fs.mkdirSync(packages, { recursive: true });
  spawnSync('apt-get', ['download', name], { cwd: packages, stdio: 'ignore' });
  for (const file of fs.readdirSync(packages))
    spawnSync('dpkg', ['-x', path.join(packages, file), folder], { stdio: 'ignore' });
  fs.rmSync(packages, { recursive: true, force: true });
}
