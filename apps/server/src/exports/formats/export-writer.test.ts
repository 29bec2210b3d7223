import { expect, test } from 'vitest';
import { ExportWriter, type WriteJob } from './export-writer.ts';
import { workspaceFonts } from '../fonts/fonts.ts';

const picture = (svg: string): WriteJob => ({ kind: 'png', svg, scale: 1, fonts: workspaceFonts('.') });
const square = picture(
  '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="9" height="9"/></svg>',
);
const never = new AbortController().signal;
const isPng = (bytes: Uint8Array) => Buffer.from(bytes.subarray(1, 4)).toString() === 'PNG';

test('writes as many files as are asked for, some at a time', async () => {
  const writer = new ExportWriter();
  const files = await Promise.all(Array.from({ length: 6 }, () => writer.write(square, never)));
  expect(files.every(isPng)).toBe(true);
});

test('after a file that cannot be written, or that was not waited for, the next is written', async () => {
  const writer = new ExportWriter(1);
  await expect(writer.write(picture('<not svg'), never)).rejects.toThrow();
  expect(isPng(await writer.write(square, never))).toBe(true);
  const stopping = new AbortController();
  const stopped = writer.write(square, stopping.signal);
  stopping.abort(new Error('gone'));
  await expect(stopped).rejects.toThrow();
  expect(isPng(await writer.write(square, never))).toBe(true);
});
