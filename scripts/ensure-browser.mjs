// Finds Chromium for the tests: one named in BELVEDERE_CHROMIUM, the system's, or the one that comes inside an npm package.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { root } from './setup.mjs';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

export function ensureBrowser(say) {
  const found = [process.env.BELVEDERE_CHROMIUM, ...places].find(place => place && fs.existsSync(place));
  if (found) return { executable: found };
  const source = path.join(root, 'node_modules', '@sparticuz', 'chromium', 'bin');
  if (!fs.existsSync(path.join(source, 'chromium.br'))) throw new Error('No Chromium was found. Install one, or name it in BELVEDERE_CHROMIUM.');
  const folder = path.join(root, '.cache', 'chromium');
  const executable = path.join(folder, 'chromium');
  if (!fs.existsSync(executable)) {
    say('Unpacking Chromium …');
    fs.mkdirSync(folder, { recursive: true });
    for (const archive of ['al2023', 'swiftshader', 'fonts']) {
      const packed = path.join(source, `${archive}.tar.br`);
      if (!fs.existsSync(packed)) continue;
      const tar = path.join(folder, `${archive}.tar`);
      fs.writeFileSync(tar, zlib.brotliDecompressSync(fs.readFileSync(packed)));
      spawnSync('tar', ['-xf', tar, '-C', folder]);
      fs.rmSync(tar);
    }
    fs.writeFileSync(`${executable}.part`, zlib.brotliDecompressSync(fs.readFileSync(path.join(source, 'chromium.br'))), { mode: 0o755 });
    fs.renameSync(`${executable}.part`, executable);
  }
  return { executable, libraries: path.join(folder, 'lib') };
}
