// `npm start [-- PATH] [options]`: sets up what is missing, then runs the command line with a current Node.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { endTogether } from './end-together.mjs';
import { ensureBuild, ensurePackages, ensureRuntime, root } from './setup.mjs';

const args = process.argv.slice(2);
const say = args.includes('--quiet') || args.includes('-q') ? () => {} : line => console.error(line);
const node = ensureRuntime(say);
ensurePackages(node, { dev: false }, say);
ensureBuild(node, say);

const belvedere = spawn(
  node,
  ['--disable-proto=delete', path.join(root, 'apps', 'cli', 'src', 'main.ts'), ...args],
  {
    // The fourth is an IPC channel: it closes when this process ends for any reason, and the server then ends
    // too.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // npm changes to the project's folder; a relative PATH refers to the user's current directory.
    cwd: process.env.INIT_CWD ?? process.cwd(),
  },
);
endTogether([belvedere]);
belvedere.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
