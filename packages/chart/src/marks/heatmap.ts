import { slotsOf } from '@belvedere/query';
import { colourRamp } from '../scales/ramp.ts';
import type { Chart, ChartInput } from '../chart.ts';
import { formatNumber } from '../format.ts';
import { horizontalLabels, placeName } from '../guides/place-axis.ts';
import { extentOf } from '../guides/value-axis.ts';
import { positionOf } from '../scales/position.ts';
import type { Mark } from '../scene.ts';
import { fitText, textWidth } from '../text-width.ts';

const labelSize = 11;
const buckets = 28;

/** Cells coloured by a measure; for a scatter of many points, by how many lie there. */
export function drawHeatmap(input: ChartInput): Chart {
  const { axes, theme, locale, size, tile } = input;
  const xAxis = axes.find(axis => axis.channel === 'x')!;
  const yAxis = axes.find(axis => axis.channel === 'y')!;
  const isDensity = tile.kind === 'scatter';
  const isContinuous = yAxis.kind !== 'categories';
  const names = isContinuous ? [] : Array.from({ length: slotsOf(yAxis) }, (_, place) => placeName(yAxis, place, locale));
  // Below the labels a line for the colours' meaning, where the tile is high enough to spare one.
  const rampHeight = size.height >= 150 ? 16 : 0;
  const provisional = positionOf(yAxis, size.height - 20, 4);
  const yLabels = yAxis.kind === 'categories' ? [] : verticalLabels(provisional, locale);
  const left = Math.min(size.width * 0.34, Math.max(...names.map(name => textWidth(name, labelSize)), ...yLabels.map(label => textWidth(label.label, labelSize)), 12)) + 12;
  const plot = { x: left, y: 4, width: Math.max(10, size.width - left - 4), height: Math.max(10, size.height - 24 - rampHeight) };
  const x = positionOf(xAxis, plot.x, plot.x + plot.width);
  // Categories read from the top, numbers and times upwards.
  const y = isContinuous ? positionOf(yAxis, plot.y + plot.height, plot.y) : positionOf(yAxis, plot.y, plot.y + plot.height);
  const perRow = slotsOf(yAxis);
  // What has no value, or lies outside the axes, is not on the picture and must not stretch its colours.
  const shown = (values: Float64Array) => values.filter((_, group) => Math.floor(group / perRow) < x.places && group % perRow < y.places);
  const [dataLow, high] = extentOf(shown(input.filtered ?? input.base));
  const low = input.measure.isAdditive ? Math.min(0, dataLow) : dataLow;
  const colours = colourRamp(theme.sequential, buckets);
  const bucketOf = (value: number) => {
    const share = high > low ? (value - low) / (high - low) : 1;
    return Math.max(0, Math.min(buckets - 1, Math.floor((isDensity ? Math.sqrt(Math.max(0, share)) : share) * (buckets - 0.001))));
  };
  const gap = isDensity ? 0 : 1;
  const ramp = rampHeight > 0 && high > low ? rampMarks(colours, [low, high].map(value => formatNumber(value, input.measure.format, locale, 'label', input.measure.unit)), plot.x + plot.width, size.height - 3, theme.text3) : [];
  const xs = Array.from({ length: x.places }, (_, place) => x.span(place));
  const ys = Array.from({ length: y.places }, (_, place) => y.span(place));
  const every = Math.max(1, Math.ceil(13 / (plot.height / y.places)));
  const guides: Mark[] = [
    ...ramp,
    ...names.flatMap((name, place): Mark[] => (place % every === 0 ? [{ kind: 'text', x: plot.x - 8, y: y.middle(place) + 4, text: fitText(name, left - 6, labelSize), fill: theme.text2, align: 'right', size: labelSize }] : [])),
    ...(isContinuous ? verticalLabels(y, locale).map((label): Mark => ({ kind: 'text', x: plot.x - 8, y: label.pixel + 4, text: label.label, fill: theme.text3, align: 'right', size: labelSize })) : []),
    ...horizontalLabels(x, locale, labelSize).map((label): Mark => ({ kind: 'text', x: label.pixel, y: size.height - 4 - rampHeight, text: label.label, fill: theme.text3, align: label.align, size: labelSize })),
  ];
  return {
    plot, guides, x, y, series: [],
    marks: (values, { isMuted, isSelected }) => {
      const byColour: number[][] = colours.map(() => []);
      const dim: number[] = [];
      for (let i = 0; i < x.places; i++) {
        for (let j = 0; j < y.places; j++) {
          const value = values[i * perRow + j]!;
          if (Number.isNaN(value) || (isDensity && value === 0)) continue;
          const [x0, x1] = xs[i]!;
          const [y0, y1] = ys[j]!;
          const target = isMuted || (isSelected && !isSelected(i, j)) ? dim : byColour[bucketOf(value)]!;
          const [px, py] = [Math.round(x0), Math.round(y0)];
          target.push(px, py, Math.max(1, Math.round(x1) - px - gap), Math.max(1, Math.round(y1) - py - gap));
        }
      }
      return [{ kind: 'rects', xywh: dim, fill: theme.unfiltered, opacity: isMuted && !isDensity ? 0.55 : 1 }, ...byColour.map((xywh, bucket): Mark => ({ kind: 'rects', xywh, fill: colours[bucket]! }))];
    },
  };
}

const rampStep = 3;

/** What the colours stand for: a strip of them between the smallest and the largest value, ending at `right`. */
function rampMarks(colours: readonly string[], [low, high]: readonly string[], right: number, baseline: number, ink: string): Mark[] {
  const end = right - textWidth(high!, labelSize) - 6;
  const start = end - colours.length * rampStep;
  return [
    { kind: 'text', x: start - 6, y: baseline, text: low!, fill: ink, align: 'right', size: labelSize },
    ...colours.map((fill, i): Mark => ({ kind: 'rects', xywh: [start + i * rampStep, baseline - 8, rampStep, 8], fill })),
    { kind: 'text', x: right, y: baseline, text: high!, fill: ink, align: 'right', size: labelSize },
  ];
}

/** Labels along a numeric or time y axis, as along x, some 40 pixels apart. */
export function verticalLabels(position: ReturnType<typeof positionOf>, locale: string) {
  const { axis } = position;
  if (axis.kind === 'bins') {
    const height = Math.abs(position.toPixel(axis.origin + axis.step * axis.count) - position.toPixel(axis.origin));
    const target = Math.max(2, Math.floor(height / 40));
    const every = [1, 2, 4, 5, 10, 20, 25, 50, 100, 200, 500].find(n => axis.count / n <= target) ?? axis.count;
    const first = ((-Math.round(axis.origin / axis.step) % every) + every) % every;
    return Array.from({ length: Math.floor((axis.count - first) / every) + 1 }, (_, i) => {
      const edge = axis.origin + axis.step * (first + i * every);
      return { pixel: position.toPixel(edge), label: formatNumber(Number(edge.toPrecision(12)), undefined, locale, 'axis') };
    });
  }
  const every = Math.max(1, Math.ceil(position.places / 8));
  return Array.from({ length: Math.ceil(position.places / every) }, (_, i) => ({ pixel: position.middle(i * every), label: placeName(axis, i * every, locale).replace(/^\w{3}, /, '') }));
}
