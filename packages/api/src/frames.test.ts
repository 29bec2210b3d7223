import { expect, test } from 'vitest';
import { denseParts, measureValues } from './dense-cells.ts';
import { decodeFrames, encodeFrame, type CellsHeader, type Frame } from './frames.ts';

const header: CellsHeader = { kind: 'cells', tile: 't', part: 'main', scope: 'base', axes: [{ channel: 'x', kind: 'categories', field: 'k', values: ['a', 'b', 'c'], other: false }], merges: ['sum', 'max'], values: [{ kind: 'part', index: 1 }], notes: [], engineMs: 1 };
const frames: Frame[] = [{ header, cells: { groups: Int32Array.of(2, 0), parts: [Float64Array.of(5, 7), Float64Array.of(Number.NaN, 1.5)] } }, { header: { kind: 'end', applied: { é: '2001/' } } }];

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

async function decode(bytes: Uint8Array, size: number): Promise<Frame[]> {
  const all: Frame[] = [];
  for await (const frame of decodeFrames(inPieces(bytes, size))) all.push(frame);
  return all;
}

const bytes = Uint8Array.from(frames.flatMap(frame => [...encodeFrame(frame)]));

test.each([1, 7, 64, 100_000])('frames arrive whole in pieces of %d bytes', async size => {
  expect(await decode(bytes, size)).toEqual(frames);
});

test('numbers arrive as they were, whole ones in half the bytes', async () => {
  const cells = (...values: number[]): Frame => ({ header, cells: { groups: Int32Array.from(values, (_, i) => i), parts: [Float64Array.from(values)] } });
  for (const values of [[0, 7, 2 ** 31 - 1, -(2 ** 31)], [2 ** 31, 1], [-0, 1], [0.5, 2], [Number.NaN, 3], []]) expect((await decode(encodeFrame(cells(...values)), 1000))[0]).toEqual(cells(...values));
  const many = Array.from({ length: 10_000 }, (_, i) => i);
  expect(encodeFrame(cells(...many)).length).toBeLessThan(encodeFrame(cells(...many.map(number => number + 0.5))).length - 39_000);
});

test('an answer that breaks off is an error, never a short answer', async () => {
  await expect(decode(bytes.slice(0, -3), 50)).rejects.toThrow('broke off');
});

test('groups without rows add nothing up and compare to nothing', () => {
  const parts = denseParts(header.axes, header.merges, frames[0]!.cells!);
  expect(parts.map(part => [...part])).toEqual([[7, 0, 5], [1.5, Number.NaN, Number.NaN]]);
  expect([...measureValues(header.values[0]!, parts)]).toEqual([1.5, Number.NaN, Number.NaN]);
});
