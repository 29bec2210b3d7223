import { expect, test } from 'vitest';
import { linesOf } from './lines-of.ts';

const text = '{"a":"x\u2028y\u2029"}\r\n\nZoë 😀\nlast';

test.each([1, 2, 3, 5, 100])('lines are divided at line feeds only, in pieces of %i bytes', async size => {
  const bytes = Buffer.from(text);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  expect(await Array.fromAsync(linesOf(pieces()))).toEqual(['{"a":"x\u2028y\u2029"}', '', 'Zoë 😀', 'last']);
});

test('a line feed at the end begins no line', async () => {
  async function* once(content: string) {
    yield Buffer.from(content);
  }
  expect(await Array.fromAsync(linesOf(once('a\nb\n')))).toEqual(['a', 'b']);
  expect(await Array.fromAsync(linesOf(once('')))).toEqual([]);
});
