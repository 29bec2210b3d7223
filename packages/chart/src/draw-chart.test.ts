import { groupsOf } from '@belvedere/query';
import { describe, expect, test } from 'vitest';
import type { ChannelAxis, ChartInput, ChartTile } from './chart.ts';
import { drawChart } from './draw-chart.ts';
import { formatNumber, formatTime, formatValue } from './format.ts';
import { paintSvg } from './paint/svg.ts';
import { summarize } from './summary.ts';
import { darkTheme, lightTheme } from './theme.ts';

const kinds: ChannelAxis = { channel: 'y', kind: 'categories', field: 'k', values: ['Chicago', 'Dallas–Fort Worth', null, ''], other: true };
const bins: ChannelAxis = { channel: 'x', kind: 'bins', field: 'x', origin: -20, step: 10, count: 8 };
const months: ChannelAxis = { channel: 'x', kind: 'times', field: 't', unit: 'month', from: Date.UTC(2023, 9, 1), count: 8 };
const colours: ChannelAxis = { channel: 'color', kind: 'categories', field: 'c', values: ['red', 'blue'], other: true };
const wave = (count: number) => Float64Array.from({ length: count }, (_, i) => 50 + 40 * Math.sin(i) + i);

const tiles: Record<string, { tile: ChartTile; axes: ChannelAxis[]; values?: Float64Array }> = {
  'bars lying down': { tile: { kind: 'bar', x: { measure: 'n' }, y: { field: 'k' } }, axes: [kinds] },
  histogram: { tile: { kind: 'bar', x: { field: 'x', bin: true }, y: { measure: 'n' } }, axes: [bins] },
  'stacked bars': { tile: { kind: 'bar', x: { field: 't' }, y: { measure: 'n' }, color: { field: 'c' } }, axes: [months, colours] },
  'grouped bars': { tile: { kind: 'bar', x: { field: 't' }, y: { measure: 'n', stack: false }, color: { field: 'c' } }, axes: [months, colours] },
  'normalized bars': { tile: { kind: 'bar', x: { field: 't' }, y: { measure: 'n', stack: 'normalize' }, color: { field: 'c' } }, axes: [months, colours] },
  'negative bars': { tile: { kind: 'bar', x: { field: 'x', bin: true }, y: { measure: 'n' } }, axes: [bins], values: Float64Array.of(5, -3, 0, Number.NaN, -8, 2, 1, 4, 0, 0) },
  line: { tile: { kind: 'line', x: { field: 't' }, y: { measure: 'n' }, color: { field: 'c' } }, axes: [months, colours] },
  'line with gaps': { tile: { kind: 'line', x: { field: 't' }, y: { measure: 'n' } }, axes: [months], values: Float64Array.of(1, Number.NaN, 3, 4, Number.NaN, Number.NaN, 2, Number.NaN, 0, 0) },
  area: { tile: { kind: 'area', x: { field: 't' }, y: { measure: 'n' } }, axes: [months] },
  'stacked area': { tile: { kind: 'area', x: { field: 't' }, y: { measure: 'n' }, color: { field: 'c' } }, axes: [months, colours] },
  heatmap: { tile: { kind: 'heatmap', x: { field: 't' }, y: { field: 'k' }, color: { measure: 'n' } }, axes: [months, kinds] },
  density: { tile: { kind: 'scatter', x: { field: 'x' }, y: { field: 'y' } }, axes: [bins, { ...bins, channel: 'y' }] },
};

const input = ({ tile, axes, values }: (typeof tiles)[string], theme = lightTheme): ChartInput => ({ tile, axes, measures: [{ label: 'Flights', isAdditive: true }], base: values ?? wave(groupsOf(axes)), size: { width: 360, height: 220 }, theme, locale: 'en-US' });
const svg = (one: ChartInput) => {
  const chart = drawChart(one);
  return paintSvg([...chart.guides, ...chart.marks(one.base, {})], one.size, 'picture');
};

