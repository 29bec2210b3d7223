import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

/** Formats without a language, and with one that is not the user's. */
const ways = [
  /\.toFixed\(/,
  /\.toLocaleString\(\)/,
  /\.toLocale(?:Date|Time)String\(\)/,
  /toLocaleString\('en'/,
];

/** Coordinates in SVG paths, and the English catalogues. */
const allowed = [
  /[`,]?\$\{[xy]\([^}]*\.toFixed\(1\)/,
  /^(?:[a-z-]+\/)?messages\/(?:[a-z-]+\/)?[a-z-]*en\.ts:/,
];

test('figures of the interface are written in the language of the user', () => {
  const lines = globSync('**/*.{ts,tsx}', { cwd: root, exclude: ['**/*.test.*'] }).flatMap(file =>
    readFileSync(path.join(root, file), 'utf8')
      .split('\n')
      .map(line => `${file.replaceAll(path.sep, '/')}: ${line.trim()}`),
  );
  const found = lines.filter(
    line => ways.some(way => way.test(line)) && !allowed.some(pattern => pattern.test(line)),
  );
  expect(found).toEqual([]);
});
