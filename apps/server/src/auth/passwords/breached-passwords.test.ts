import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BreachedPasswords } from './breached-passwords.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-breached-'));
});
afterAll(() => rm(folder, { recursive: true }));

const hashOf = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase();
const write = async (text: string) => {
  const file = path.join(folder, `${Math.random()}.txt`);
  await writeFile(file, text);
  return file;
};

describe('a file of breached passwords', () => {
  const known = Array.from({ length: 3000 }, (_, i) => `password number ${i}`);
  const unknown = Array.from({ length: 3000 }, (_, i) => `another word ${i}`);

  test.each<[what: string, lines: (hash: string, i: number) => string, end: string]>([
    ['hashes with counts', (hash, i) => `${hash}:${i ** 2}`, '\r\n'],
    ['hashes', hash => hash, '\n'],
    ['in small letters', hash => hash.toLowerCase(), '\n'],
    ['prefixes', (hash, i) => hash.slice(0, 16 + (i % 20)), '\n'],
  ])('of %s has each of them, and no others', async (_, lineOf, end) => {
    const lines = known.map(hashOf).toSorted().map(lineOf);
    for (const last of [end, '']) {
      const file = await BreachedPasswords.open(await write(lines.join(end) + last));
      for (const password of known.slice(0, last === '' ? 300 : 3000))
        expect([password, await file.has(password)]).toEqual([password, true]);
      for (const password of unknown.slice(0, 300))
        expect([password, await file.has(password)]).toEqual([password, false]);
    }
  });

  test('has a password in other letters that sign in as the same', async () => {
    const file = await BreachedPasswords.open(await write(hashOf('correct horse battery')));
    expect(await file.has('ｃorrect horse battery')).toBe(true);
    const typed = 'cafe\u0301 au lait';
    const decomposed = await BreachedPasswords.open(await write(hashOf(typed)));
    expect(await decomposed.has(typed)).toBe(true);
  });

  test('with few lines has each of them', async () => {
    for (const count of [1, 2, 3]) {
      const file = await BreachedPasswords.open(
        await write(known.slice(0, count).map(hashOf).toSorted().join('\n')),
      );
      expect(await Promise.all(known.slice(0, 4).map(one => file.has(one)))).toEqual(
        [0, 1, 2, 3].map(i => i < count),
      );
    }
  });

  test.each([
    ['', 'is empty'],
    ['hunter2\n', 'has a line that is not a SHA-1 hash'],
    [known.map(hashOf).join('\n'), 'is not sorted by hash'],
  ])('of other content is refused with the reason (%#)', async (text, reason) => {
    await expect(BreachedPasswords.open(await write(text))).rejects.toThrow(reason);
  });

  test('that is missing, or a folder, is refused with its name', async () => {
    await expect(BreachedPasswords.open(path.join(folder, 'gone.txt'))).rejects.toThrow(
      /gone\.txt, cannot be read/,
    );
    await expect(BreachedPasswords.open(folder)).rejects.toThrow(/, cannot be read/);
  });

  test('that goes away later lets no password be set, with the reason', async () => {
    const path = await write(known.slice(0, 2).map(hashOf).toSorted().join('\n'));
    const file = await BreachedPasswords.open(path);
    await rm(path);
    await expect(file.has('anything')).rejects.toMatchObject({ type: 'state-unavailable' });
  });
});
