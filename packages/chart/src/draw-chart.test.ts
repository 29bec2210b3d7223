import { groupsOf, isOfGroups, shadingMeasures, slotsOf, type CalendarUnit } from '@belvedere/query';
import { describe, expect, test } from 'vitest';
import type { ChannelAxis, ChartInput, ChartTile } from './chart.ts';
import { drawChart } from './draw-chart.ts';
import { annotationsAt } from './guides/annotations.ts';
import { valueScale } from './guides/value-axis.ts';
import { loadMarks } from './lazy-marks.ts';
import { undrawnRows } from './rows/undrawn-rows.ts';
import { seriesOf } from './marks/series.ts';
import { legendEntries, symbolPath } from './marks/symbols.ts';
import { formatNumber, formatTime, formatValue } from './text/format.ts';
import { paintSvg } from './paint/svg.ts';
import { summarize } from './text/summary.ts';
import { flatten, type Mark } from './scene.ts';
import { fitText, textWidth, wrapText } from './text/text-width.ts';
import { darkTheme, inkOn, lightTheme } from './theme/theme.ts';

const kinds: ChannelAxis & { kind: 'categories' } = {
  channel: 'y',
  kind: 'categories',
  field: 'k',
  values: ['Chicago', 'Dallas–Fort Worth', null, ''],
  other: true,
};
const bins: ChannelAxis = { channel: 'x', kind: 'bins', field: 'x', origin: -20, step: 10, count: 8 };
const months: ChannelAxis = {
  channel: 'x',
  kind: 'times',
  field: 't',
  unit: 'month',
  from: Date.UTC(2023, 9, 1),
  count: 8,
};
const colours: ChannelAxis = {
  channel: 'color',
  kind: 'categories',
  field: 'c',
  values: ['red', 'blue'],
  other: true,
};
const days: ChannelAxis = {
  channel: 'x',
  kind: 'times',
  field: 't',
  unit: 'day',
  from: Date.UTC(2023, 10, 20),
  count: 90,
};
const years: ChannelAxis = { ...days, from: Date.UTC(1990, 0, 1), count: 8000 };
const kindsAs = (channel: ChannelAxis['channel']): ChannelAxis => ({ ...kinds, channel });
const n = { measure: 'n' };
const wave = (count: number) => Float64Array.from({ length: count }, (_, i) => 50 + 40 * Math.sin(i) + i);

