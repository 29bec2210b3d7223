import { groupsOf, slotsOf } from '@belvedere/query';
import type { Chart, ChartInput } from '../chart.ts';
import { formatNumber } from '../format.ts';
import { horizontalLabels, placeName } from '../guides/place-axis.ts';
import { extentOf, valueScale } from '../guides/value-axis.ts';
import { positionOf } from '../scales/position.ts';
import type { Mark } from '../scene.ts';
import { fitText, textWidth } from '../text-width.ts';
import { seriesOf } from './series.ts';

const labelSize = 11;
const barGap = 0.34;
const thickest = 18;

/** Bars along x or y, single, stacked, normalized or side by side. */
export function drawBars(input: ChartInput): Chart {
  const { tile, axes, theme, locale, size } = input;
  if (tile.kind !== 'bar') throw new TypeError('not a bar chart');
  const axis = axes.find(candidate => candidate.channel === 'x' || candidate.channel === 'y');
  const isHorizontal = axis?.channel === 'y';
  const colour = axes.find(candidate => candidate.channel === 'color');
  const series = seriesOf(colour, theme, locale);
  const stack = 'stack' in (isHorizontal ? tile.x : tile.y) ? (isHorizontal ? tile.x : tile.y) : undefined;
  const mode = !colour ? 'single' : stack && 'stack' in stack && stack.stack === false ? 'grouped' : stack && 'stack' in stack && stack.stack === 'normalize' ? 'normalized' : input.measure.isAdditive ? 'stacked' : 'grouped';
  const slots = axis ? slotsOf(axis) : 1;
  const perPlace = colour ? slotsOf(colour) : 1;
  if (groupsOf(axes) !== slots * perPlace) throw new RangeError('a bar chart has one axis and at most one colour');
  const sums = (values: Float64Array | undefined) => values && Float64Array.from({ length: slots }, (_, i) => total(values, i, perPlace, mode));
  const otherPlace = axis?.kind === 'categories' && axis.other && slots > 2 ? axis.values.length : -1;
  // Other is everything else together: were it on the scale, the bars one came for would be stubs beside it.
  const scaled = (values: Float64Array | undefined) => sums(values)?.subarray(0, otherPlace >= 0 ? otherPlace : axis && axis.kind !== 'categories' ? axis.count : slots);
  const [low, high] = mode === 'normalized' ? [0, 1] : extentOf(scaled(input.base), scaled(input.filtered));
  const measure = mode === 'normalized' ? { ...input.measure, format: 'percent' } : input.measure;

  if (isHorizontal && axis) {
    const names = Array.from({ length: slots }, (_, place) => placeName(axis, place, locale));
    const labelWidth = Math.min(size.width * 0.38, Math.max(...names.map(name => textWidth(name, 12))) + 8);
    const values = names.map((_, place) => formatNumber(sums(input.filtered ?? input.base)![place]!, measure.format, locale, 'label'));
    const valueWidth = Math.max(...values.map(value => textWidth(value, labelSize)), 28) + 8;
    const plot = { x: labelWidth, y: 0, width: Math.max(10, size.width - labelWidth - valueWidth), height: size.height - 2 };
    const position = positionOf(axis, plot.y, plot.y + plot.height);
    const scale = valueScale(Math.min(0, low), high, plot.x, plot.x + plot.width, { measure, locale });
    const [top, bottom] = position.span(0);
    const rowHeight = bottom - top;
    const every = Math.max(1, Math.ceil(13 / rowHeight));
    const guides: Mark[] = names.flatMap((name, place): Mark[] =>
      place % every === 0 ? [{ kind: 'text', x: plot.x - 8, y: position.middle(place) + 4, text: fitText(name, labelWidth - 8, 12), fill: place >= (axis.kind === 'categories' ? axis.values.length : Infinity) ? theme.text3 : theme.text, align: 'right', size: 12 }] : [],
    );
    return {
      plot, guides, y: position, series,
      marks: (list, look) => {
        const thickness = Math.max(1, Math.min(thickest, rowHeight * (1 - barGap)));
        const bars = barMarks(list, look.isSelected && (place => look.isSelected!(-1, place)), (place, from, to, index, count) => {
          const lane = mode === 'grouped' ? thickness / count : thickness;
          const y = position.middle(place) - thickness / 2 + (mode === 'grouped' ? index * lane : 0);
          const end = Math.min(scale.toPixel(to), plot.x + plot.width);
          return [scale.toPixel(from), Math.round(y), end - scale.toPixel(from), Math.max(1, lane - (mode === 'grouped' ? 1 : 0))];
        }, look.isMuted);
        if (look.isMuted) return bars;
        const sum = sums(list)!;
        const labels = names.flatMap((_, place): Mark[] => (place % every === 0 && !Number.isNaN(sum[place]!) ? [{ kind: 'text', x: Math.min(Math.max(scale.toPixel(sum[place]!), scale.zero), plot.x + plot.width) + 6, y: position.middle(place) + 4, text: formatNumber(sum[place]!, measure.format, locale, 'label'), fill: theme.text3, align: 'left', size: labelSize }] : []));
        return [...bars, ...labels];
      },
    };
  }

  const ticksWidth = Math.max(...valueScale(low, high, size.height - 20, 8, { measure, locale }).ticks.map(tick => textWidth(tick.label, labelSize)), 12) + 8;
  const plot = { x: ticksWidth, y: 8, width: Math.max(10, size.width - ticksWidth - 4), height: Math.max(10, size.height - 28) };
  const scale = valueScale(low, high, plot.y + plot.height, plot.y, { measure, locale });
  const position = axis && positionOf(axis, plot.x, plot.x + plot.width);
  // Bins touch, since their values do; times stand apart like categories while there is room.
  const isHistogram = axis?.kind === 'bins' || (axis?.kind === 'times' && plot.width / axis.count < 14);
  const guides: Mark[] = [
    ...scale.ticks.flatMap((tick): Mark[] => [
      { kind: 'rects', xywh: [plot.x, Math.round(tick.pixel), plot.width, 1], fill: tick.value === 0 ? theme.axis : theme.grid },
      { kind: 'text', x: plot.x - 8, y: tick.pixel + 4, text: tick.label, fill: theme.text3, align: 'right', size: labelSize },
    ]),
    ...(position ? horizontalLabels(position, locale, labelSize).map((label): Mark => ({ kind: 'text', x: label.pixel, y: size.height - 4, text: label.label, fill: theme.text3, align: label.align, size: labelSize })) : []),
  ];
  return {
    plot, guides, ...(position && { x: position }), series,
    marks: (list, look) =>
      barMarks(list, look.isSelected && (place => look.isSelected!(place, -1)), (place, from, to, index, count) => {
        const [left, right] = position ? position.span(place) : [plot.x, plot.x + plot.width];
        const inset = isHistogram ? (right - left > 3 ? 0.5 : 0) : Math.max(((right - left) * barGap) / 2, (right - left - 64) / 2);
        const width = right - left - 2 * inset;
        const lane = mode === 'grouped' ? width / count : width;
        const x = left + inset + (mode === 'grouped' ? index * lane : 0);
        const [a, b] = [scale.toPixel(from), Math.max(plot.y, scale.toPixel(to))];
        return [isHistogram ? Math.round(x) : x, Math.min(a, b), isHistogram ? Math.max(1, Math.round(x + lane) - Math.round(x) - (right - left > 4 ? 1 : 0)) : Math.max(1, lane - (mode === 'grouped' ? 1 : 0)), Math.abs(b - a)];
      }, look.isMuted),
  };

  /** Rectangles by colour; those not selected in the colour of the unfiltered. */
  function barMarks(values: Float64Array, isSelected: ((place: number) => boolean) | undefined, place: (place: number, from: number, to: number, index: number, count: number) => readonly [number, number, number, number], isMuted = false): Mark[] {
    const places = position0();
    const bright: number[][] = series.map(() => []);
    const dim: number[] = [];
    const others: number[] = [];
    for (let i = 0; i < places; i++) {
      const whole = mode === 'normalized' ? stackSum(values, i, perPlace) : 1;
      let sofar = 0;
      for (let s = 0; s < perPlace; s++) {
        const raw = values[i * perPlace + s]!;
        if (Number.isNaN(raw) || raw === 0) continue;
        const value = mode === 'normalized' ? raw / (whole || 1) : raw;
        const from = mode === 'stacked' || mode === 'normalized' ? sofar : 0;
        sofar = from + value;
        const target = isMuted || (isSelected && !isSelected(i)) ? dim : i === otherPlace && perPlace === 1 ? others : bright[s]!;
        target.push(...normal(place(i, from, sofar, s, perPlace)));
      }
    }
    return [{ kind: 'rects', xywh: dim, fill: theme.unfiltered }, { kind: 'rects', xywh: others, fill: theme.other, opacity: 0.55 }, ...bright.map((xywh, s): Mark => ({ kind: 'rects', xywh, fill: series[s]!.colour }))];
  }

  function position0(): number {
    return axis ? (axis.kind === 'categories' ? slots : axis.count) : 1;
  }
}

/** Bars to the left of zero or above it have their corner where the others do. */
function normal([x, y, width, height]: readonly [number, number, number, number]): number[] {
  return [width < 0 ? x + width : x, height < 0 ? y + height : y, Math.abs(width), Math.abs(height)];
}

function total(values: Float64Array, place: number, perPlace: number, mode: string): number {
  return mode === 'grouped' ? extentOf(values.subarray(place * perPlace, (place + 1) * perPlace))[1] : perPlace === 1 ? values[place]! : stackSum(values, place, perPlace);
}

function stackSum(values: Float64Array, place: number, perPlace: number): number {
  let sum = 0;
  for (let s = 0; s < perPlace; s++) sum += values[place * perPlace + s]! || 0;
  return sum;
}

