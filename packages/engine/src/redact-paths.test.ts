import { expect, test } from 'vitest';
import { redactPaths } from './redact-paths.ts';

test.each([
  ['IO Error: Cannot open "/home/a/ws/data/x.csv"', 'IO Error: Cannot open "data/x.csv"'],
  ['No space in /home/a/ws/.belvedere/tables/work-x-1/spill', 'No space in spill'],
  ['Nothing in /home/a/ws', 'Nothing in ws'],
  ['Could not convert "/home/b/c" to a number', 'Could not convert "/home/b/c" to a number'],
  ['No files match "/home/a/what[?]/data/x.csv"', 'No files match "data/x.csv"'],
])('paths of the machine are redacted in “%s”', (message, expected) => {
  expect(
    redactPaths(message, ['/', '/home/a/what?', '/home/a/ws', '/home/a/ws/.belvedere/tables/work-x-1']),
  ).toBe(expected);
});
