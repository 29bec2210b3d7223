import { describe, expect, test } from 'vitest';
import { batchScans } from './batch-scans.ts';
import {
  scanPlainly,
  type BitField,
  type Cube,
  type CubeAxis,
  type CubePart,
  type Marked,
  type Test,
} from '../kernel/scan.ts';
import type { PlannedScan } from './plan-scan.ts';
import { randomBelow } from '../random-below.ts';

const bitFields: readonly BitField[] = [
  { word: 0, shift: 0, mask: 7 },
  { word: 0, shift: 3, mask: 31 },
  { word: 0, shift: 29, mask: 7 },
  { word: 1, shift: 0, mask: 255 },
];
const codes = (bitField: BitField, of: (code: number) => number) =>
  Array.from({ length: bitField.mask + 1 }, (_, code) => of(code));
const axis = (bitField: BitField, count: number): CubeAxis => ({
  bitField,
  count,
  slots: Int32Array.from(codes(bitField, code => code % count)),
});
const mark = (bitField: BitField, every: number): Marked => ({
  bitField,
  truths: Uint8Array.from(codes(bitField, code => (code % every === 0 ? 1 : 0))),
});
const planned = (cube: Cube, test?: Test): PlannedScan => ({
  cube,
  testKey: test ? 'some' : '',
  ...(test && { test }),
  result: () => ({ rowCount: 0, columns: [] }),
});

const axes = [
  axis(bitFields[0]!, 8),
  axis(bitFields[1]!, 10),
  axis(bitFields[2]!, 3),
  axis(bitFields[3]!, 40),
  axis(bitFields[1]!, 32),
];
const [some, others] = [mark(bitFields[1]!, 3), mark(bitFields[3]!, 7)];
const numbers = Float64Array.from(codes(bitFields[3]!, code => (code * 37) % 91));
const every = new Uint8Array(256).fill(1);
const parts: readonly CubePart[] = [
  { kind: 'count' },
  { kind: 'count', of: some },
  { kind: 'count', of: others },
  { kind: 'tally', bitField: bitFields[3]!, truths: every, numbers },
  { kind: 'tally', bitField: bitFields[3]!, truths: others.truths, numbers },
  { kind: 'sum', bitField: bitFields[3]!, numbers },
  { kind: 'min', bitField: bitFields[3]!, numbers },
];
const words = [0, 1].map(word =>
  Uint32Array.from({ length: 700 }, (_, row) => Math.imul(row + 1, 2_654_435_761 + word * 97) >>> 0),
);

