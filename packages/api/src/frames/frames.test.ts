import { expect, test } from 'vitest';
import { denseParts, measureValues } from './densify.ts';
import { decodeFrames, encodeFrame, type CellsHeader, type Frame } from './frames.ts';

const header: CellsHeader = {
  kind: 'cells',
  tile: 't',
  part: 'main',
  scope: 'base',
  axes: [{ channel: 'x', kind: 'categories', field: 'k', values: ['a', 'b', 'c'], other: false }],
  merges: ['sum', 'max'],
  values: [{ kind: 'part', index: 1 }],
  notes: [],
  engineMs: 1,
};
const frames: Frame[] = [
  {
    header,
    cells: { groups: Int32Array.of(2, 0), parts: [Int32Array.of(5, 7), Float64Array.of(Number.NaN, 1.5)] },
  },
  { header: { kind: 'end', applied: { é: '2001/' } } },
];

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

async function decode(bytes: Uint8Array, size: number): Promise<Frame[]> {
  const all: Frame[] = [];
  for await (const frame of decodeFrames(inPieces(bytes, size))) all.push(frame);
  return all;
}

const bytes = new Uint8Array(Buffer.concat(frames.flatMap(encodeFrame)));

test.each([1, 7, 64, 100_000])('frames are complete when they arrive in pieces of %d bytes', async size => {
  expect(await decode(bytes, size)).toEqual(frames);
});

test('numbers are unchanged after decoding, and whole ones take half the bytes', async () => {
  const cells = (...values: number[]): Frame => ({
    header,
    cells: { groups: Int32Array.from(values, (_, i) => i), parts: [Float64Array.from(values)] },
  });
  const bytesOf = (frame: Frame) => Buffer.concat(encodeFrame(frame));
  for (const values of [
    [0, 7, 2 ** 31 - 1, -(2 ** 31)],
    [2 ** 31, 1],
    [-0, 1],
    [0.5, 2],
    [Number.NaN, 3],
    [],
  ]) {
    const [decoded] = await decode(bytesOf(cells(...values)), 1000);
    expect([...decoded!.cells!.parts[0]!]).toEqual(values);
    expect([...decoded!.cells!.groups]).toEqual([...values.keys()]);
  }
  const many = Array.from({ length: 10_000 }, (_, i) => i);
  expect(bytesOf(cells(...many)).length).toBeLessThan(
    bytesOf(cells(...many.map(number => number + 0.5))).length - 39_000,
  );
});

test('large columns are copied neither into a frame nor out of it, at any offset', async () => {
  const groups = new Int32Array(new SharedArrayBuffer(400_000));
  const counts = Int32Array.from(groups, (_, i) => i);
  for (const tile of ['t', 'ti', 'til', 'tile']) {
    const pieces = encodeFrame({ header: { ...header, tile }, cells: { groups, parts: [counts] } });
    expect(
      pieces
        .filter(piece => [groups.buffer, counts.buffer].includes(piece.buffer as ArrayBuffer))
        .map(piece => piece.length),
    ).toEqual([400_000, 400_000]);
    const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
    pieces.reduce((at, piece) => (whole.set(piece, at), at + piece.length), 0);
    for await (const { cells } of decodeFrames(
      (async function* () {
        yield whole;
      })(),
    )) {
      expect([cells!.groups.buffer, cells!.parts[0]!.buffer]).toEqual([whole.buffer, whole.buffer]);
      expect(cells!.parts[0]).toEqual(counts);
    }
  }
});

test('a truncated response is an error, never a shorter result', async () => {
  await expect(decode(bytes.slice(0, -3), 50)).rejects.toThrow('incomplete');
});

test('groups without rows have a sum of 0, and no minimum or maximum', () => {
  const parts = denseParts(header.axes, header.merges, frames[0]!.cells!);
  expect(parts.map(part => [...part])).toEqual([
    [7, 0, 5],
    [1.5, Number.NaN, Number.NaN],
  ]);
  expect([...measureValues(header.values[0]!, parts)]).toEqual([1.5, Number.NaN, Number.NaN]);
});
