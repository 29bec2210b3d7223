import type { Frame } from '@belvedere/api';
import { lightTheme, type Mark } from '@belvedere/chart';
import type { Tile } from '@belvedere/document';
import type { Model } from '@belvedere/model';
import { describe, expect, test } from 'vitest';
import { drawKpi } from './draw-kpi.ts';

const number = (name: string, more: object = {}) => [
  name,
  { name, label: name, type: 'number', expression: { kind: 'call', name: 'count', args: [] }, ...more },
];
const model = {
  name: 'shop',
  label: 'Shop',
  source: 'files',
  table: 'shop',
  joins: {},
  dimensions: {},
  measures: Object.fromEntries([
    number('revenue', { format: 'currency:EUR', better: 'up' }),
    number('plain'),
    number('goal', { format: 'currency:EUR' }),
  ]),
} as unknown as Model;

/** The result of a figure's query. */
const framesOf = (values: readonly number[]) =>
  [
    {
      header: {
        kind: 'cells',
        part: 'main',
        scope: 'base',
        axes: [],
        merges: values.map(() => 'sum'),
        values: values.map((_, index) => ({ kind: 'part', index })),
        notes: [],
      },
      cells: { groups: Int32Array.of(0), parts: values.map(value => Float64Array.of(value)) },
    },
  ] as unknown as Frame[];

const look = { theme: lightTheme, locale: 'en-US' } as Parameters<typeof drawKpi>[4];
const drawn = (tile: object, values: readonly number[], size = { width: 300, height: 56 }) =>
  drawKpi({ kind: 'kpi', ...tile } as Tile & { kind: 'kpi' }, model, framesOf(values), size, look);
const textsOf = (marks: readonly Mark[]) => marks.flatMap(mark => (mark.kind === 'text' ? [mark] : []));
const barsOf = (marks: readonly Mark[]) => marks.flatMap(mark => (mark.kind === 'rects' ? [mark] : []));

describe('a figure in a picture', () => {
  test('is its value alone without target and comparison', () => {
    const marks = drawn({ value: { measure: 'revenue' } }, [1_230_000]);
    expect(textsOf(marks).map(({ text }) => text)).toEqual(['€1.23M']);
    expect(barsOf(marks)).toEqual([]);
  });

  test('is below the title in a tile of two rows, which has no room for a comparison', () => {
    const baseline = (height: number) =>
      textsOf(drawn({ value: { measure: 'revenue' } }, [1], { width: 300, height }))[0]!.y;
    // The room begins at the foot of the title.
    expect(baseline(20)).toBeGreaterThanOrEqual(20);
    expect(baseline(20)).toBeLessThanOrEqual(24);
    expect(baseline(60)).toBe(38);
  });

  test.each([
    [1_230_000, '✗ 82% of €1.5M', lightTheme.bad, 0.82],
    [1_800_000, '✓ 120% of €1.5M', lightTheme.good, 1],
  ])('of %d has its target with a bar no longer than its track', (value, text, fill, share) => {
    const marks = drawn({ value: { measure: 'revenue' }, target: 1_500_000 }, [value]);
    expect(textsOf(marks)[1]).toMatchObject({ text, fill });
    const [track, bar] = barsOf(marks);
    expect([track!.fill, bar!.fill]).toEqual([lightTheme.unfiltered, fill]);
    expect(bar!.xywh[2]! / track!.xywh[2]!).toBeCloseTo(share, 6);
  });

  test('takes a measure as target from the second value, and is neutral without a direction', () => {
    const marks = drawn({ value: { measure: 'plain' }, target: { measure: 'goal' } }, [50, 200]);
    expect(textsOf(marks)[1]).toMatchObject({ text: '25% of 200', fill: lightTheme.text2 });
    expect(barsOf(marks)[1]!.fill).toBe(lightTheme.accent);
  });

  test('has no bar where there is no room, and keeps its text within the width', () => {
    const marks = drawn({ value: { measure: 'revenue' }, target: 1_500_000 }, [1_230_000], {
      width: 110,
      height: 56,
    });
    expect(barsOf(marks)).toEqual([]);
    expect(textsOf(marks)).toHaveLength(2);
  });
});
