// `npm run docs`: builds the documentation as a site with search in .cache/docs. `npm run docs -- dev` serves
// it and follows changes.
import path from 'node:path';
import { ensurePackages, ensureRuntime, root, run } from './setup.mjs';

const say = line => console.error(line);
const node = ensureRuntime(say);
ensurePackages(node, { dev: true }, say);
const [command = 'build', ...options] = process.argv.slice(2);
const vitepress = path.join(root, 'node_modules', 'vitepress', 'bin', 'vitepress.js');
run(node, [vitepress, command, path.join(root, 'docs'), ...options], root, process.env);
if (command === 'build') say(`The site is in ${path.join('.cache', 'docs')}.`);
