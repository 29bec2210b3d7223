import type { Tile } from '@belvedere/document';
import { expect, test } from 'vitest';
import { summarize } from '../text/summary.ts';
import { bandOf, gaugeBands } from './gauge-bands.ts';

const tile: Tile & { kind: 'gauge' } = {
  kind: 'gauge',
  value: { measure: 'late' },
  target: 10,
  bands: [{ below: 10, look: 'good' }, { below: 20, look: 'warn' }, { look: 'bad' }],
};

test.each([
  [-5, 'good'],
  [9.9, 'good'],
  [10, 'warn'],
  [20, 'bad'],
  [1e9, 'bad'],
  [Number.NaN, undefined],
])('%d lies in the band %s', (value, look) => expect(bandOf(tile, value)?.look).toBe(look));

test('the scale beyond the last band has none, and neither have gauges without bands', () => {
  expect(bandOf({ ...tile, bands: [{ below: 10, look: 'good' }] }, 11)).toBeUndefined();
  expect(gaugeBands({ kind: 'gauge', value: { measure: 'late' } })).toEqual([]);
});

test('a band whose parameter ends it before the one before is left out', () => {
  const bands = [{ below: 10, look: 'good' }, { below: 5, look: 'warn' }, { look: 'bad' }] as const;
  expect(gaugeBands({ ...tile, bands: [...bands] }).map(({ from, look }) => [from, look])).toEqual([
    [-Infinity, 'good'],
    [10, 'bad'],
  ]);
});

test.each([
  ['en-US', 'Late: 12 min. 120% of 10 min, target missed. Range: Warning.'],
  ['de-DE', 'Late: 12 min. 120\u00a0% von 10 min, Ziel verfehlt. Bereich: Warnung.'],
])('the sentence of a gauge in %s says its target and its band', (locale, sentence) => {
  const measures = [{ label: 'Late', unit: 'min', better: 'down', isAdditive: true } as const];
  expect(summarize({ tile, axes: [], measures, base: Float64Array.of(12), locale })).toBe(sentence);
});
