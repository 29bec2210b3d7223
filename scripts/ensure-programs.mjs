// Downloads the database servers and the other browsers of the tests in a process of its own, beside the
// installation of packages and the build of the web app.
import { spawn } from 'node:child_process';
import { ensureOtherBrowsers } from './ensure-browser.mjs';
import { ensureServers } from './ensure-servers.mjs';

/** @returns the variables that name these programs, once they are there or known to be missing */
export function startEnsuringPrograms(node) {
  const child = spawn(node, [import.meta.filename], { stdio: ['ignore', 'pipe', 'inherit'] });
  let written = '';
  child.stdout.on('data', data => (written += data));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => {
      if (code === 0) resolve(JSON.parse(written));
      else reject(new Error(`The programs for the tests could not be prepared (exit ${code}).`));
    });
  });
}

if (process.argv[1] === import.meta.filename) {
  const say = line => console.error(line);
  // One after the other, since each locks Debian's packages.
  const variables = { ...ensureServers(say), ...ensureOtherBrowsers(say) };
  process.stdout.write(JSON.stringify(variables));
}
