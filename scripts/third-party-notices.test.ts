import path from 'node:path';
import { expect, test } from 'vitest';
import { thirdPartyPackages, writeNotices } from './third-party-notices.ts';

const root = path.join(import.meta.dirname, '..');
const packages = thirdPartyPackages(root);

test('THIRD-PARTY-NOTICES.txt names every package and its licence (`npm test -- scripts/third-party -u` writes it)', async () => {
  expect(packages.length).toBeGreaterThan(100);
  await expect(writeNotices(packages)).toMatchFileSnapshot('../THIRD-PARTY-NOTICES.txt');
});

test('every package may be redistributed with a program under Apache-2.0', () => {
  const allowed = new Set([
    '0BSD',
    'Apache-2.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'BlueOak-1.0.0',
    'CC0-1.0',
    'ISC',
    'MIT',
    'MIT-0',
    'MIT AND OFL-1.1',
    'MPL-2.0',
    'OFL-1.1',
    'Python-2.0',
    'Unlicense',
  ]);
  expect(
    packages.filter(({ licence }) => !allowed.has(licence)).map(({ name, licence }) => `${name}: ${licence}`),
  ).toEqual([]);
});
