// Prepares a fresh clone to run: a current Node, the packages, the built pages.
// Uses only built-in features of old Node versions (20.19 or newer), because it runs before anything is
// installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');
const wantedNode = '24';

/**
 * Returns the Node that runs Belvedere: this one if it is new enough, else one from npm, kept in `.runtime/`.
 */
export function ensureRuntime(say) {
  if (Number(process.versions.node.split('.')[0]) >= Number(wantedNode)) return process.execPath;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    fail(`Setup needs Node 20.19 or newer; this is ${process.version}.`);
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = path.join(root, '.runtime', 'node_modules', name, 'bin');
  const node = path.join(folder, process.platform === 'win32' ? 'node.exe' : 'node');
  if (!fs.existsSync(node)) {
    say(`Downloading Node ${wantedNode} (this one is ${process.version}) …`);
    npm(process.execPath, [
      'install',
      '--prefix',
      path.join(root, '.runtime'),
      '--no-save',
      '--no-package-lock',
      `${name}@${wantedNode}`,
    ]);
    if (!fs.existsSync(node))
      fail(
        `npm has no Node ${wantedNode} for ${process.platform} ${process.arch}. Install Node ${wantedNode} and start again.`,
      );
  }
  return node;
}

/** Installs the packages of `package-lock.json`, unless this very lock file is installed already. */
export function ensurePackages(node, { dev }, say) {
  const stampFile = path.join(root, 'node_modules', '.belvedere-installed');
  const lock = hashOf([path.join(root, 'package-lock.json')]);
  const installed = fs.existsSync(stampFile) ? fs.readFileSync(stampFile, 'utf8') : '';
  if (installed === `${lock} dev` || (!dev && installed === `${lock} run`)) return;
  say('Installing packages …');
  npm(node, [
    'ci',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...(dev ? ['--include=dev'] : ['--omit=dev']),
  ]);
  fs.writeFileSync(stampFile, `${lock} ${dev ? 'dev' : 'run'}`);
}

/**
 * Builds the browser's pages, unless their sources are unchanged since the last build. Always a production
 * build, regardless of NODE_ENV.
 */
export function ensureBuild(node, say) {
  const stampFile = path.join(root, 'apps', 'web', 'dist', '.belvedere-built');
  const sources = [
    path.join(root, 'package-lock.json'),
    ...['apps/web', 'packages'].flatMap(folder => filesBelow(path.join(root, folder))),
  ];
  const now = hashOf(sources);
  if (fs.existsSync(stampFile) && fs.readFileSync(stampFile, 'utf8') === now) return;
  say('Building the web app …');
  run(
    node,
    [path.join(root, 'node_modules', 'vite', 'bin', 'vite.js'), 'build', '--logLevel', 'warn'],
    path.join(root, 'apps', 'web'),
    { ...process.env, NODE_ENV: 'production' },
  );
  fs.writeFileSync(stampFile, now);
}

/** Runs a program, and ends this process if it fails. */
export function run(command, args, cwd = root, env = process.env) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ['inherit', 2, 2], env });
  if (error) fail(`Could not start ${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

function npm(node, args) {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('.js')) {
    const env = { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}` };
    run(node, [cli, ...args], root, env);
  } else run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args);
}

function filesBelow(folder) {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.name !== 'node_modules' && entry.name !== 'dist')
    .flatMap(entry => {
      const file = path.join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(file) : [file];
    });
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files.toSorted()) hash.update(path.relative(root, file)).update(fs.readFileSync(file));
  return hash.digest('hex');
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