const tiles: Record<string, { tile: ChartTile; axes: ChannelAxis[]; values?: Float64Array }> = {
  'bars lying down': { tile: { kind: 'bar', x: { measure: 'n' }, y: { field: 'k' } }, axes: [kinds] },
  histogram: { tile: { kind: 'bar', x: { field: 'x', bin: true }, y: { measure: 'n' } }, axes: [bins] },
  'stacked bars': {
    tile: { kind: 'bar', x: { field: 't' }, y: { measure: 'n' }, color: { field: 'c' } },
    axes: [months, colours],
  },
  'grouped bars': {
    tile: { kind: 'bar', x: { field: 't' }, y: { measure: 'n', stack: false }, color: { field: 'c' } },
    axes: [months, colours],
  },
  'normalized bars': {
    tile: { kind: 'bar', x: { field: 't' }, y: { measure: 'n', stack: 'normalize' }, color: { field: 'c' } },
    axes: [months, colours],
  },
  'normalized bars lying down': {
    tile: { kind: 'bar', x: { measure: 'n', stack: 'normalize' }, y: { field: 'k' }, color: { field: 'c' } },
    axes: [kinds, colours],
  },
  'negative bars': {
    tile: { kind: 'bar', x: { field: 'x', bin: true }, y: { measure: 'n' } },
    axes: [bins],
    values: Float64Array.of(5, -3, 0, Number.NaN, -8, 2, 1, 4, 0, 0),
  },
  line: {
    tile: { kind: 'line', x: { field: 't' }, y: { measure: 'n' }, color: { field: 'c' } },
    axes: [months, colours],
  },
  'line with gaps': {
    tile: { kind: 'line', x: { field: 't' }, y: { measure: 'n' } },
    axes: [months],
    values: Float64Array.of(1, Number.NaN, 3, 4, Number.NaN, Number.NaN, 2, Number.NaN, 0, 0),
  },
  area: { tile: { kind: 'area', x: { field: 't' }, y: { measure: 'n' } }, axes: [months] },
  'stacked area': {
    tile: { kind: 'area', x: { field: 't' }, y: { measure: 'n' }, color: { field: 'c' } },
    axes: [months, colours],
  },
  'days of many years': {
    tile: { kind: 'line', x: { field: 't' }, y: n },
    axes: [years],
    values: Float64Array.from({ length: 8002 }, (_, i) =>
      i > 3000 && i < 3400 && i !== 3200
        ? Number.NaN
        : i === 6000
          ? 90
          : 50 + 20 * Math.sin(i / 900) + 6 * Math.sin(i * 2.1),
    ),
  },
  'days of many years in a stack': {
    tile: { kind: 'area', x: { field: 't' }, y: n, color: { field: 'c' } },
    axes: [years, colours],
    values: Float64Array.from(
      { length: 8002 * groupsOf([colours]) },
      (_, i) => 30 + 10 * Math.sin(i / 3000) + 9 * Math.sin(i * 2.1),
    ),
  },
  heatmap: {
    tile: { kind: 'heatmap', x: { field: 't' }, y: { field: 'k' }, color: { measure: 'n' } },
    axes: [months, kinds],
  },
  multiples: {
    tile: { kind: 'line', x: { field: 't' }, y: n, column: { field: 'k' } },
    axes: [kindsAs('column'), months],
  },
  combo: {
    tile: {
      kind: 'combo',
      x: { field: 't' },
      layers: [
        { mark: 'bar', y: n },
        { mark: 'line', y: n, axis: 'right' },
      ],
    },
    axes: [months],
  },
  boxplot: { tile: { kind: 'boxplot', x: { field: 'k' }, y: { field: 'v' } }, axes: [kindsAs('x')] },
  waterfall: { tile: { kind: 'waterfall', x: { field: 'k' }, y: n }, axes: [kindsAs('x')] },
  candlestick: {
    tile: { kind: 'candlestick', x: { field: 't' }, open: n, high: n, low: n, close: n },
    axes: [months],
  },
  calendar: { tile: { kind: 'calendar', x: { field: 't' }, color: n }, axes: [days] },
  donut: { tile: { kind: 'donut', color: { field: 'k' }, theta: n }, axes: [kindsAs('color')] },
  treemap: {
    tile: { kind: 'treemap', levels: [{ field: 'c' }, { field: 'k' }], size: n },
    axes: [colours, kindsAs('detail')],
  },
  'treemap shaded by a measure': {
    tile: { kind: 'treemap', levels: [{ field: 'c' }, { field: 'k' }], size: n, color: n },
    axes: [colours, kindsAs('detail')],
  },
  'bars shaded by a measure': {
    tile: { kind: 'bar', x: n, y: { field: 'k' }, color: n },
    axes: [kinds],
    values: Float64Array.of(90, 70, 50, 30, 20, 4, -10, Number.NaN, 8, 1),
  },
  'columns shaded by a measure': {
    tile: { kind: 'bar', x: { field: 't' }, y: n, color: n },
    axes: [months],
  },
  'points shaded by a measure': {
    tile: { kind: 'scatter', x: n, y: n, size: n, color: n, detail: { field: 'k' } },
    axes: [kindsAs('detail')],
    values: Float64Array.from({ length: 20 }, (_, i) => ((i * 37) % 90) + 5),
  },
  sunburst: {
    tile: { kind: 'sunburst', levels: [{ field: 'c' }, { field: 'k' }], size: n },
    axes: [colours, kindsAs('detail')],
  },
  sankey: {
    tile: { kind: 'sankey', levels: [{ field: 'c' }, { field: 'k' }], size: n },
    axes: [colours, kindsAs('detail')],
  },
  funnel: { tile: { kind: 'funnel', y: { field: 'k' }, x: n }, axes: [kinds] },
  gauge: { tile: { kind: 'gauge', value: n, target: 60 }, axes: [] },
  'a gauge with bands': {
    tile: {
      kind: 'gauge',
      value: n,
      target: 60,
      bands: [{ below: 20, look: 'bad' }, { below: 45, look: 'warn' }, { look: 'good' }],
    },
    axes: [],
    values: Float64Array.of(30),
  },
  radar: {
    tile: { kind: 'radar', x: { field: 'k' }, y: n, color: { field: 'c' } },
    axes: [kindsAs('x'), colours],
  },
  'bars on a logarithmic scale': {
    tile: { kind: 'bar', x: { field: 't' }, y: { measure: 'n', scale: { type: 'log' } } },
    axes: [months],
  },
  'references and a trend': {
    tile: {
      kind: 'line',
      x: { field: 't' },
      y: n,
      references: [
        { y: 60, label: 'Target' },
        { y: 'mean' },
        { y: [20, 40] },
        { x: '2024-01-15', label: 'Now' },
      ],
      trend: 'loess',
    },
    axes: [months],
  },
  'scatter of measures': {
    tile: {
      kind: 'scatter',
      x: n,
      y: n,
      size: n,
      detail: { field: 'k' },
      color: { field: 'c' },
      trend: 'linear',
      references: [{ y: 'mean' }, { x: 60, label: 'Target' }],
    },
    axes: [kindsAs('detail'), colours],
  },
  'a way through points of measures': {
    tile: { kind: 'scatter', x: n, y: n, detail: { field: 'k' }, order: { field: 'k' }, labels: true },
    axes: [{ ...kindsAs('detail'), kind: 'categories', values: [2003, 2001, 2004, 2002], other: false }],
    values: Float64Array.of(3, 1, 4, 2, 30, 10, 20, 40, 0, 0, 0, 0),
  },
  'multiples each on its own scale': {
    tile: { kind: 'line', x: { field: 't' }, y: n, column: { field: 'k' }, scales: 'free' },
    axes: [kindsAs('column'), months],
  },
  'waterfalls side by side': {
    tile: { kind: 'waterfall', x: { field: 'c' }, y: n, column: { field: 'k' } },
    axes: [kindsAs('column'), { ...colours, channel: 'x' }],
  },
  'candlesticks side by side': {
    tile: {
      kind: 'candlestick',
      x: { field: 't' },
      open: n,
      high: n,
      low: n,
      close: n,
      column: { field: 'k' },
    },
    axes: [kindsAs('column'), months],
  },
  'scatters of measures side by side': {
    tile: { kind: 'scatter', x: n, y: n, size: n, detail: { field: 'c' }, column: { field: 'k' } },
    axes: [kindsAs('column'), { ...colours, channel: 'detail' }],
  },
  'annotated line': {
    tile: {
      kind: 'line',
      x: { field: 't' },
      y: n,
      annotations: [
        { x: '2024-02', text: 'A strike' },
        { x: '2024-05', y: 20, text: 'New rules for everybody who leaves early' },
        { x: '2031', text: 'Not there' },
      ],
    },
    axes: [months],
  },
  'annotated bars lying down': {
    tile: {
      kind: 'bar',
      x: n,
      y: { field: 'k' },
      annotations: [{ y: 'Chicago', text: 'The first of them' }],
    },
    axes: [kinds],
  },
  'annotated stack': {
    tile: {
      kind: 'bar',
      x: { field: 't' },
      y: n,
      color: { field: 'c' },
      annotations: [
        { x: '2024-03', text: 'All of it' },
        { x: '2024-05', color: 'blue', text: 'Only this' },
      ],
    },
    axes: [months, colours],
  },
  'annotated points of measures': {
    tile: {
      kind: 'scatter',
      x: n,
      y: n,
      size: n,
      detail: { field: 'k' },
      annotations: [
        { detail: 'Chicago', text: 'Far ahead' },
        { x: 60, y: 60, text: 'Nobody here' },
      ],
    },
    axes: [kindsAs('detail')],
  },
  'annotated heatmap': {
    tile: {
      kind: 'heatmap',
      x: { field: 't' },
      y: { field: 'k' },
      color: n,
      annotations: [{ x: '2024-04', y: 'Chicago', text: 'The best month' }],
    },
    axes: [months, kinds],
  },
  'annotated panels': {
    tile: {
      kind: 'line',
      x: { field: 't' },
      y: n,
      column: { field: 'k' },
      annotations: [{ x: '2024-03', column: 'Chicago', text: 'Here' }],
    },
    axes: [kindsAs('column'), months],
  },
  'axes with titles': {
    tile: {
      kind: 'combo',
      x: { field: 't', axis: { title: 'Month of departure', grid: true } },
      layers: [
        { mark: 'bar', y: { ...n, axis: { title: 'Flights' } } },
        { mark: 'line', y: { ...n, axis: { title: 'Delay, minutes' } }, axis: 'right' },
      ],
    },
    axes: [months],
  },
  density: {
    tile: { kind: 'scatter', x: { field: 'x' }, y: { field: 'y' } },
    axes: [bins, { ...bins, channel: 'y' }],
  },
};

const measureCount = (tile: ChartTile) =>
  shadingMeasures(tile).length +
  (tile.kind === 'boxplot'
    ? 5
    : tile.kind === 'candlestick'
      ? 4
      : tile.kind === 'combo'
        ? 2
        : isOfGroups(tile)
          ? tile.size
            ? 3
            : 2
          : 1);
const input = ({ tile, axes, values }: (typeof tiles)[string], theme = lightTheme): ChartInput => ({
  tile,
  axes,
  measures: Array.from({ length: measureCount(tile) }, () => ({ label: 'Flights', isAdditive: true })),
  base: values ?? wave(groupsOf(axes) * measureCount(tile)),
  size: { width: 360, height: 220 },
  theme,
  locale: 'en-US',
});
const svg = (one: ChartInput) => {
  const chart = drawChart(one);
  return paintSvg([...chart.guides, ...chart.marks(one.base, {})], one.size, 'picture');
};

await Promise.all(Object.values(tiles).map(({ tile }) => loadMarks(tile.kind)));