describe('pictures', () => {
  test.each(Object.keys(tiles))('%s', async name => {
    await expect(svg(input(tiles[name]!))).toMatchFileSnapshot(`pictures/${name.replaceAll(' ', '-')}.svg`);
  });

  test('in the dark', async () => {
    await expect(svg(input(tiles['heatmap']!, darkTheme))).toMatchFileSnapshot('pictures/heatmap-dark.svg');
  });
});

describe.each(Object.keys(tiles))('%s', name => {
  test('draws no mark outside its frame, and no number that is none', () => {
    for (const [width, height] of [[360, 220], [120, 60], [1200, 90]] as const) {
      const one = { ...input(tiles[name]!), size: { width, height } };
      const chart = drawChart(one);
      for (const mark of [...chart.guides, ...chart.marks(one.base, {}), ...chart.marks(one.base, { isMuted: true }), ...chart.marks(one.base, { isSelected: x => x === 1 })]) {
        if (mark.kind !== 'rects') continue;
        for (let i = 0; i < mark.xywh.length; i += 4) {
          const [x, y, w, h] = mark.xywh.slice(i, i + 4) as [number, number, number, number];
          expect([x, y, w, h].every(Number.isFinite) && w >= 0 && h >= 0 && x >= -1 && y >= -1 && x + w <= width + 1 && y + h <= height + 2, `${name} ${width}×${height}: ${[x, y, w, h].join(' ')}`).toBe(true);
        }
      }
    }
  });

  test('survives having nothing to show', () => {
    const one = input(tiles[name]!);
    const empty = new Float64Array(one.base.length).fill(Number.NaN);
    expect(() => svg({ ...one, base: empty })).not.toThrow();
    expect(summarize({ ...one, base: empty })).toMatch(/nothing to show/);
  });
});

test('a place’s pixels lead back to the place', () => {
  for (const { tile, axes } of Object.values(tiles)) {
    const chart = drawChart(input({ tile, axes }));
    for (const position of [chart.x, chart.y]) for (let place = 0; place < (position?.places ?? 0); place++) expect(position!.placeAt(position!.middle(place))).toBe(place);
  }
});

test('one sentence says what the picture shows', () => {
  expect(summarize(input({ ...tiles['histogram']!, values: Float64Array.of(1, 2, 9, 4, 3, 2, 1, 1, 0, 0) }))).toBe('Flights for 8 ranges. Largest: 0 to 10, 9. Smallest: −20 to −10, 1.');
});

test.each([
  [1_234_567, undefined, 'axis', '1.23M'], [80_000, 'integer', 'axis', '80K'], [1234, 'integer', 'full', '1,234'], [0.7912, 'percent', 'label', '79.1%'], [-5.25, '.1f', 'label', '−5.3'],
  [1e-9, undefined, 'full', '1E-9'], [1e15, undefined, 'full', '1E15'], [Number.NaN, 'integer', 'full', '–'], [1234.5, 'currency:EUR', 'full', '€1,235'], [12.5, 'currency:USD', 'full', '$12.5'], [3_500_000, 'bytes', 'label', '3.5MB'], [0, undefined, 'axis', '0'],
] as const)('%d as %s, %s, is %s', (value, format, shortness, text) => {
  expect(formatNumber(value, format, 'en-US', shortness)).toBe(text);
});

test('null and empty text are two things, and a text “null” a third', () => {
  expect([null, '', 'null'].map(value => formatValue(value, 'en'))).toEqual(['(no value)', '(empty)', 'null']);
});

test.each([['year', '2024'], ['quarter', 'Q1 2024'], ['month', 'Feb 2024'], ['day', 'Thu, Feb 29, 2024']] as const)('the %s of 29 February 2024 reads %s', (unit, text) => {
  expect(formatTime(Date.UTC(2024, 1, 29), unit, 'en-US')).toBe(text);
});
