// Adds other platforms' optional binaries that the registry could not list to package-lock.json,
// because `npm ci` refuses a lock in which an optional dependency is missing. Run after `npm install`.
import fs from 'node:fs';

const file = 'package-lock.json';
const lock = JSON.parse(fs.readFileSync(file, 'utf8'));
let added = 0;
for (const [key, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (foldersAbove(key).some(folder => lock.packages[`${folder}node_modules/${name}`])) continue;
    const os = /(darwin|linux|win32|freebsd|android|openharmony|aix|netbsd|openbsd|sunos)/.exec(name)?.[1];
    const cpu = /(x64|arm64|arm|ia32|ppc64|riscv64|s390x|loong64|mips64el)(?![0-9a-z])/.exec(name)?.[1];
    if (!os || !cpu) {
      console.error(`cannot tell the platform of ${name}`);
      continue;
    }
    lock.packages[`node_modules/${name}`] = {
      version,
      optional: true,
      ...(entry.dev && { dev: true }),
      os: [os],
      cpu: [cpu],
      ...(os === 'linux' && { libc: [name.includes('musl') ? 'musl' : 'glibc'] }),
    };
    added++;
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
fs.writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`added ${added} optional packages`);

/**
 * Returns the folders in which Node looks for imports of the package at `key`, nearest first; each ends with
 * a slash.
 */
function foldersAbove(key) {
  const parts = `${key}/`.split(/(?<=\/)(?=node_modules\/)/);
  return [...parts.map((_, count) => parts.slice(0, parts.length - count).join('')), ''];
}
