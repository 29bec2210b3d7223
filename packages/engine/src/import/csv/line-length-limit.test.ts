import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOverlongLine } from './line-length-limit.ts';

let folder: string;
beforeAll(async () => (folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-lines-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

const most = 200_000;
const short = 'a,b\n'.repeat(100_000);
test.each([
  ['an empty file', '', undefined],
  ['short lines', short, undefined],
  ['a line as long as may be', `${'x'.repeat(most)}\n${short}`, undefined],
  ['one more', `${'x'.repeat(most + 1)}\n${short}`, 1],
  ['the last, without an end', `${short}${'x'.repeat(most + 1)}`, 100_001],
  [
    'a single long line between others',
    `a,b\n${'y'.repeat(150_000)}\n${short}${'x'.repeat(300_000)}\n${short}`,
    100_003,
  ],
  ['many lines that are nearly as long', `${'x'.repeat(most - 7)}\n`.repeat(9), undefined],
])('%s', async (name, content, line) => {
  const file = path.join(folder, `${name}.csv`);
  await writeFile(file, content);
  expect(await findOverlongLine(file, most)).toBe(line);
});
