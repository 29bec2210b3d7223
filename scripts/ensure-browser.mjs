// Finds the browsers for the tests. Chromium: from BELVEDERE_CHROMIUM, the system, or an npm package.
// Firefox and WebKitGTK (Safari's engine): from the environment, the system, or Debian packages that root
// installs. WebKitGTK finds its own processes by their installed paths, so its packages cannot be unpacked
// elsewhere, unlike those of the database servers.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { root } from './setup.mjs';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export function ensureBrowser(say) {
  const found = [process.env.BELVEDERE_CHROMIUM, ...places].find(place => place && fs.existsSync(place));
  if (found) return { executable: found };
  const source = path.join(root, 'node_modules', '@sparticuz', 'chromium', 'bin');
  if (!fs.existsSync(path.join(source, 'chromium.br')))
    throw new Error('Chromium not found. Install it, or set BELVEDERE_CHROMIUM to its path.');
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
    fs.writeFileSync(
      `${executable}.part`,
      zlib.brotliDecompressSync(fs.readFileSync(path.join(source, 'chromium.br'))),
      { mode: 0o755 },
    );
    fs.renameSync(`${executable}.part`, executable);
  }
  return { executable, libraries: path.join(folder, 'lib') };
}

const installed = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1'.replace(
  'x86_64',
  process.arch === 'arm64' ? 'aarch64' : 'x86_64',
);
/** For each browser: the variables that name its programs, their paths in Debian, and their packages. */
const others = {
  Firefox: {
    programs: { BELVEDERE_FIREFOX: ['/usr/bin/firefox-esr', '/usr/bin/firefox'] },
    packages: ['firefox-esr'],
  },
  WebKit: {
    programs: {
      BELVEDERE_WEBKIT_DRIVER: ['/usr/bin/WebKitWebDriver'],
      BELVEDERE_WEBKIT: [`${installed}/MiniBrowser`],
      BELVEDERE_XVFB: ['/usr/bin/Xvfb'],
    },
    packages: ['webkit2gtk-driver', 'xvfb'],
  },
};

/**
 * Returns the variables that name the programs of Firefox and WebKit. If a browser is unavailable, its
 * journeys are skipped, with a message.
 */
export function ensureOtherBrowsers(say) {
  const find = places => places.find(place => place && fs.existsSync(place));
  const programsOf = ({ programs }) =>
    Object.entries(programs).map(([variable, places]) => [
      variable,
      find([process.env[variable], ...places]),
    ]);
  const isHere = browser => programsOf(browser).every(([, program]) => program);
  const wanted = Object.values(others)
    .filter(browser => !isHere(browser))
    .flatMap(({ packages }) => packages);
  if (wanted.length > 0 && process.getuid?.() === 0 && !spawnSync('apt-get', ['--version']).error) {
    say(`Installing ${wanted.join(', ')} for the tests …`);
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' });
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...wanted], {
      stdio: 'ignore',
      env,
    });
  }
  for (const [name, browser] of Object.entries(others)) {
    if (isHere(browser)) continue;
    say(
      `NOT FOUND: ${name}. ITS TESTS ARE SKIPPED. Set its path in ${Object.keys(browser.programs).join(', ')}, or run the tests as root on Debian.`,
    );
  }
  return Object.fromEntries(Object.values(others).filter(isHere).flatMap(programsOf));
}
