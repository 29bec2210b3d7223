// `npm run dev [-- PATH]`: the server restarts when its sources change, the pages are served by Vite and
// change in place.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { endTogether } from './end-together.mjs';
import { ensurePackages, ensureRuntime, root } from './setup.mjs';

const node = ensureRuntime(line => console.error(line));
ensurePackages(node, { dev: true }, line => console.error(line));
const watched = ['packages', 'apps/server/src', 'apps/cli/src'].map(
  folder => `--watch-path=${path.join(root, folder)}`,
);
const endsWithThis = `--import=${pathToFileURL(path.join(root, 'scripts', 'end-with-dev.mjs'))}`;
const env = { ...process.env, BELVEDERE_DEV_PID: String(process.pid) };
const begin = (args, cwd) => spawn(node, [endsWithThis, ...args], { stdio: 'inherit', cwd, env });
const web = path.join(root, 'apps', 'web');
const children = [
  begin(
    [...watched, path.join(root, 'apps', 'cli', 'src', 'main.ts'), '--no-open', ...process.argv.slice(2)],
    process.env.INIT_CWD ?? root,
  ),
  begin([path.join(root, 'node_modules', 'vite', 'bin', 'vite.js'), web], web),
];
endTogether(children);
