// `npm test`: installs what the tests need, checks types, lint, format and layout, then runs every test.
// Prints `N passed, N failed` last.
// `npm run test:unit`, `test:engines` and `test:e2e` run the tests of one layer; file names may follow each. They
// and `npm test -- FILES` run no other checks.
// `npm run test:long` runs the same tests with far more random input: queries, statements, documents, damaged
// files, kills during saves, gestures on a page and in the editor.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureBrowser } from './ensure-browser.mjs';
import { startEnsuringPrograms } from './ensure-programs.mjs';
import { ensureBuild, ensurePackages, ensureRuntime, root } from './setup.mjs';
import { startStaticChecks } from './static-checks.mjs';
import { repeatableFiles, summarize } from './test-summary.mjs';

const say = line => console.error(line);
const node = ensureRuntime(say);
// Unit tests use neither browsers nor database servers.
const usesPrograms = !process.argv.includes('--units');
const programs = usesPrograms ? startEnsuringPrograms(node) : {};
ensurePackages(node, { dev: true }, say);
const isLong = process.argv.includes('--long');
// Of a layer or of some files only the tests are wanted; `npm run check` has the rest.
const isWhole = process.argv.length === 2;
// The checks run while browsers and servers are downloaded.
const checks = isWhole || isLong ? startStaticChecks(node, withNode(process.env)) : undefined;
ensureBuild(node, say);
const chromium = usesPrograms ? ensureBrowser(say) : undefined;

const bin = name => path.join(root, 'node_modules', ...name.split('/'));
const env = {
  ...withNode(process.env),
  ...(await programs),
  ...(chromium && { BELVEDERE_CHROMIUM: chromium.executable }),
  ...(chromium?.libraries && { BELVEDERE_CHROMIUM_LIBRARIES: chromium.libraries }),
  // As the command line has it: the processes of servers that tests start begin in two thirds of the time.
  NODE_COMPILE_CACHE: path.join(root, '.cache', 'compiled'),
};

let { passed, failed } = (await checks) ?? { passed: 0, failed: 0 };
// Contains all temporary files of the tests, so that it also removes those of interrupted tests.
const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'belvedere-tests-'));
// With the permissions of the system's temporary folder, since database servers run as another user and
// create files in it too.
fs.chmodSync(temporary, 0o1777);
env.TMPDIR = temporary;
// Screenshots are for those who work on a screen and run its tests.
if (isWhole) env.BELVEDERE_SCREENSHOTS ??= 'none';
if (isLong) {
  const more = { QUESTIONS: 5000, STATEMENTS: 10000, KILLS: 1000, ROUNDS: 200, MUTATIONS: 3000 };
  for (const [name, count] of Object.entries(more)) env[`BELVEDERE_${name}`] = String(count);
  env.BELVEDERE_SEED ??= String(Date.now() % 1_000_000);
  say(`BELVEDERE_SEED=${env.BELVEDERE_SEED} repeats this run`);
}
const long = [
  'packages/document',
  'packages/engine/src/import/round-trip.test.ts',
  'packages/engine/src/import/archives',
  'packages/engine/src/import/columnar',
  'packages/engine/src/import/columns/date-formats.test.ts',
  'packages/engine/src/import/columns/number-formats.test.ts',
  'packages/engine/src/import/csv/odd-lines.test.ts',
  'packages/engine/src/import/excel/random-sheets.test.ts',
  'apps/server/src/deliver/payload-limits.test.ts',
  'e2e/engines/queries/oracle.test.ts',
  'e2e/engines/hostile/sql-guard.test.ts',
  'e2e/cli/crash-safety.test.ts',
  'e2e/import/mutated-files.test.ts',
  'e2e/random/dashboard.test.ts',
  'e2e/random/editor.test.ts',
  'e2e/random/api.test.ts',
];
const layers = { '--units': ['units', 'mocks'], '--engines': ['engine', 'databases'], '--e2e': ['journeys'] };
const only = isLong
  ? long
  : process.argv
      .slice(2)
      .flatMap(argument => layers[argument]?.flatMap(name => ['--project', name]) ?? [argument]);
const result = runVitest(only);
const repeatable = isLong ? [] : repeatableFiles(result);
if (repeatable.length > 0) say(`Running ${repeatable.join(', ')} a second time`);
const repeated = repeatable.length > 0 ? runVitest(repeatable) : undefined;
try {
  fs.rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
} catch (error) {
  // A folder that another process still writes to must not hide the tests' result.
  say(String(error));
}
const summary = summarize(result, repeated);
for (const line of summary.lines) console.log(line);
passed += summary.passed;
failed += summary.failed;
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Runs test files. @returns Vitest's report, or undefined if it wrote none */
function runVitest(files) {
  const report = path.join(root, '.cache', 'test-results.json');
  fs.rmSync(report, { force: true });
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile=${report}`, ...files];
  spawnSync(node, [bin('vitest/vitest.mjs'), ...args], { cwd: root, stdio: 'inherit', env });
  if (!fs.existsSync(report)) return undefined;
  const { testResults, success } = JSON.parse(fs.readFileSync(report, 'utf8'));
  return { success, files: testResults.map(file => ({ ...file, name: path.relative(root, file.name) })) };
}

/** The environment of programs that start others by `node`. */
function withNode(env) {
  return { ...env, PATH: `${path.dirname(node)}${path.delimiter}${env.PATH}` };
}
