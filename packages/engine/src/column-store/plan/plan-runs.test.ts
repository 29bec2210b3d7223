import { describe, expect, test } from 'vitest';
import { ClusteredRows } from '../scan/clustered-rows.ts';
import { batchScans } from './batch-scans.ts';
import { compileScan, type CompiledScan } from '../kernel/compile-scan.ts';
import { countRows, ownMemory, type Share } from '../kernel/count-rows.ts';
import { noRun, wholeChunks } from '../kernel/row-ranges.ts';
import {
  cellsIn,
  bitFieldKey,
  scanPlainly,
  type BitField,
  type Cube,
  type CubeAxis,
  type CubePart,
  type Scan,
  type Test,
} from '../kernel/scan.ts';
import { addTotals, maxTallied, totalsIn } from '../kernel/totals.ts';
import { beginOf, pagesOf } from '../kernel/memory-layout.ts';
import { planRuns, sourcesOf, type RunScan } from './plan-runs.ts';
import type { PlannedScan } from './plan-scan.ts';
import { randomBelow } from '../random-below.ts';
import { chunksThatMayHold } from '../scan/skip-rows.ts';
import { beginZoning, readZones, zoneRows } from '../scan/zone-map.ts';

const time: BitField = { word: 0, shift: 3, mask: 1023 };
const region: BitField = { word: 1, shift: 0, mask: 7 };
const [few, many]: readonly [BitField, BitField] = [
  { word: 0, shift: 13, mask: 15 },
  { word: 1, shift: 8, mask: 255 },
];
const codes = (bitField: BitField, of: (code: number) => number) =>
  Array.from({ length: bitField.mask + 1 }, (_, code) => of(code));
const axis = (
  bitField: BitField,
  count: number,
  of: (code: number) => number = code => code % count,
): CubeAxis => ({ bitField, count, slots: Int32Array.from(codes(bitField, of)) });
const axes = [
  axis(time, 64, code => code >> 4),
  axis(time, 16, code => code >> 6),
  axis(time, 3),
  axis(region, 8),
  axis(few, 16),
  axis(few, 5),
  axis(many, 20, code => Math.floor(code / 13)),
  axis(many, 90),
];
const marks = { bitField: few, truths: Uint8Array.from(codes(few, code => Number(code % 3 > 0))) };
const numbers = (bitField: BitField, none: number, scale = 1) =>
  Float64Array.from(codes(bitField, code => (code % 11 === 5 ? none : ((code * 37) % 91) * scale - 20)));
const all = new Uint8Array(256).fill(1);
const parts: readonly CubePart[] = [
  { kind: 'count' },
  { kind: 'count', of: marks },
  { kind: 'tally', bitField: many, truths: all, numbers: numbers(many, 0) },
  {
    kind: 'tally',
    bitField: many,
    truths: Uint8Array.from(codes(many, code => code & 1)),
    numbers: numbers(many, 0),
  },
  { kind: 'sum', bitField: few, numbers: numbers(few, 0, 0.5) },
  { kind: 'min', bitField: many, numbers: numbers(many, Infinity) },
  { kind: 'max', bitField: time, numbers: numbers(time, -Infinity) },
];
const early: Test = {
  kind: 'truth',
  bitField: time,
  truths: Uint8Array.from(codes(time, code => Number(code < 20))),
};
/** Where questions of a pass all have one on time, blocks of rows are left out. */
const conditions: readonly (Test | undefined)[] = [
  undefined,
  { kind: 'truth', ...marks },
  early,
  { kind: 'all', tests: [early, { kind: 'truth', ...marks }] },
  { kind: 'not', test: early },
];
/** As many of them as make no large cube. */
const smallest = (along: readonly CubeAxis[]) =>
  along.filter((_, a) => cellsIn({ axes: along.slice(0, a + 1), parts: [] }) <= 4000);
const planned = (cube: Cube, condition?: Test): PlannedScan => ({
  cube,
  testKey: String(conditions.indexOf(condition)),
  ...(condition && { test: condition }),
  result: () => ({ rowCount: 0, columns: [] }),
});