describe('queries combined into one scan', () => {
  test('have the same results as each alone', () => {
    const seed = Number(process.env['BELVEDERE_SEED']);
    const next = randomBelow(seed);
    for (let round = 0; round < 80; round++) {
      const queries = Array.from({ length: 1 + next(9) }, () =>
        planned(
          { axes: axes.filter(() => next(3) === 0), parts: parts.filter(() => next(3) === 0) },
          next(4) === 0 ? { kind: 'truth', ...some } : undefined,
        ),
      );
      // However many rows decide of what is counted as one, the totals are the same.
      const { scan, totalsFor } = batchScans(queries, [700, 20_000, 1e8][next(3)]!);
      const totals = scanPlainly(scan, words, 700);
      queries.forEach(({ cube, test: condition }, q) => {
        const alone = scanPlainly(
          { sections: [{ ...(condition && { test: condition }), cubes: [cube] }] },
          words,
          700,
        );
        expect(totalsFor(q, scan, totals), `seed ${seed}, round ${round}, question ${q}`).toEqual(
          alone[0]![0],
        );
      });
    }
  });

  test('count rows once for several counts, and marked rows in the same pass', () => {
    const counted = (...wanted: CubePart[]) =>
      batchScans([planned({ axes: [axes[0]!], parts: wanted })], 1e8).scan.sections[0]!.cubes[0]!.parts.map(
        part => part.kind,
      );
    expect(counted(parts[0]!, parts[3]!)).toEqual(['tally']);
    expect(counted(parts[0]!, parts[1]!)).toEqual(['tally']);
    expect(counted(parts[1]!)).toEqual(['count']);
    expect(counted(parts[0]!, parts[4]!)).toEqual(['count', 'tally']);
  });

  const cubesOf = (...cubes: Cube[]) =>
    batchScans(
      cubes.map(cube => planned(cube)),
      1e8,
    ).scan.sections[0]!.cubes.map(({ axes: along }) => along.map(({ count }) => count));

  test('if small, are crossed into one, so that a row changes one cell instead of two; large ones are not', () => {
    expect(
      cubesOf({ axes: [axes[0]!], parts: [parts[0]!] }, { axes: [axes[1]!], parts: [parts[0]!] }),
    ).toEqual([[10, 8]]);
    expect(
      cubesOf({ axes: [axes[0]!], parts: [parts[6]!] }, { axes: [axes[1]!], parts: [parts[5]!] }),
    ).toEqual([[8], [10]]);
    const large = axis({ word: 1, shift: 0, mask: 65_535 }, 20_000);
    expect(cubesOf({ axes: [large], parts: [parts[0]!] }, { axes: [axes[1]!], parts: [parts[0]!] })).toEqual([
      [20_000],
      [10],
    ]);
  });

  test('reuse the counts of a very large one; other counts, or few rows, are scanned separately', () => {
    const large = axis({ word: 1, shift: 0, mask: 65_535 }, 50_000);
    const cubesFor = (rows: number, ...wanted: CubePart[]) =>
      batchScans(
        [planned({ axes: [large, axes[0]!], parts: [parts[3]!] }), planned({ axes: [large], parts: wanted })],
        rows,
      ).scan.sections[0]!.cubes.map(({ axes: along }) => along.length);
    expect(cubesFor(1e8, parts[0]!)).toEqual([2]);
    expect(cubesFor(1e8, parts[3]!, parts[0]!)).toEqual([2]);
    expect(cubesFor(1e8, parts[6]!)).toEqual([1, 2]);
    expect(cubesFor(1e6, parts[0]!)).toEqual([1, 2]);
  });

  test('are ordered: counts before sums, the largest of the sums last', () => {
    const of = (count: number, part: CubePart): Cube => ({
      axes: [axis({ word: 1, shift: 0, mask: 65_535 }, count)],
      parts: [part],
    });
    expect(
      cubesOf(of(20_000, parts[3]!), of(30_000, parts[0]!), of(19_000, parts[5]!), of(25_000, parts[1]!)),
    ).toEqual([[30_000], [25_000], [19_000], [20_000]]);
  });

  test('share the cells of an axis that covers another of the same field, as weeks over days', () => {
    const days: CubeAxis = {
      bitField: bitFields[3]!,
      count: 128,
      slots: Int32Array.from(codes(bitFields[3]!, code => code >> 1)),
    };
    const weeks: CubeAxis = {
      bitField: bitFields[3]!,
      count: 19,
      slots: Int32Array.from(codes(bitFields[3]!, code => Math.floor(code / 14))),
    };
    const astride: CubeAxis = {
      bitField: bitFields[3]!,
      count: 3,
      slots: Int32Array.from(codes(bitFields[3]!, code => Math.floor((code + 1) / 100))),
    };
    const count = [parts[0]!];
    expect(cubesOf({ axes: [days, axes[0]!, weeks], parts: count }), 'within one question').toEqual([
      [128, 8],
    ]);
    expect(cubesOf({ axes: [weeks], parts: count }, { axes: [days], parts: count }), 'between two').toEqual([
      [128],
    ]);
    expect(cubesOf({ axes: [days, astride], parts: count }), 'where a day has parts in two').toEqual([
      [128, 3],
    ]);
    const pairs: CubeAxis = {
      bitField: bitFields[3]!,
      count: 64,
      slots: Int32Array.from(codes(bitFields[3]!, code => code >> 2)),
    };
    const large = axis({ word: 1, shift: 0, mask: 65_535 }, 500);
    expect(
      cubesOf({ axes: [large, axes[0]!, pairs], parts: count }, { axes: [large, days], parts: count }),
      'large ones, for less than twice the cells',
    ).toEqual([[500, 8, 128]]);
    expect(
      cubesOf({ axes: [large, axes[0]!, weeks], parts: count }, { axes: [large, days], parts: count }),
      'and not for more',
    ).toEqual([
      [500, 8, 19],
      [500, 128],
    ]);
  });
});