test('points have shapes as well as colours; dimmed points keep their shapes', () => {
  const shapes: ChannelAxis = {
    channel: 'shape',
    kind: 'categories',
    field: 's',
    values: ['a', 'b', 'c'],
    other: false,
  };
  const points = Array.from({ length: 12 }, (_, index) => ({
    index,
    x: index * 5 - 15,
    y: index * 5 - 15,
    colour: index % 2,
    shape: index % 3,
  }));
  const one: ChartInput = {
    ...input({
      tile: {
        kind: 'scatter',
        x: { field: 'x' },
        y: { field: 'y' },
        color: { field: 'c' },
        shape: { field: 's' },
      },
      axes: [bins, { ...bins, channel: 'y' }],
    }),
    points,
    axes: [bins, { ...bins, channel: 'y' }, colours, shapes],
  };
  const marksOf = (isMuted: boolean) =>
    drawChart(one)
      .marks(one.base, { isMuted, points })
      .map(mark =>
        mark.kind === 'circles'
          ? ['round', mark.fill, mark.xy.length / 2]
          : mark.kind === 'path'
            ? ['shape', mark.fill, mark.d.match(/M/g)!.length]
            : [],
      )
      .filter(([, , count]) => count !== 0);
  const [red, blue] = seriesOf(colours, lightTheme, 'en-US').map(({ colour }) => colour);
  expect(marksOf(false)).toEqual([
    ['round', red, 2],
    ['shape', red, 2],
    ['shape', red, 2],
    ['round', blue, 2],
    ['shape', blue, 2],
    ['shape', blue, 2],
  ]);
  expect(marksOf(true)).toEqual([
    ['round', lightTheme.unfiltered, 4],
    ['shape', lightTheme.unfiltered, 4],
    ['shape', lightTheme.unfiltered, 4],
  ]);
  expect(new Set(Array.from({ length: 6 }, (_, symbol) => symbolPath(symbol, 0, 0, 3))).size).toBe(6);
});

test('a legend combines shapes and colours of one field, else lists the shapes after the colours', () => {
  const shape: ChannelAxis = {
    channel: 'shape',
    kind: 'categories',
    field: 's',
    values: ['a', 'b'],
    other: false,
  };
  const series = [
    { label: 'red', colour: '#f00' },
    { label: 'blue', colour: '#00f' },
  ];
  expect(legendEntries([colours], series, lightTheme, 'en-US')).toEqual(series);
  expect(legendEntries([colours, { ...shape, field: 'c' }], series, lightTheme, 'en-US')).toEqual([
    { ...series[0], symbol: 0 },
    { ...series[1], symbol: 1 },
  ]);
  expect(legendEntries([colours, shape], series, lightTheme, 'en-US')).toEqual([
    ...series,
    { label: 'a', colour: lightTheme.text2, symbol: 0 },
    { label: 'b', colour: lightTheme.text2, symbol: 1 },
  ]);
});

test('small multiples each state where their own scale begins; with a shared scale only the first does', () => {
  const values = Float64Array.from(
    { length: groupsOf([kindsAs('column'), months]) },
    (_, i) => 1000 * (1 + Math.floor(i / 10)) + i,
  );
  const said = (scales: 'shared' | 'free') =>
    svg(
      input({
        tile: { kind: 'line', x: { field: 't' }, y: n, column: { field: 'k' }, scales },
        axes: [kindsAs('column'), months],
        values,
      }),
    ).match(/starts at/g)?.length ?? 0;
  expect(said('free')).toBeGreaterThan(1);
  expect(said('shared')).toBeLessThan(2);
});

test.each<[{ type?: 'log' | 'linear'; domain?: [number, number] }, string | undefined]>([
  [{ type: 'log' }, 'logarithmic scale'],
  [{ domain: [20, 200] }, 'starts at 20, not 0'],
  [{ type: 'linear' }, undefined],
])('horizontal bars on a scale of %j have a note: %s', (scale, said) => {
  const notes = (drawn: string) => drawn.match(/logarithmic scale|starts at [^<]*/g) ?? [];
  const lying = { kind: 'bar', x: { ...n, scale }, y: { field: 'k' } } as const;
  expect(notes(svg(input({ tile: lying, axes: [kinds] })))).toEqual(said ? [said] : []);
  // Of small multiples the first says it, and all leave room for it.
  const values = Float64Array.from({ length: groupsOf([kindsAs('column'), kinds]) }, (_, i) => 30 + i);
  const multiples = input({
    tile: { ...lying, column: { field: 'c' } },
    axes: [kindsAs('column'), kinds],
    values,
  });
  expect(notes(svg(multiples))).toEqual(said ? [said] : []);
  const [first, second] = drawChart(multiples).panels!;
  expect(second!.chart.plot.height).toBe(first!.chart.plot.height);
});

