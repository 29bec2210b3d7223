// `npm run bench`: sets up what is missing, then runs every benchmark in bench/, or those named.
import fs from 'node:fs';
import path from 'node:path';
import { ensureBrowser, ensureOtherBrowsers } from './ensure-browser.mjs';
import { ensureServers } from './ensure-servers.mjs';
import { ensureBuild, ensurePackages, ensureRuntime, root, run } from './setup.mjs';

const say = line => console.error(line);
const node = ensureRuntime(say);
ensurePackages(node, { dev: true }, say);
ensureBuild(node, say);
const chromium = ensureBrowser(say);
const otherBrowsers = ensureOtherBrowsers(say);
const servers = ensureServers(say);
const env = {
  ...process.env,
  ...servers,
  ...otherBrowsers,
  BELVEDERE_CHROMIUM: chromium.executable,
  ...(chromium.libraries && { BELVEDERE_CHROMIUM_LIBRARIES: chromium.libraries }),
};
const words = process.argv.slice(2);
const wanted = words.filter(word => !/^[\d.e]+$/.test(word));
const sizes = words.filter(word => /^[\d.e]+$/.test(word));
const all = [
  ...fs.readdirSync(path.join(root, 'bench')).filter(file => file.endsWith('.bench.ts')),
  'peers/peers.bench.ts',
];
const benches = all.filter(file => wanted.length === 0 || wanted.some(name => file.startsWith(name)));
for (const bench of benches) run(node, [path.join(root, 'bench', bench), ...sizes], root, env);
