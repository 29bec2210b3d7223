import fc from 'fast-check';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { writeDiff } from './write-diff.ts';

const text = (...lines: readonly string[]) => lines.map(line => `${line}\n`).join('');

test('a changed line has three lines of context around it', () => {
  expect(
    writeDiff(
      'a.yaml',
      text('1', '2', '3', '4', '5', '6', '7', '8', '9'),
      text('1', '2', '3', '4', 'five', '6', '7', '8', '9'),
    ),
  ).toBe('--- a/a.yaml\n+++ b/a.yaml\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8');
});

test('a new file is all additions, an equal text no change', () => {
  expect(writeDiff('a.yaml', undefined, text('1', '2'))).toBe(
    '--- /dev/null\n+++ b/a.yaml\n@@ -0,0 +1,2 @@\n+1\n+2',
  );
  expect(writeDiff('a.yaml', text('1'), text('1'))).toBe('');
});

test('`git apply` turns one text into the other, for any two texts', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'belvedere-diff-'));
  const file = path.join(folder, 'a.txt');
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', '- x', '+ y', ''), { maxLength: 25 });
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const diff = writeDiff('a.txt', text(...before), text(...after));
      writeFileSync(file, text(...before));
      if (diff !== '') {
        const { status, stderr } = spawnSync('git', ['apply', '--unidiff-zero', '--whitespace=nowarn', '-'], {
          cwd: folder,
          input: `${diff}\n`,
          encoding: 'utf8',
          env: { ...process.env, GIT_CEILING_DIRECTORIES: path.dirname(folder) },
        });
        expect(stderr, diff).toBe('');
        expect(status, diff).toBe(0);
      }
      expect(readFileSync(file, 'utf8')).toBe(text(...after));
    }),
    { numRuns: 60 },
  );
  rmSync(folder, { recursive: true });
});