describe('axis options', () => {
  /** Draws the tile of that name in `tiles` with other options. */
  const drawWith = (name: string, options: object) => {
    const one = tiles[name]!;
    const drawn = input({ ...one, tile: { ...one.tile, ...options } as ChartTile });
    const chart = drawChart(drawn);
    const [guides, marks] = [chart.guides, chart.marks(drawn.base, {})].map(part =>
      flatten(part).map(({ mark }) => mark),
    );
    return {
      chart,
      guides: guides!,
      /** What stands for values: bars, lines, cells. */
      marks: marks!,
      texts: guides!.flatMap(mark => (mark.kind === 'text' ? [mark.text] : [])),
      lines: guides!.filter(mark => mark.kind === 'rects' && mark.fill === lightTheme.grid).length,
    };
  };

  test.each([
    'bars lying down',
    'histogram',
    'line',
    'area',
    'combo',
    'heatmap',
    'waterfall',
    'scatter of measures',
    'multiples',
    'density',
  ])('%s: titles stand beside the chart, and nothing of it lies under them', name => {
    const { tile } = tiles[name]!;
    const { x, y } = tile as unknown as Record<string, object>;
    const titled = (encoding: object, title: string) => ({ ...encoding, axis: { title } });
    const { texts, chart } = drawWith(name, {
      x: titled(x!, 'Below'),
      ...(tile.kind === 'combo'
        ? { layers: tile.layers.map((layer, i) => ({ ...layer, y: titled(layer.y, ['Left', 'Right'][i]!) })) }
        : { y: titled(y!, 'Left') }),
    });
    expect(texts).toEqual(
      expect.arrayContaining(['Below', 'Left', ...(tile.kind === 'combo' ? ['Right'] : [])]),
    );
    const plain = drawWith(name, {});
    expect(chart.plot.y).toBe(plain.chart.plot.y + 15);
    expect(chart.plot.y + chart.plot.height).toBe(plain.chart.plot.y + plain.chart.plot.height - 15);
    // Said once, however many charts there are.
    expect(texts.filter(text => text === 'Below' || text === 'Left')).toHaveLength(2);
  });

  test('hide labels, numbers and lines but not the bars’ baseline; set number formats and tick counts', () => {
    const { x, y } = tiles['histogram']!.tile as unknown as Record<string, object>;
    const bare = drawWith('histogram', { x: { ...x, axis: false }, y: { ...y, axis: false } });
    expect([bare.texts, bare.lines]).toEqual([[], 0]);
    expect(bare.guides.some(mark => mark.kind === 'rects' && mark.fill === lightTheme.axis)).toBe(true);
    expect(bare.chart.plot.width).toBeGreaterThan(drawWith('histogram', {}).chart.plot.width);
    expect(
      drawWith('histogram', { y: { ...y, axis: { format: 'percent', tickCount: 2 } } }).texts.filter(text =>
        text.endsWith('%'),
      ),
    ).toEqual(['0%', '5,000%', '10,000%']);
    // What the axis itself is told, to the digit; a measure's own decimals are for its values.
    expect(
      drawWith('histogram', { y: { ...y, axis: { format: '.1f', tickCount: 2 } } }).texts.filter(text =>
        text.endsWith('.0'),
      ),
    ).toEqual(['0.0', '50.0', '100.0']);
    expect(drawWith('histogram', { x: { ...x, axis: { grid: true } } }).lines).toBeGreaterThan(
      drawWith('histogram', {}).lines,
    );
  });

  test('values stand beside horizontal bars unless the tile or their axis says otherwise', () => {
    const { x } = tiles['bars lying down']!.tile as unknown as Record<string, object>;
    const values = (options: object) =>
      drawWith('bars lying down', options).marks.filter(mark => mark.kind === 'text').length;
    expect(values({})).toBeGreaterThan(0);
    expect(values({ labels: false })).toBe(0);
    expect(values({ x: { ...x, axis: false } })).toBe(0);
    expect(values({ x: { ...x, axis: false }, labels: true })).toBe(values({}));
  });

  test.each([
    ['normalized bars lying down', {}, 5],
    // Too narrow for a share.
    ['normalized bars', { labels: true }, 0],
  ])('%s are labelled with the share of each part', (name, options, least) => {
    const texts = drawWith(name, options).marks.flatMap(mark => (mark.kind === 'text' ? [mark.text] : []));
    expect(texts.length).toBeGreaterThanOrEqual(least);
    expect(texts.filter(text => !/^\d+(?:\.\d)?%$/.test(text))).toEqual([]);
    expect(texts).not.toContain('100%');
  });

  test('apply to continuous axes of numbers and times, too', () => {
    const below = (name: string, axis: object) => {
      const { x } = tiles[name]!.tile as unknown as Record<string, object>;
      const { chart } = drawWith(name, { x: { ...x, axis } });
      return flatten(chart.guides).flatMap(({ mark }) =>
        mark.kind === 'text' && mark.align !== 'right' && mark.y > chart.plot.y + chart.plot.height
          ? [mark.text]
          : [],
      );
    };
    expect(below('histogram', { tickCount: 2 }).length).toBeLessThan(below('histogram', {}).length);
    expect(below('histogram', { format: 'percent' })).toEqual(
      below('histogram', {}).map(text =>
        `${(Number(text.replace('−', '-')) * 100).toLocaleString('en-US')}%`.replace('-', '−'),
      ),
    );
    expect(below('line', { tickCount: 2 }).length).toBeLessThan(below('line', {}).length);
    // However many are wanted, they do not run into one another.
    for (const name of ['line', 'histogram']) {
      const { chart } = drawWith(name, {
        x: { ...(tiles[name]!.tile as unknown as { x: object }).x, axis: { tickCount: 40 } },
      });
      const labels = flatten(chart.guides).flatMap(({ mark }) =>
        mark.kind === 'text' && mark.x >= chart.plot.x && mark.y > chart.plot.y + chart.plot.height
          ? [mark]
          : [],
      );
      const spans = labels.map(({ x, text, align }) =>
        align === 'left'
          ? [x, x + textWidth(text, 11)]
          : align === 'right'
            ? [x - textWidth(text, 11), x]
            : [x - textWidth(text, 11) / 2, x + textWidth(text, 11) / 2],
      );
      expect([
        labels.map(({ text }) => text),
        spans.slice(1).filter(([from], i) => from! <= spans[i]![1]!),
      ]).toEqual([expect.anything(), []]);
      expect(labels.length).toBeGreaterThanOrEqual(below(name, {}).length);
    }
    const { y } = tiles['density']!.tile as unknown as Record<string, object>;
    expect(drawWith('density', { y: { ...y, axis: { tickCount: 2 } } }).texts.length).toBeLessThan(
      drawWith('density', {}).texts.length,
    );
  });

  test.each([
    [1, ['0', '1']],
    [2, ['0', '1', '2']],
    [3, ['0', '1', '2', '3']],
    [40, ['0', '10', '20', '30', '40']],
  ])('counts up to %d have whole-number ticks, each once', (most, expected) => {
    const one = tiles['histogram']!;
    const values = new Float64Array(groupsOf(one.axes)).fill(most);
    const { guides, plot } = drawChart({
      ...input({ ...one, values }),
      measures: [{ label: 'Flights', format: 'integer', isAdditive: true }],
    });
    expect(
      flatten(guides)
        .flatMap(({ mark }) =>
          mark.kind === 'text' && mark.align === 'right' && mark.x < plot.x ? [mark.text] : [],
        )
        .toSorted((a, b) => Number(a) - Number(b)),
    ).toEqual(expected);
  });

  test('a bar of Other covers its unfiltered bar', () => {
    const asked = input(tiles['bars lying down']!);
    const covers = drawChart(asked)
      .marks(asked.base, {})
      .flatMap(mark =>
        mark.kind === 'rects' && mark.xywh.length > 0 && (mark.opacity ?? 1) === 1
          ? [mark.xywh.length / 4]
          : [],
      );
    // Other under its pale grey, and the named ones.
    expect(covers).toEqual([1, kinds.values.length]);
  });

  test.each([
    ['bars lying down', { kind: 'bar', x: { measure: 'n' }, y: { field: 'k' } }, 'y'],
    ['upright bars', { kind: 'bar', x: { field: 'k' }, y: { measure: 'n' } }, 'x'],
  ] as const)(
    '%s: Other beyond the scale is broken, has its number and its unfiltered part',
    (_, tile, channel) => {
      const base = Float64Array.of(60, 50, 40, 31, 617);
      const filtered = Float64Array.of(30, 20, 10, 5, 308.5);
      const asked = {
        ...input({ tile, axes: [kindsAs(channel)], values: base }),
        measures: [{ label: 'Flights', format: 'integer', isAdditive: true }],
        filtered,
      };
      const chart = drawChart(asked);
      const breaksIn = (marks: readonly Mark[]) => marks.filter(mark => mark.kind === 'path').length;
      const lengthOf = (list: Float64Array, look: { isMuted?: boolean }) => {
        const boxes = chart
          .marks(list, look)
          .flatMap(mark => (mark.kind === 'rects' && mark.xywh.length > 0 ? [Array.from(mark.xywh)] : []));
        // The unfiltered bars are one list, Other is a list of its own otherwise.
        const box = look.isMuted ? boxes[0]!.slice(-4) : boxes[0]!.slice(0, 4);
        return box[channel === 'y' ? 2 : 3]!;
      };
      const shown = chart.marks(filtered, {});
      expect(breaksIn(shown)).toBe(1);
      expect(breaksIn(chart.marks(base, { isMuted: true }))).toBe(1);
      expect(lengthOf(filtered, {}) / lengthOf(base, { isMuted: true })).toBeCloseTo(0.5, 1);
      expect(shown.flatMap(mark => (mark.kind === 'text' ? [mark.text] : []))).toContain('309');
      // On the scale it is a bar like the others.
      const short = Float64Array.of(60, 50, 40, 31, 55);
      const { filtered: __, ...alone } = asked;
      expect(breaksIn(drawChart({ ...alone, base: short }).marks(short, {}))).toBe(0);
    },
  );

  test('Other of a heatmap is off the scale of additive measures, and on that of others', () => {
    const one = tiles['heatmap']!;
    const perRow = slotsOf(kinds);
    // Ten in every cell, a thousand in those of Other.
    const legend = (isAdditive: boolean, named = 10, other = 1000) =>
      flatten(
        drawChart({
          ...input({
            ...one,
            values: Float64Array.from({ length: groupsOf(one.axes) }, (_, group) =>
              group % perRow === kinds.values.length ? other : named,
            ),
          }),
          measures: [{ label: 'Flights', format: 'integer', isAdditive }],
        }).guides,
      )
        .flatMap(({ mark }) => (mark.kind === 'text' ? [mark.text] : []))
        .slice(0, 2);
    expect([legend(true), legend(false), legend(true, 10, -1000)]).toEqual([
      ['0', '10+'],
      ['10', '1,000'],
      ['< 0', '10'],
    ]);
  });

  test('a heatmap has a colour legend unless it is turned off', () => {
    const { chart, texts } = drawWith('heatmap', { color: { measure: 'n', legend: false } });
    const plain = drawWith('heatmap', {});
    expect([texts.length, chart.plot.height]).toEqual([plain.texts.length - 2, plain.chart.plot.height + 16]);
  });
});

