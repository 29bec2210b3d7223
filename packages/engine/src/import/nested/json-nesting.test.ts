import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { deepestNesting, linesNestedTooDeep } from './json-nesting.ts';

const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
const padding = `"${'[{'.repeat(1 << 19)}"`;

test.each([
  ['ndjson', 'as deep as may be', [nested(deepestNesting)], []],
  [
    'ndjson',
    'one deeper',
    ['{"a":1}', nested(deepestNesting + 1), '{"a":1}', nested(deepestNesting + 1)],
    [2, 4],
  ],
  ['ndjson', 'brackets in a text, behind an escaped quote too', [`{"a":"\\"${'['.repeat(3000)}"}`], []],
  [
    'ndjson',
    'truncated lines do not add up',
    Array.from({ length: 50 }, () => `{"a":${'['.repeat(100)}`),
    [],
  ],
  [
    'ndjson',
    'beyond the first chunk of the file, in any chunk',
    [padding, '{"a":1}', nested(deepestNesting + 1), padding, nested(deepestNesting + 1)],
    [3, 5],
  ],
  [
    'json',
    'over many lines',
    Array.from({ length: deepestNesting + 5 }, () => '['),
    [1001, 1002, 1003, 1004, 1005],
  ],
  [
    'json',
    'over many lines, and closed again',
    [...Array.from({ length: 900 }, () => '[1,['), ...Array.from({ length: 900 }, () => ']]')],
    Array.from({ length: 800 }, (_, i) => 501 + i),
  ],
] as const)('%s: %s', async (kind, _, lines, found) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-nesting-'));
  await writeFile(path.join(folder, 'a'), lines.join('\n'));
  expect([...(await linesNestedTooDeep(path.join(folder, 'a'), kind))]).toEqual(found);
  await rm(folder, { recursive: true });
});
