// `npm run check`: types, lint, format and layout, in less than a minute. `npm test` runs them too.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ensurePackages, ensureRuntime, root } from './setup.mjs';
import { runStaticChecks } from './static-checks.mjs';

const say = line => console.error(line);
const node = ensureRuntime(say);
ensurePackages(node, { dev: true }, say);
const { failed } = runStaticChecks(node);
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
const { status } = spawnSync(node, [vitest, 'run', 'scripts/layout.test.ts', 'scripts/docs.test.ts'], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(failed === 0 && status === 0 ? 0 : 1);