test.each([
  'bars lying down',
  'stacked bars',
  'line',
  'stacked area',
  'combo',
  'heatmap',
  'multiples',
  'waterfall',
  'candlestick',
  'donut',
  'treemap',
  'sankey',
  'funnel',
  'radar',
  'scatter of measures',
])('%s: what is only told of the marks is no part of the picture', name => {
  const plain = input(tiles[name]!);
  const told = input({
    ...tiles[name]!,
    tile: { ...plain.tile, tooltip: [{ measure: 'a' }, { measure: 'b' }] } as ChartTile,
  });
  const groups = groupsOf(plain.axes);
  const more = (values: Float64Array) =>
    Float64Array.of(...values, ...new Float64Array(2 * groups).fill(1e9));
  const measures = [...plain.measures, { label: 'A', isAdditive: false }, { label: 'B', isAdditive: true }];
  expect(svg({ ...told, measures, base: more(plain.base) })).toBe(svg(plain));
  const [one, other] = [drawChart({ ...told, measures, base: more(plain.base) }), drawChart(plain)];
  expect(one.targets?.(more(plain.base)).map(target => [target.name, target.value])).toEqual(
    other.targets?.(plain.base).map(target => [target.name, target.value]),
  );
});

describe('pictures', () => {
  test.each(Object.keys(tiles))('%s', async name => {
    await expect(svg(input(tiles[name]!))).toMatchFileSnapshot(`pictures/${name.replaceAll(' ', '-')}.svg`);
  });

  test('are drawn in a dark theme', async () => {
    await expect(svg(input(tiles['heatmap']!, darkTheme))).toMatchFileSnapshot('pictures/heatmap-dark.svg');
  });
});

describe.each(Object.keys(tiles))('%s', name => {
  test('have no mark outside the frame, and no number that is NaN', () => {
    for (const [width, height] of [
      [360, 220],
      [120, 60],
      [1200, 90],
    ] as const) {
      const one = { ...input(tiles[name]!), size: { width, height } };
      const chart = drawChart(one);
      for (const { mark, x: left, y: top } of flatten([
        ...chart.guides,
        ...chart.marks(one.base, {}),
        ...chart.marks(one.base, { isMuted: true }),
        ...chart.marks(one.base, { isSelected: x => x === 1 }),
      ])) {
        if (mark.kind === 'path') expect(mark.d).not.toMatch(/NaN|Infinity|undefined/);
        if (mark.kind === 'text')
          expect([mark.x, mark.y, mark.size].every(Number.isFinite), `${name}: ${mark.text}`).toBe(true);
        // Small multiples ask for a frame that holds them.
        if (mark.kind !== 'rects' || (('row' in one.tile || 'column' in one.tile) && height < 200)) continue;
        for (let i = 0; i < mark.xywh.length; i += 4) {
          const [ownX, ownY, w, h] = mark.xywh.slice(i, i + 4) as [number, number, number, number];
          const [x, y] = [ownX + left, ownY + top];
          expect(
            [x, y, w, h].every(Number.isFinite) &&
              w >= 0 &&
              h >= 0 &&
              x >= -1 &&
              y >= -1 &&
              x + w <= width + 1 &&
              y + h <= height + 2,
            `${name} ${width}×${height}: ${[x, y, w, h].join(' ')}`,
          ).toBe(true);
        }
      }
    }
  });

  test('can be drawn without data', () => {
    const one = input(tiles[name]!);
    const empty = new Float64Array(one.base.length).fill(Number.NaN);
    expect(() => svg({ ...one, base: empty })).not.toThrow();
    if (one.axes.length > 0) expect(summarize({ ...one, base: empty })).toMatch(/no data/);
  });
});

test.each([
  ['mean', 20],
  ['median', 20],
] as const)('a line at the %s aligns with the marks; a value off the axes has no line', (y, expected) => {
  // Twenty on each of eight months; the slots for no time and for other times hold nothing, or what must not
  // be drawn.
  const values = Float64Array.from({ length: groupsOf([months]) }, (_, slot) =>
    slot < 8 ? 20 : slot === 8 ? 0 : 900,
  );
  expect(
    svg(
      input({
        tile: { kind: 'line', x: { field: 't' }, y: n, references: [{ y }] },
        axes: [months],
        values,
      }),
    ),
  ).toMatch(new RegExp(`(Mean|Median) ${expected}<`));
  const two = Float64Array.from({ length: groupsOf([months, colours]) }, (_, group) =>
    Math.floor(group / 3) < 8 ? 20 : 900,
  );
  expect(
    svg(
      input({
        tile: { kind: 'line', x: { field: 't' }, y: n, color: { field: 'c' }, references: [{ y }] },
        axes: [months, colours],
        values: two,
      }),
    ),
  ).toMatch(new RegExp(`(Mean|Median) ${expected}<`));
});

test.each([
  [
    [700, 3000],
    ['500', '1,000', '2,000', '5,000'],
  ],
  [
    [3, 95_000],
    ['10', '1K', '100K'],
  ],
  [
    [20, 20],
    ['20', '50', '100', '200'],
  ],
] as const)('a line of %j on a logarithmic scale fills its plot', (ends, labels) => {
  const values = Float64Array.from({ length: groupsOf([months]) }, (_, i) => ends[i % 2]!);
  const chart = drawChart(
    input({
      tile: { kind: 'line', x: { field: 't' }, y: { ...n, scale: { type: 'log' } } },
      axes: [months],
      values,
    }),
  );
  expect(chart.value!.scale.ticks.map(tick => tick.label)).toEqual(labels);
});

