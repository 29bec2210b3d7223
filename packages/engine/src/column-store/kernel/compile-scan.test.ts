import { describe, expect, test } from 'vitest';
import { randomBelow } from '../random-below.ts';
import { compileScan } from './compile-scan.ts';
import {
  cellsIn,
  scanPlainly,
  type BitField,
  type CubePart,
  type Marked,
  type Scan,
  type Test,
} from './scan.ts';
import { addTotals, begin, readTotals, totalsIn } from './totals.ts';
import { beginOf, pagesOf } from './memory-layout.ts';

const rows = 500;
const bitFields: readonly BitField[] = [
  { word: 0, shift: 0, mask: 7 },
  { word: 0, shift: 3, mask: 31 },
  { word: 0, shift: 29, mask: 7 },
  { word: 1, shift: 0, mask: 65_535 },
  { word: 1, shift: 16, mask: 1 },
];

function randomScan(next: (below: number) => number): Scan {
  const bitField = () => bitFields[next(bitFields.length)]!;
  const marked = (): Marked => {
    const at = bitField();
    return { bitField: at, truths: Uint8Array.from({ length: at.mask + 1 }, () => next(2)) };
  };
  const test = (depth: number): Test => {
    const kind = depth === 0 ? 0 : next(4);
    if (kind === 0) return { kind: 'truth', ...marked() };
    if (kind === 1) return { kind: 'not', test: test(depth - 1) };
    return {
      kind: kind === 2 ? 'all' : 'any',
      tests: Array.from({ length: next(4) }, () => test(depth - 1)),
    };
  };
  const part = (): CubePart => {
    const at = bitField();
    const numbers = (none: number) =>
      Float64Array.from({ length: at.mask + 1 }, () => (next(5) === 0 ? none : next(1000) - 500));
    switch (next(5)) {
      case 0:
        return { kind: 'count', ...(next(2) === 0 && { of: marked() }) };
      case 1:
        return { kind: 'sum', bitField: at, numbers: numbers(0), ...(next(2) === 0 && { where: marked() }) };
      case 2:
        return {
          kind: 'tally',
          bitField: at,
          truths: Uint8Array.from({ length: at.mask + 1 }, () => next(2)),
          numbers: numbers(0),
        };
      case 3:
        return { kind: 'min', bitField: at, numbers: numbers(Infinity) };
      default:
        return { kind: 'max', bitField: at, numbers: numbers(-Infinity) };
    }
  };
  const axis = () => {
    const at = bitField();
    const count = 1 + next(12);
    return { bitField: at, count, slots: Int32Array.from({ length: at.mask + 1 }, () => next(count)) };
  };
  const cube = () => ({
    axes: Array.from({ length: next(4) }, axis),
    parts: Array.from({ length: 1 + next(3) }, part),
  });
  return {
    sections: Array.from({ length: 1 + next(3) }, () => ({
      ...(next(3) > 0 && { test: test(3) }),
      cubes: Array.from({ length: 1 + next(4) }, cube),
    })),
  };
}

/** As three threads would, each in its own memory, the first with a pause to read its tallies. */
function runCompiled(scan: Scan, words: readonly Uint32Array[]): Float64Array[][][] {
  const { module: bytes, words: read, layout } = compileScan(scan);
  const module = new WebAssembly.Module(bytes);
  const memory = () =>
    new WebAssembly.Memory({ initial: Math.ceil(layout.bytes / 65_536), maximum: 65_536, shared: true });
  const shared = read.map(word => {
    const codes = new WebAssembly.Memory({ initial: pagesOf(word, rows), maximum: 65_536, shared: true });
    new Uint32Array(codes.buffer, beginOf(word)).set(words[word]!);
    return codes;
  });
  const thread = (run: (count: (from: number, below: number) => void, own: ArrayBufferLike) => void) => {
    const own = memory();
    // What an earlier scan has left there must not matter.
    new Uint8Array(own.buffer).fill(0xa5);
    begin(own.buffer, layout);
    run(
      new WebAssembly.Instance(module, {
        m: { own, ...Object.fromEntries(shared.map((codes, i) => [`w${i}`, codes])) },
      }).exports['run'] as (from: number, below: number) => void,
      own.buffer,
    );
    readTotals(own.buffer, layout, 'ends');
    return own.buffer;
  };
  const first = thread((count, own) => {
    count(0, 4 * 123);
    readTotals(own, layout, 'begins');
    count(4 * 123, 4 * 123);
    count(4 * 123, 4 * 300);
  });
  const others = [thread(count => count(4 * 300, 4 * 400)), thread(count => count(4 * 400, 4 * rows))];
  // Shared by three, too: each adds up a part of all cells.
  for (const bitField of [0, 1, 2]) addTotals(first, others, layout, { bitField, of: 3 });
  return totalsIn(first, layout);
}

describe('a compiled scan', () => {
  test('equals a row-by-row sum, for random scans', () => {
    const seed = Number(process.env['BELVEDERE_SEED']);
    const next = randomBelow(seed);
    for (let round = 0; round < 60; round++) {
      const words = [0, 1].map(() => Uint32Array.from({ length: rows }, () => next(2 ** 32)));
      const scan = randomScan(next);
      expect(runCompiled(scan, words), `seed ${seed}, round ${round}`).toEqual(
        scanPlainly(scan, words, rows),
      );
    }
  });

  test('reads only the words in use', () => {
    const scan: Scan = {
      sections: [
        {
          cubes: [
            {
              axes: [{ bitField: bitFields[3]!, count: 2, slots: new Int32Array(65_536) }],
              parts: [{ kind: 'count' }],
            },
          ],
        },
      ],
    };
    expect(compileScan(scan).words).toEqual([1]);
    expect(cellsIn(scan.sections[0]!.cubes[0]!)).toBe(2);
  });
});
