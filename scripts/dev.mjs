// `npm run dev [-- PATH]`: the server restarts when its sources change, the pages are served by Vite and change in place.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { ensurePackages, ensureRuntime, root } from './setup.mjs';

const node = ensureRuntime(line => console.error(line));
ensurePackages(node, { dev: true }, line => console.error(line));
const watched = ['packages', 'apps/server/src', 'apps/cli/src'].map(folder => `--watch-path=${path.join(root, folder)}`);
const children = [
  spawn(node, [...watched, path.join(root, 'apps', 'cli', 'src', 'main.ts'), '--no-open', ...process.argv.slice(2)], { stdio: 'inherit', cwd: process.env.INIT_CWD ?? root }),
  spawn(node, [path.join(root, 'node_modules', 'vite', 'bin', 'vite.js'), path.join(root, 'apps', 'web')], { stdio: 'inherit', cwd: path.join(root, 'apps', 'web') }),
];
process.on('SIGINT', () => children.forEach(child => child.kill('SIGINT')));