describe('annotations', () => {
  const noted = (
    tile: Partial<ChartTile>,
    axes: ChannelAxis[],
    values: Float64Array,
    size = { width: 360, height: 220 },
  ) => drawChart({ ...input({ tile: tile as ChartTile, axes, values }), size });
  const rings = (chart: ReturnType<typeof drawChart>, values: Float64Array) =>
    flatten(chart.marks(values, {})).flatMap(({ mark }) =>
      mark.kind === 'circles' && mark.radius === 4 ? [[mark.xy[0]!, mark.xy[1]!]] : [],
    );
  const texts = (chart: ReturnType<typeof drawChart>, values: Float64Array) =>
    flatten(chart.marks(values, {})).flatMap(({ mark }) => (mark.kind === 'text' ? [mark] : []));
  const line: ChartTile & { readonly kind: 'line' } = {
    kind: 'line',
    x: { field: 't' },
    y: n,
    annotations: [{ x: '2024-01', text: 'Here' }],
  };

  test('point at their mark and follow it, while their text keeps its position', () => {
    const [before, after] = [
      Float64Array.of(1, 2, 3, 40, 5, 6, 7, 8, 0, 0),
      Float64Array.of(1, 2, 3, 20, 5, 6, 7, 8, 0, 0),
    ];
    const chart = noted(line, [months], before);
    expect(rings(chart, before)).toEqual([[chart.x!.middle(3), chart.value!.scale.toPixel(40)]]);
    expect(rings(chart, after)).toEqual([[chart.x!.middle(3), chart.value!.scale.toPixel(20)]]);
    expect(texts(chart, after)).toEqual(texts(chart, before));
    expect(texts(chart, before).map(({ text }) => text)).toEqual(['Here']);
  });

  test('are hidden if their mark is missing or filtered out', () => {
    const none = Float64Array.of(1, 2, 3, Number.NaN, 5, 6, 7, 8, 0, 0);
    const chart = noted(line, [months], Float64Array.of(1, 2, 3, 40, 5, 6, 7, 8, 0, 0));
    expect(texts(chart, none)).toEqual([]);
    expect(flatten(chart.marks(none, { isMuted: true })).some(({ mark }) => mark.kind === 'text')).toBe(
      false,
    );
  });

  test('on a chart too small for text show only their markers', () => {
    const values = Float64Array.of(1, 2, 3, 40, 5, 6, 7, 8, 0, 0);
    const chart = noted(line, [months], values, { width: 130, height: 80 });
    expect(rings(chart, values)).toHaveLength(1);
    expect(texts(chart, values)).toEqual([]);
  });

  test('of bars are at their ends: below zero at the lower end, of a series at its own', () => {
    const down = Float64Array.of(5, -3, 0, Number.NaN, -8, 2, 1, 4, 0, 0);
    const bar = noted(
      { kind: 'bar', x: { field: 'x', bin: true }, y: n, annotations: [{ x: 25, text: 'Low' }] },
      [bins],
      down,
    );
    expect(rings(bar, down)[0]![1]).toBeCloseTo(bar.value!.scale.toPixel(-8), 0);
    const stacked = Float64Array.from({ length: groupsOf([months, colours]) }, () => 10);
    const stack = noted(
      {
        kind: 'bar',
        x: { field: 't' },
        y: n,
        color: { field: 'c' },
        annotations: [
          { x: '2024-01', color: 'blue', text: 'Two' },
          { x: '2024-01', text: 'All' },
        ],
      },
      [months, colours],
      stacked,
    );
    expect(rings(stack, stacked).map(([, y]) => Math.round(y!))).toEqual(
      [20, 30].map(value => Math.round(stack.value!.scale.toPixel(value))),
    );
  });

  test('extend the scale to include their number', () => {
    const values = Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8, 0, 0);
    const chart = noted(
      { ...line, annotations: [{ x: '2024-01', y: 90, text: 'Far above' }] },
      [months],
      values,
    );
    expect(rings(chart, values)[0]![1]).toBeGreaterThanOrEqual(chart.plot.y);
  });

  test('are found by their position, and by their panel if they name one', () => {
    const annotations = [
      { x: '2024-01', text: 'One' },
      { x: '2024-01-17', column: 'Chicago', text: 'Two' },
      { x: 7, text: 'Never' },
    ];
    expect(annotationsAt(annotations, [months], { x: 3 })).toEqual(['One', 'Two']);
    expect(annotationsAt(annotations, [kindsAs('column'), months], { x: 3, column: 1 })).toEqual(['One']);
    expect(annotationsAt(annotations, [kindsAs('column'), months], { x: 3, column: 0 })).toEqual([
      'One',
      'Two',
    ]);
    expect(annotationsAt(annotations, [months], { x: 4 })).toEqual([]);
    expect(
      annotationsAt(
        [
          { detail: 'Chicago', text: 'Far ahead' },
          { x: 1, y: 2, text: 'Nobody' },
        ],
        [kindsAs('detail')],
        { detail: 0 },
      ),
    ).toEqual(['Far ahead']);
  });
});

test.each([
  ['A strike of all who clean the cabins', 90, 4, ['A strike of all', 'who clean the', 'cabins']],
  ['一场罢工结束之后', 30, 4, ['一场', '罢工', '结束', '之后']],
  ['one two three four five six', 50, 2, ['one two', 'three f…']],
] as const)('%s, in lines', (text, width, most, lines) => {
  expect(wrapText(text, width, 11, most)).toEqual(lines);
});

describe('time labels', () => {
  const labelsOf = (
    unit: CalendarUnit,
    from: number,
    count: number,
    options: { readonly width?: number; readonly isReversed?: boolean } = {},
  ) => {
    const axis: ChannelAxis = { channel: 'x', kind: 'times', field: 't', unit, from, count };
    const one = {
      ...input({
        tile: { kind: 'bar', x: { field: 't', scale: { reverse: options.isReversed ?? false } }, y: n },
        axes: [axis],
      }),
      size: { width: options.width ?? 480, height: 220 },
    };
    const { guides, x } = drawChart(one);
    const texts = flatten(guides).flatMap(({ mark }) => (mark.kind === 'text' && mark.y > 214 ? [mark] : []));
    return {
      texts: texts.map(({ text }) => text),
      isBelow: texts.every(
        text =>
          text.align === 'center' &&
          Array.from({ length: count }, (_, position) => x!.middle(position)).some(
            middle => Math.abs(middle - text.x) < 0.01,
          ),
      ),
    };
  };

  test.each<[string, Parameters<typeof labelsOf>, string[], boolean]>([
    [
      'of a few years are below their marks',
      ['year', Date.UTC(2021, 0, 1), 3],
      ['2021', '2022', '2023'],
      true,
    ],
    [
      'of fiscal years name the fiscal year',
      ['fiscalYear:april', Date.UTC(2021, 3, 1), 3],
      ['FY 2022', 'FY 2023', 'FY 2024'],
      true,
    ],
    [
      'of fiscal quarters name the year once',
      ['fiscalQuarter:october', Date.UTC(2022, 6, 1), 4],
      ['Q4 FY 2022', 'Q1 FY 2023', 'Q2', 'Q3'],
      true,
    ],
    [
      'of many fiscal years are every fifth',
      ['fiscalYear:july', Date.UTC(1982, 6, 1), 30],
      ['FY 1985', 'FY 1990', 'FY 1995', 'FY 2000', 'FY 2005', 'FY 2010'],
      false,
    ],
    [
      'of weeks from Sunday on are Sundays',
      ['week:sunday', Date.UTC(2024, 0, 7), 4],
      ['Jan 7', 'Jan 14', 'Jan 21', 'Jan 28'],
      true,
    ],
    [
      'of many days are at the beginnings of months',
      ['day', Date.UTC(2023, 10, 20), 120],
      ['Dec 2023', '2024', 'Feb', 'Mar'],
      false,
    ],
    [
      'are present on a reversed axis, too',
      ['month', Date.UTC(2024, 0, 1), 4, { isReversed: true }],
      ['Jan 2024', 'Feb', 'Mar', 'Apr'],
      true,
    ],
  ])('%s', (_, given, texts, isBelow) => expect(labelsOf(...given)).toEqual({ texts, isBelow }));
});

test('a position’s pixels map back to the position', () => {
  for (const { tile, axes } of Object.values(tiles)) {
    const chart = drawChart(input({ tile, axes }));
    for (const axisScale of [chart.x, chart.y])
      for (let position = 0; position < (axisScale?.positions ?? 0); position++)
        expect(axisScale!.positionAt(axisScale!.middle(position))).toBe(position);
  }
});