/** Rows as they are written while time passes, some of them late, region after region. */
function written(rows: number, next: (below: number) => number): Uint32Array[] {
  const lasting = 100 + next(900);
  const late = next(3) === 0 ? 5000 : 60_000;
  const words = [new Uint32Array(rows), new Uint32Array(rows)] as const;
  for (let row = 0; row < rows; row++) {
    const isLate = next(late) === 1;
    const now = Math.min(time.mask, Math.floor(row / lasting) + 1);
    words[0][row] = ((isLate ? next(now) : now) << time.shift) | (next(16) << few.shift) | next(8);
    words[1][row] = (Math.floor(row / 9000) % 8) | (next(256) << many.shift);
  }
  return [...words];
}

function clusteredBy(words: readonly Uint32Array[], bitFields: readonly BitField[]): ClusteredRows {
  return new ClusteredRows(
    words[0]!.length,
    new Map(
      bitFields.map(bitField => {
        const zoning = beginZoning(words[bitField.word]!, bitField);
        readZones(zoning);
        return [bitFieldKey(bitField), { zones: zoning.map, words: words[bitField.word]! }];
      }),
    ),
  );
}

/**
 * As two threads would, the pieces shared out between them; each begins with what an earlier scan left in its
 * memory.
 */
function counted(
  scan: Scan,
  byRuns: RunScan | undefined,
  words: readonly Uint32Array[],
  split: number,
): Float64Array[][][] {
  const memories = words.map((word, w) => {
    const memory = new WebAssembly.Memory({
      initial: pagesOf(w, word.length),
      maximum: pagesOf(w, word.length),
      shared: true,
    });
    new Uint32Array(memory.buffer, beginOf(w)).set(word);
    return memory;
  });
  const whole = compileScan(byRuns?.whole ?? scan);
  const within = byRuns && compileScan(byRuns.within, whole.layout.bytes);
  const kernel = ({ module, words: read, layout }: CompiledScan) => ({
    module: new WebAssembly.Module(module),
    words: read.map(word => memories[word]!),
    layout,
  });
  const chunks = chunksThatMayHold(
    byRuns?.runs.chunks ?? wholeChunks(words[0]!.length),
    scan.sections.map(({ test: condition }) => condition),
    clusteredBy(words, [time, region]),
  );
  const share = (own: Int32Array): Share => ({
    whole: kernel(whole),
    ...(within && {
      within: {
        kernel: kernel(within),
        sources: sourcesOf(byRuns, whole, within),
        slots: byRuns.runs.slots,
        axes: byRuns.still.length,
      },
    }),
    chunks: own,
    progress: new Int32Array(new SharedArrayBuffer(4)),
  });
  const [first, second] = [ownMemory(), ownMemory()];
  countRows(share(chunks.subarray(split)), first);
  countRows(share(chunks.subarray(0, split)), first);
  countRows(share(chunks.subarray(split)), second);
  addTotals(first.buffer, [second.buffer], whole.layout);
  return totalsIn(first.buffer, whole.layout);
}

