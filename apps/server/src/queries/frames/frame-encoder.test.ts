import { decodeFrames, type CellsHeader, type Frame } from '@belvedere/api';
import { afterAll, expect, test } from 'vitest';
import { FrameEncoder } from './frame-encoder.ts';

const encoder = new FrameEncoder();
afterAll(() => encoder.close());

const header: CellsHeader = {
  kind: 'cells',
  tile: 'a',
  part: 'main',
  scope: 'base',
  axes: [],
  merges: ['sum'],
  values: [{ kind: 'part', index: 0 }],
  notes: [],
  engineMs: 0,
};
const groups = 60_000;
const shared = (bytes: number) => new SharedArrayBuffer(bytes);

/** `here`: in the thread that asks, so that columns are the very same. */
test.each<[string, 'here' | 'elsewhere', Frame['cells']]>([
  [
    'doubles of the engine’s',
    'elsewhere',
    {
      groups: Int32Array.from({ length: groups }, (_, i) => i),
      parts: [Float64Array.from({ length: groups }, (_, i) => i / 3)],
    },
  ],
  [
    'doubles that threads share',
    'elsewhere',
    {
      groups: new Int32Array(shared(groups * 4)).fill(7),
      parts: [
        new Float64Array(shared(groups * 8)).fill(0.1),
        new Float64Array(shared(groups * 8)).fill(Number.NaN),
      ],
    },
  ],
  [
    'whole numbers that threads share, beside doubles of its own',
    'elsewhere',
    {
      groups: new Int32Array(shared(groups * 4)).fill(7),
      parts: [new Int32Array(shared(groups * 4)).fill(9), new Float64Array(groups).fill(0.1)],
    },
  ],
  [
    'whole numbers alone',
    'here',
    {
      groups: new Int32Array(shared(groups * 4)).fill(7),
      parts: [new Int32Array(shared(groups * 4)).fill(9)],
    },
  ],
])('large frames are unchanged after decoding: %s, written %s', async (_, position, cells) => {
  const pieces = await encoder.encode({ header, cells: cells! });
  const own = [cells!.groups, ...cells!.parts].map(({ buffer }) => buffer);
  expect(pieces.some(({ buffer }) => own.includes(buffer))).toBe(position === 'here');
  const arrived: Frame[] = [];
  for await (const frame of decodeFrames(
    (async function* () {
      yield* pieces;
    })(),
  ))
    arrived.push(frame);
  expect(arrived.map(frame => frame.header)).toEqual([header]);
  const [{ cells: read }] = arrived as [Frame];
  expect([[...read!.groups], ...read!.parts.map(part => [...part])]).toEqual([
    [...cells!.groups],
    ...cells!.parts.map(part => [...part]),
  ]);
});