describe('hit targets', () => {
  const pointed = Object.keys(tiles).filter(
    name => drawChart(input(tiles[name]!)).targets && tiles[name]!.tile.kind !== 'gauge',
  );

  test.each(pointed)('of a %s contain the tooltip’s anchor, and map to a position on its axes', name => {
    const one = input(tiles[name]!);
    const targets = drawChart(one).targets!(one.base);
    expect(targets.length).toBeGreaterThan(2);
    for (const target of targets) {
      // A slice's tooltip, and the best of a spoke, lie in it; a branch is held by the leaf that lies before
      // it.
      expect(
        targets.some(other => other.contains(target.x, target.y)),
        `${name}: ${target.name}`,
      ).toBe(true);
      expect(target.positions.length).toBeLessThanOrEqual(one.axes.length);
      expect(target.name).not.toBe('');
    }
  });
});

test('ink contrasts with any fill', () => {
  const luminance = (colour: string) =>
    [1, 3, 5]
      .map(i => Number.parseInt(colour.slice(i, i + 2), 16) / 255)
      .map(c => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
      .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i]!, 0);
  for (const fill of [
    ...lightTheme.series,
    ...darkTheme.series,
    ...lightTheme.sequential,
    ...darkTheme.diverging,
  ]) {
    const [a, b] = [luminance(fill), luminance(inkOn(fill))].toSorted((x, y) => y - x) as [number, number];
    expect((a + 0.05) / (b + 0.05), fill).toBeGreaterThanOrEqual(4.5);
  }
});

test('a one-sentence summary describes the chart', () => {
  expect(
    summarize(input({ ...tiles['histogram']!, values: Float64Array.of(1, 2, 9, 4, 3, 2, 1, 1, 0, 0) })),
  ).toBe('Flights for 8 ranges. Largest: 0 to 10, 9. Smallest: −20 to −10, 1.');
});

test.each([
  [1_234_567, undefined, 'axis', '1.23M'],
  [80_000, 'integer', 'axis', '80K'],
  [1234, 'integer', 'full', '1,234'],
  [0.7912, 'percent', 'label', '79.1%'],
  [-5.25, '.1f', 'label', '−5.3'],
  [1e-9, undefined, 'full', '1E-9'],
  [1e15, undefined, 'full', '1E15'],
  [Number.NaN, 'integer', 'full', '–'],
  [1234.5, 'currency:EUR', 'full', '€1,234.50'],
  [12.5, 'currency:USD', 'full', '$12.50'],
  [3_500_000, 'bytes', 'label', '3.5 MB'],
  [0, undefined, 'axis', '0'],
] as const)('%d as %s, %s, is %s', (value, format, shortness, text) => {
  expect(formatNumber(value, format, 'en-US', shortness)).toBe(text);
});

test('null, empty text and the text “null” are three values', () => {
  expect([null, '', 'null'].map(value => formatValue(value, 'en'))).toEqual(['(null)', '(empty)', 'null']);
});

test.each([
  ['year', '2024'],
  ['quarter', 'Q1 2024'],
  ['month', 'Feb 2024'],
  ['day', 'Thu, Feb 29, 2024'],
] as const)('the %s of 29 February 2024 reads %s', (unit, text) => {
  expect(formatTime(Date.UTC(2024, 1, 29), unit, 'en-US')).toBe(text);
});

test('a name with exactly enough room is not cut off', () => {
  for (const name of ['Bern', 'Celle', 'Chicago', 'Dallas-Fort Worth'])
    expect(fitText(name, textWidth(name, 12) + 8 - 8, 12)).toBe(name);
  expect(fitText('Celle', textWidth('Celle', 12) - 1, 12)).toBe('Ce…');
});

describe('negative values', () => {
  const groups = groupsOf([months, colours]);
  const random = (seed: number) => () =>
    ((seed = (seed * 1103515245 + 12345) % 2 ** 31) / 2 ** 31) * 200 - 100;
  const stacks: readonly ChartTile[] = [
    ...(['zero', 'normalize', 'center'] as const).map((stack): ChartTile => ({
      kind: 'area',
      x: { field: 't' },
      y: { ...n, stack },
      color: { field: 'c' },
    })),
    ...(['zero', 'normalize'] as const).map((stack): ChartTile => ({
      kind: 'bar',
      x: { field: 't' },
      y: { ...n, stack },
      color: { field: 'c' },
    })),
    ...(['zero', 'normalize'] as const).map((stack): ChartTile => ({
      kind: 'bar',
      y: { field: 't' },
      x: { ...n, stack },
      color: { field: 'c' },
    })),
  ];

  test.each(stacks.map(tile => [`${tile.kind} ${JSON.stringify('y' in tile ? tile.y : '')}`, tile] as const))(
    '%s stays within its plot',
    (_, tile) => {
      for (let seed = 1; seed <= 50; seed++) {
        const next = random(seed);
        const base = Float64Array.from({ length: groups }, () =>
          Math.abs(next()) < 15 ? Number.NaN : next(),
        );
        const along = 'y' in tile && 'field' in (tile.y as object) ? 'y' : 'x';
        const one = input({ tile, axes: [{ ...months, channel: along }, colours], values: base });
        const chart = drawChart(one);
        const { plot } = chart;
        for (const { mark } of flatten(chart.marks(base, {}))) {
          const ys =
            mark.kind === 'area'
              ? mark.xyy.filter((_, i) => i % 3 > 0)
              : mark.kind === 'rects'
                ? Array.from(mark.xywh).flatMap((value, i, all) =>
                    i % 4 === 1 ? [value, value + all[i + 2]!] : [],
                  )
                : [];
          const xs =
            mark.kind === 'area'
              ? mark.xyy.filter((_, i) => i % 3 === 0)
              : mark.kind === 'rects'
                ? Array.from(mark.xywh).flatMap((value, i, all) =>
                    i % 4 === 0 ? [value, value + all[i + 2]!] : [],
                  )
                : [];
          for (const y of ys)
            if (!Number.isNaN(y))
              expect([seed, y >= plot.y - 1, y <= plot.y + plot.height + 1]).toEqual([seed, true, true]);
          for (const x of xs)
            if (!Number.isNaN(x))
              expect([seed, x >= plot.x - 1, x <= plot.x + plot.width + 1]).toEqual([seed, true, true]);
        }
      }
    },
  );

  test('are shares of the absolute sum, from −100 to 100 %', () => {
    const base = new Float64Array(groups).fill(Number.NaN);
    // Red, blue, other of the first month: −50, 150, nothing.
    base.set([-50, 150]);
    const chart = drawChart(
      input({
        tile: { kind: 'bar', x: { field: 't' }, y: { ...n, stack: 'normalize' }, color: { field: 'c' } },
        axes: [months, colours],
        values: base,
      }),
    );
    const ticks = chart.value!.scale.ticks.map(tick => tick.label);
    expect([ticks[0], ticks.at(-1)]).toEqual(['−100%', '100%']);
    const heights = flatten(chart.marks(base, {})).flatMap(({ mark }) =>
      mark.kind === 'rects' && mark.xywh.length === 4 ? [mark.xywh[3]!] : [],
    );
    const whole = chart.value!.scale.toPixel(0) - chart.value!.scale.toPixel(1);
    expect(heights.map(height => height / whole)).toEqual([expect.closeTo(0.25, 6), expect.closeTo(0.75, 6)]);
  });

  test.each([
    ['pie', { kind: 'pie', color: { field: 'k' }, theta: n }, [kindsAs('color')]],
    ['treemap', { kind: 'treemap', levels: [{ field: 'k' }], size: n }, [kindsAs('detail')]],
    ['sunburst', { kind: 'sunburst', levels: [{ field: 'k' }], size: n }, [kindsAs('detail')]],
  ] as const)('of a %s are counted, since it has no part for them', (_, tile, axes) => {
    expect(
      undrawnRows(tile as unknown as ChartTile, axes, Float64Array.of(5, -3, Number.NaN, 0, -8)),
    ).toEqual({
      count: 2,
      why: 'negative',
    });
    expect(
      undrawnRows(tile as unknown as ChartTile, axes, Float64Array.of(5, 3, Number.NaN, 0, 8)),
    ).toBeUndefined();
  });
});

