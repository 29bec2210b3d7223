import { expect, test } from 'vitest';
import { preambleIn } from './preamble.ts';

test.each([
  ['no line', 'a,b,c\n1,2,3\n', 0],
  ['a title and a blank line', 'Report\n\na,b,c\n1,2,3\n', 2],
  ['the delimiter for Excel', 'sep=;\na;b\n1;2\n', 1],
  ['the delimiter and a title', 'sep=;\r\nReport\na;b;c\n1;2;3\n', 2],
  ['the delimiter twice', 'sep=;\nsep=;\na;b;c\n', 2],
  ['the delimiter in each line', 'sep=\n'.repeat(13_000), 1],
])('above a header: %s', (_, start, lines) => {
  expect(preambleIn(start)).toBe(lines);
});
