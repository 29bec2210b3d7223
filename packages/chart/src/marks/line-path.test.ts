import { expect, test } from 'vitest';
import type { Mark } from '../scene.ts';
import { areaMark, lineMarks, layOutLine } from './line-path.ts';

const pen = { stroke: '#000', width: 1.75 };

const xsOf = (xy: readonly number[]) => Float64Array.from(xy.filter((_, i) => i % 2 === 0));
const ysOf = (xy: readonly number[]) => Float64Array.from(xy.filter((_, i) => i % 2 === 1));
const lineOf = (xy: readonly number[]) => lineMarks(layOutLine(xsOf(xy)), ysOf(xy), pen);

/** A walk over 300 pixels with gaps here and there, the same for the same seed. */
function walk(seed: number, count: number, gaps: number): number[] {
  let state = seed;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  let y = 100;
  return Array.from({ length: count }, (_, i) => {
    y += random() * 10 - 5;
    return [20 + (300 * (i + 0.5)) / count, random() < gaps ? Number.NaN : y];
  }).flat();
}

const points = (xy: readonly number[]) =>
  Array.from({ length: xy.length / 2 }, (_, i) => ({ x: xy[i * 2]!, y: xy[i * 2 + 1]! }));
const edges = (mark: Mark) =>
  mark.kind === 'area'
    ? Array.from({ length: mark.xyy.length / 3 }, (_, i) => ({
        x: mark.xyy[i * 3]!,
        low: mark.xyy[i * 3 + 1]!,
        high: mark.xyy[i * 3 + 2]!,
      }))
    : [];

test.each([
  [0, 1],
  [0.1, 2],
  [0.9, 3],
])(
  'the ribbon of 40,000 points, a share of %f missing, covers each of them, and extends at most by the pen’s width',
  (gaps, seed) => {
    const xy = walk(seed, 40_000, gaps);
    const [ribbon] = lineOf(xy);
    const columns = edges(ribbon!);
    expect(columns.length).toBeLessThanOrEqual(601);
    const all = points(xy).filter(({ y }) => !Number.isNaN(y));
    for (const { x, low, high } of columns) {
      const own = all.filter(point => Math.abs(point.x - x) <= 0.25).map(({ y }) => y);
      const near = all.filter(point => Math.abs(point.x - x) <= 0.8).map(({ y }) => y);
      expect([high, low]).toEqual([
        expect.toSatisfy(top => top <= Math.min(...own) - 0.87),
        expect.toSatisfy(bottom => bottom >= Math.max(...own) + 0.87),
      ]);
      expect([high, low]).toEqual([
        expect.toSatisfy(top => top >= Math.min(...near) - 0.88),
        expect.toSatisfy(bottom => bottom <= Math.max(...near) + 0.88),
      ]);
    }
  },
);

test('a gap of a whole column stays a gap, and a single point in it is a dot', () => {
  const xy = Array.from({ length: 20_000 }, (_, i) => [
    i / 100,
    i >= 5000 && i < 6000 && i !== 5520 ? Number.NaN : 40 + (i % 7),
  ]).flat();
  const [ribbon, dots] = lineOf(xy);
  const missing = edges(ribbon!)
    .filter(({ low }) => Number.isNaN(low))
    .map(({ x }) => x);
  expect([missing[0], missing.at(-1), missing.length]).toEqual([50.25, 59.75, 19]);
  expect(dots).toEqual({ kind: 'circles', xy: [55.25, 40 + (5520 % 7)], radius: 2.5, fill: '#000' });
});

test('a line of distinguishable points is unchanged, with dots at single points', () => {
  const xy = [...walk(5, 500, 0), 330, Number.NaN, 340, 7];
  expect(lineOf(xy)).toEqual([
    { kind: 'line', xy, ...pen },
    { kind: 'circles', xy: [340, 7], radius: 2.5, fill: '#000' },
  ]);
  expect(lineOf([])).toEqual([{ kind: 'line', xy: [], ...pen }]);
});

test('stacked areas stay stacked when they have more points than pixels', () => {
  const lower = walk(6, 20_000, 0);
  const layout = layOutLine(xsOf(lower));
  const below = edges(areaMark(layout, 200, ysOf(lower), '#000', 1));
  const above = edges(areaMark(layout, ysOf(lower), ysOf(walk(7, 20_000, 0)), '#000', 1));
  expect(below.length).toBeLessThanOrEqual(601);
  expect(below.map(({ high }) => high)).toEqual(above.map(({ low }) => low));
  const few = walk(8, 300, 0);
  expect(areaMark(layOutLine(xsOf(few)), 200, ysOf(few), '#000', 1)).toEqual({
    kind: 'area',
    xyy: points(few).flatMap(({ x, y }) => [x, 200, y]),
    fill: '#000',
    opacity: 1,
  });
});