describe('a logarithmic scale', () => {
  const values = Float64Array.of(0, 1, 10, 1000, -5);
  const bars: ChartTile = { kind: 'bar', x: { field: 'k' }, y: { ...n, scale: { type: 'log' } } };
  const axes = [{ ...kindsAs('x'), other: true }] as ChannelAxis[];

  test('leaves out values of zero and below, and counts them', () => {
    const one = input({
      tile: bars,
      axes: [{ ...axes[0]!, other: false, values: ['a', 'b', 'c', 'd', 'e'] } as ChannelAxis],
      values,
    });
    const rects = flatten(drawChart(one).marks(values, {})).flatMap(({ mark }) =>
      mark.kind === 'rects' ? Array.from(mark.xywh) : [],
    );
    const heights = rects.filter((_, i) => i % 4 === 3);
    expect(heights).toHaveLength(3);
    // The least of them has a length too, and ten times as much is one decade more.
    expect(heights[0]!).toBeGreaterThan(10);
    expect(heights[1]! - heights[0]!).toBeCloseTo(heights[0]!, 6);
    expect(undrawnRows(bars, one.axes, values)).toEqual({ count: 2, why: 'not above zero' });
  });

  test('has its note above bars, which would cover it', () => {
    const { plot, guides } = drawChart(input({ tile: bars, axes, values }));
    const note = flatten(guides).find(
      ({ mark }) => mark.kind === 'text' && mark.text === 'logarithmic scale',
    );
    expect((note!.mark as { y: number }).y).toBeLessThan(plot.y);
  });

  test('breaks a line at a value it cannot show', () => {
    const line: ChartTile = { kind: 'line', x: { field: 't' }, y: { ...n, scale: { type: 'log' } } };
    const course = Float64Array.of(1, 10, 0, 10, 100, -1, 5, 5, 0, 0);
    const [drawn] = flatten(
      drawChart(input({ tile: line, axes: [months], values: course })).marks(course, {}),
    ).flatMap(({ mark }) => (mark.kind === 'line' ? [mark] : []));
    expect(drawn!.xy.filter((_, i) => i % 2 === 1).map(Number.isNaN)).toEqual([
      false,
      false,
      true,
      false,
      false,
      true,
      false,
      false,
    ]);
  });

  test('without positive values becomes linear, and shows all values', () => {
    const negative = Float64Array.of(-1, -2, -3, -4, -5);
    expect(undrawnRows(bars, axes, negative)).toBeUndefined();
    expect(drawChart(input({ tile: bars, axes, values: negative })).value!.scale.isLog).toBe(false);
  });
});

test.each([[[-5, 1000]], [[0.1, 1000]], [[-1e6, 1e6]], [[-0.4, 0.3]], [[0, 7]], [[-3, 1e9]]])(
  'labels of a symmetric logarithmic scale over %j do not overlap',
  ([low, high]) => {
    for (const size of [90, 150, 400]) {
      const { ticks } = valueScale(low!, high!, size, 0, {}, 'en', { type: 'symlog' });
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      const pixels = ticks.map(tick => tick.pixel).toSorted((a, b) => a - b);
      for (let i = 1; i < pixels.length; i++) expect(pixels[i]! - pixels[i - 1]!).toBeGreaterThanOrEqual(14);
    }
  },
);

test.each([
  [
    [-5, 1000],
    [-5, 1000],
  ],
  [
    [-30, 700],
    [-50, 1000],
  ],
  [
    [0, 7e6],
    [0, 1e7],
  ],
])('a symmetric logarithmic scale over %j ends at %j, near its values', (values, ends) => {
  const { toPixel } = valueScale(values[0]!, values[1]!, 0, 100, {}, 'en', { type: 'symlog' });
  expect(ends.map(toPixel)).toEqual([expect.closeTo(0, 6), expect.closeTo(100, 6)]);
});

test('names at the top of a pie stay within its tile', () => {
  const tile: ChartTile = { kind: 'donut', color: { field: 'k' }, theta: n };
  const axes = [{ ...kindsAs('color'), other: false, values: ['a', 'b'] } as ChannelAxis];
  const values = Float64Array.of(300, 5);
  for (const { mark, y } of flatten(drawChart(input({ tile, axes, values })).marks(values, {})))
    if (mark.kind === 'text') expect(mark.y + y - (mark.size ?? 0)).toBeGreaterThanOrEqual(0);
});

test('a clipped group paints nothing beyond its size', () => {
  const marks = [
    {
      kind: 'group',
      x: 10,
      y: 20,
      clip: { width: 30, height: 40 },
      marks: [{ kind: 'rects', xywh: [-100, -100, 500, 500], fill: 'red' }],
    },
  ] as const;
  expect(paintSvg(marks, { width: 100, height: 100 }, 'one')).toContain(
    '<svg x="10" y="20" width="30" height="40" overflow="hidden">',
  );
});

describe('a period that the data covers only in part', () => {
  const partial: ChannelAxis = { ...months, partial: { last: true } };
  const draw = (kind: 'line' | 'area' | 'bar', axis: ChannelAxis) =>
    flatten(
      drawChart(input({ tile: { kind, x: { field: 't' }, y: n }, axes: [axis] })).marks(wave(10), {
        isMuted: false,
      }),
    ).map(({ mark }) => mark);

  test.each(['line', 'area'] as const)('ends a %s in a dashed stretch', kind => {
    const dashed = (axis: ChannelAxis) =>
      draw(kind, axis).filter(mark => mark.kind === 'line' && mark.dash !== undefined);
    expect(dashed(months)).toEqual([]);
    const [stretch] = dashed(partial) as { xy: readonly number[] }[];
    expect(stretch!.xy.filter((_, i) => i % 2 === 1 && !Number.isNaN(stretch!.xy[i]!))).toHaveLength(2);
    // The solid line ends where the dashes begin.
    const solid = draw(kind, partial).find(mark => mark.kind === 'line' && mark.dash === undefined);
    expect((solid as { xy: readonly number[] }).xy.at(-1)).toBeNaN();
  });

  test('is a pale bar', () => {
    const pale = (axis: ChannelAxis) =>
      draw('bar', axis).flatMap(mark =>
        mark.kind === 'rects' && mark.opacity === 0.5 ? [mark.xywh.length] : [],
      );
    expect(pale(months)).toEqual([]);
    expect(pale(partial)).toEqual([4]);
  });

  test('is a pale bar and a dashed line of a combo', () => {
    const marked = (axis: ChannelAxis) => {
      const drawn = input({ ...tiles['combo']!, axes: [axis] });
      const marks = flatten(drawChart(drawn).marks(drawn.base, { isMuted: false })).map(({ mark }) => mark);
      return [
        marks.filter(mark => mark.kind === 'rects' && mark.opacity === 0.5).length,
        marks.filter(mark => mark.kind === 'line' && mark.dash !== undefined).length,
      ];
    };
    expect(marked(months)).toEqual([0, 0]);
    expect(marked(partial)).toEqual([1, 1]);
  });
});
