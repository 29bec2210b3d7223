// Checks that do not run the sources: types, lint, format, and unused files, exports and dependencies.
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { root } from './setup.mjs';

const bin = name => path.join(root, 'node_modules', ...name.split('/'));
/** What has not changed since the last check is not checked again. */
const typesOf = config => [
  bin('typescript/bin/tsc'),
  '-p',
  path.join(root, `${config}.json`),
  '--incremental',
  '--tsBuildInfoFile',
  path.join(root, '.cache', 'types', `${config}.tsbuildinfo`),
];
const checks = [
  ['types of browser code', typesOf('tsconfig.browser')],
  ['types of server code', typesOf('tsconfig.server')],
  ['types of all code, tests included', typesOf('tsconfig')],
  [
    'lint',
    [bin('oxlint/bin/oxlint'), '--quiet', '--deny-warnings', 'packages', 'apps', 'scripts', 'e2e', 'bench'],
  ],
  ['format', [bin('oxfmt/bin/oxfmt'), '--check', '.']],
  ['unused', [bin('knip/bin/knip.js'), '--no-progress', '--no-config-hints']],
];

/**
 * Runs each check and prints its name.
 * @returns the numbers of passed and failed checks
 */
export function runStaticChecks(node, env = process.env) {
  const results = checks.map(([name, args]) => {
    const { status } = spawnSync(node, args, { cwd: root, stdio: 'inherit', env });
    console.log(`${status === 0 ? '✓' : '✗'} ${name}`);
    if (status !== 0 && name === 'format') console.log('`npm run format` formats all files.');
    return status === 0;
  });
  const passed = results.filter(Boolean).length;
  return { passed, failed: results.length - passed };
}

/**
 * Runs the checks in a process of their own, beside this one, which may wait for downloads.
 * @returns the numbers of passed and failed checks, once it has ended
 */
export function startStaticChecks(node, env = process.env) {
  const child = spawn(node, [import.meta.filename], { cwd: root, stdio: 'inherit', env });
  return new Promise(resolve => {
    child.on('exit', code => {
      const failed = Math.min(code ?? checks.length, checks.length);
      resolve({ passed: checks.length - failed, failed });
    });
  });
}

if (process.argv[1] === import.meta.filename) process.exitCode = runStaticChecks(process.execPath).failed;