describe('rows with equal slots, counted by runs', () => {
  test('have the same totals as single rows, for random rows and queries', () => {
    const seed = Number(process.env['BELVEDERE_SEED']);
    const next = randomBelow(seed);
    let byRuns = 0;
    for (let round = 0; round < 80; round++) {
      const words = written(12 * zoneRows + next(3 * zoneRows), next);
      const conditioned = next(3) === 0 ? [conditions[2 + next(3)]] : conditions;
      const queries = Array.from({ length: 1 + next(7) }, () =>
        planned(
          {
            axes: smallest(axes.filter((_, a) => next(a === 0 ? 2 : 4) === 0)),
            parts: parts.filter(() => next(3) === 0),
          },
          conditioned[next(conditioned.length)],
        ),
      );
      const { scan, totalsFor } = batchScans(queries, words[0]!.length);
      const run = planRuns(scan, words[0]!.length, clusteredBy(words, [time, region]));
      if (run) byRuns++;
      const chunks = (run?.runs.chunks ?? wholeChunks(words[0]!.length)).length / 3;
      const totals = counted(scan, run, words, next(chunks + 1) * 3);
      queries.forEach(({ cube, test: condition }, q) => {
        const alone = scanPlainly(
          { sections: [{ ...(condition && { test: condition }), cubes: [cube] }] },
          words,
          words[0]!.length,
        );
        expect(
          totalsFor(q, run?.whole ?? scan, totals),
          `seed ${seed}, round ${round}, question ${q}`,
        ).toEqual(alone[0]![0]);
      });
    }
    expect(byRuns, `seed ${seed}: rounds by runs`).toBeGreaterThan(4);
  });

  test('have the same totals in number beyond one tally', () => {
    const rows = maxTallied + 3 * zoneRows;
    const words = [
      Uint32Array.from(
        { length: rows },
        (_, row) => (Math.floor(row / 2 ** 15) << time.shift) | ((row & 15) << few.shift),
      ),
      Uint32Array.from({ length: rows }, (_, row) => (Math.imul(row, 2_654_435_761) >>> 24) << many.shift),
    ];
    const tally = [parts[2]!];
    const { scan } = batchScans(
      [
        planned({ axes: [axes[0]!], parts: tally }),
        planned({ axes: [axes[4]!], parts: tally }),
        planned({ axes: [axes[0]!, axes[7]!], parts: [parts[0]!] }),
      ],
      rows,
    );
    const run = planRuns(scan, rows, clusteredBy(words, [time]))!;
    const sums = (totals: Float64Array[][][]) =>
      totals.flat(2).map(total => total.reduce((sum, number) => sum + number, 0));
    expect(sums(counted(run.whole, run, words, 0))).toEqual(sums(counted(run.whole, undefined, words, 0)));
  });

  test('are counted into fewer cubes, without the constant axes, which come last in the full result', () => {
    const words = written(30 * zoneRows, () => 1);
    const queries = [
      planned({ axes: [axes[4]!, axes[0]!], parts: [parts[0]!] }),
      planned({ axes: [axes[0]!, axes[6]!], parts: [parts[0]!] }),
      planned({ axes: [axes[4]!, axes[6]!], parts: [parts[0]!] }),
    ];
    const { scan } = batchScans(queries, 1e8);
    const counts = ({ sections }: Scan) =>
      sections[0]!.cubes.map(cube => cube.axes.map(({ count }) => count));
    const run = planRuns(scan, 30 * zoneRows, clusteredBy(words, [time]))!;
    expect(run.still).toEqual([axes[0]]);
    expect(counts(run.whole).map(along => along.at(-1))).toContain(64);
    expect(counts(run.within)).toEqual([[16, 20]]);
    expect(planRuns(scan, 30 * zoneRows, clusteredBy(words, []))).toBeUndefined();
  });
});

describe('runs', () => {
  test('contain rows with equal slots, and cover all rows once and in order', () => {
    const seed = Number(process.env['BELVEDERE_SEED']);
    const next = randomBelow(seed);
    for (let round = 0; round < 20; round++) {
      const words = written(10 * zoneRows + next(9 * zoneRows), next);
      const along = [axes[0]!, axes[3]!].slice(next(2));
      const runs = clusteredBy(words, [time, region]).runsAlong(along);
      if (!runs) continue;
      let [end, inRuns] = [0, 0];
      for (let chunk = 0; chunk < runs.chunks.length; chunk += 3) {
        const [from, below, run] = runs.chunks.subarray(chunk, chunk + 3) as unknown as [
          number,
          number,
          number,
        ];
        expect(from, `seed ${seed}, round ${round}`).toBe(end);
        end = below;
        if (run === noRun) continue;
        inRuns += below - from;
        along.forEach(({ bitField, slots }, a) => {
          for (let row = from; row < below; row++)
            if (
              slots[(words[bitField.word]![row]! >>> bitField.shift) & bitField.mask] !==
              runs.slots[run * along.length + a]
            )
              throw new Error(`seed ${seed}, round ${round}: row ${row} is not of run ${run}`);
        });
      }
      expect(end).toBe(words[0]!.length);
      expect(inRuns).toBe(runs.rows);
      expect(runs.slots.length).toBe(runs.count * along.length);
    }
  });

  test('do not exist in unordered rows', () => {
    const words = [
      Uint32Array.from({ length: 20 * zoneRows }, (_, row) => Math.imul(row, 2_654_435_761) >>> 0),
      new Uint32Array(20 * zoneRows),
    ];
    expect(clusteredBy(words, [time]).runsAlong([axes[0]!])).toBeUndefined();
  });
});
