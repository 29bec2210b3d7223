import { slotsOf } from '@belvedere/query';
import {
  roomOf,
  type Chart,
  type ChartInput,
  type ChartMeasure,
  type IsSelected,
  type PositionRuns,
} from '../chart.ts';
import { axisOptions } from '../guides/axis-options.ts';
import { labelSize, scaleOptions, uprightFrame } from '../guides/frame.ts';
import { scaledExtentOf, type ValueScale } from '../guides/value-axis.ts';
import type { Mark } from '../scene.ts';
import { formatNumber } from '../text/format.ts';
import { textWidth } from '../text/text-width.ts';
import { areaMark, layOutLine, lineMarks } from './line-path.ts';
import { stackLines } from './line-stack.ts';
import { dashedLine, partialPeriods, within } from './partial-periods.ts';
import { seriesOf } from './series.ts';

/**
 * Lines and areas over an x axis, one for each series; areas of amounts are stacked, from zero, to a hundred
 * per cent, or around the middle.
 */
export function drawLines(input: ChartInput): Chart {
  const { tile, axes, theme, locale, hidden } = input;
  if (tile.kind !== 'line' && tile.kind !== 'area') throw new TypeError('not a line chart');
  const axis = axes.find(candidate => candidate.channel === 'x')!;
  const colour = axes.find(candidate => candidate.channel === 'color');
  const perPosition = colour ? slotsOf(colour) : 1;
  const positions = axis.kind === 'categories' ? slotsOf(axis) : axis.count;
  const series = seriesOf(colour, theme, locale);
  const lanes = series.map((_, s) => s).filter(s => !hidden?.has(s));
  const [plain] = input.measures as [ChartMeasure];
  const isArea = tile.kind === 'area';
  const stack = tile.y.stack;
  const isStacked = isArea && perPosition > 1 && plain.isAdditive && stack !== false;
  const isNormalized = isStacked && stack === 'normalize';
  const isCentred = isStacked && stack === 'center';
  const stackOf = (values: Float64Array) =>
    stackLines(values, { positions, perPosition, lanes, isNormalized, isCentred });
  const measure = isNormalized ? { ...plain, format: 'percent' } : plain;
  const shown = (values: Float64Array) =>
    isStacked ? stackOf(values).ends : colour ? shownOnly(values) : values.subarray(0, positions);
  const extent = scaledExtentOf(tile.y.scale?.type, ...roomOf(input).map(shown));
  const [low, high] = isNormalized ? [extent[0] < 0 ? -1 : 0, 1] : extent;
  const zero = tile.y.scale?.zero;
  // A line may leave out zero if it would be flat at the top otherwise. An area never does.
  const floats =
    !isArea &&
    zero !== true &&
    (zero === false || tile.y.scale?.type === 'log' || (low > 0 && low > high * 0.5));
  const { plot, axisScale, scale, guides } = uprightFrame(input, axis, {
    extent: [low, high],
    measure,
    options: { floats, ...scaleOptions(tile.y) },
    axis: axisOptions(tile.y),
  });
  const middles = Float64Array.from({ length: positions }, (_, position) => axisScale!.middle(position));
  const layout = layOutLine(middles);
  const { whole, runs: partialRuns } = partialPeriods(axis, positions, layout);
  return {
    plot,
    guides,
    x: axisScale!,
    series,
    value: { along: 'y', scale },
    markAt,
    marks: (values, { isMuted, isSelected }) => {
      const marks: Mark[] = [];
      const stack = isStacked ? stackOf(values) : undefined;
      for (const s of lanes) {
        const lows = stack ? heightsOf(stack.lows, s, perPosition, scale) : scale.zero;
        const highs = stack
          ? heightsOf(stack.highs, s, perPosition, scale)
          : shownHeightsOf(values.subarray(0, positions * perPosition), s, perPosition, scale);
        const tint = isMuted ? theme.unfiltered : series[s]!.colour;
        const draw = (tops: Float64Array, stroke: string) => {
          const opacity = isStacked ? 0.85 : isMuted ? 0.6 : 0.12;
          const width = isMuted ? 1.5 : 1.75;
          const drawn = partialRuns.length > 0 ? within([whole], tops) : tops;
          if (isArea) marks.push(areaMark(layout, lows, drawn, stroke, opacity));
          if (!isStacked)
            marks.push(...lineMarks(layout, drawn, { stroke, width, dots: positions <= 30 && !isArea }));
          // Periods that the data covers in part: dashed, or it would look as though the numbers crashed.
          for (const run of partialRuns) {
            const ends = within([run], tops);
            if (isArea) marks.push(areaMark(layout, lows, ends, stroke, opacity / 2));
            if (!isStacked) marks.push(dashedLine(middles, ends, { stroke, width }));
          }
        };
        if (!isSelected || isMuted) draw(highs, tint);
        else {
          draw(highs, theme.unfiltered);
          draw(within(selectedRuns(isSelected, positions), highs), tint);
        }
        if (tile.labels && !isMuted && !isStacked) marks.push(...pointLabels(values, s, highs));
      }
      return marks;
    },
  };

  /** A point of a line, the top of a stack; without a series the highest. */
  function markAt(
    values: Float64Array,
    position: number,
    only?: number,
  ): { readonly x: number; readonly y: number } | undefined {
    if (only !== undefined && hidden?.has(only)) return undefined;
    const own = lanes
      .filter(s => only === undefined || s === only)
      .filter(s => scale.shows(values[position * perPosition + s]!));
    if (own.length === 0) return undefined;
    const tops = isStacked ? stackOf(values).highs : values;
    return {
      x: middles[position]!,
      y: scale.toPixel(Math.max(...own.map(s => tops[position * perPosition + s]!))),
    };
  }

  function shownOnly(values: Float64Array): Float64Array {
    const shown = values.slice(0, positions * perPosition);
    if (lanes.length < perPosition)
      for (let i = 0; i < shown.length; i++) if (hidden!.has(i % perPosition)) shown[i] = Number.NaN;
    return shown;
  }

  /** Value labels above points, from the last one back, where they do not overlap others. */
  function pointLabels(values: Float64Array, s: number, ys: Float64Array): Mark[] {
    const labels: Mark[] = [];
    let free = Infinity;
    for (let position = positions - 1; position >= 0; position--) {
      const [x, y] = [middles[position]!, ys[position]!];
      const text = formatNumber(values[position * perPosition + s]!, measure.format, locale, 'label');
      const width = textWidth(text, labelSize);
      if (Number.isNaN(y) || x + width / 2 > Math.min(free, plot.x + plot.width + 4)) continue;
      labels.push({
        kind: 'text',
        x,
        y: Math.max(plot.y + 4, y - 7),
        text,
        fill: theme.text2,
        align: 'center',
        size: labelSize,
      });
      free = x - width / 2 - 4;
    }
    return labels;
  }
}

/** As `heightsOf`, NaN for values that have no place on the scale. */
function shownHeightsOf(values: Float64Array, first: number, step: number, scale: ValueScale): Float64Array {
  const heights = heightsOf(values, first, step, scale);
  if (scale.isLog)
    for (let i = 0; i < heights.length; i++)
      if (!scale.shows(values[first + i * step]!)) heights[i] = Number.NaN;
  return heights;
}

/**
 * The pixels of every `step`th value from `first` on; NaN if missing. A separate function, so that it is
 * compiled early and stays fast.
 */
function heightsOf(values: Float64Array, first: number, step: number, { toPixel }: ValueScale): Float64Array {
  const heights = new Float64Array(values.length / step);
  for (let i = 0, at = first; i < heights.length; i++, at += step) heights[i] = toPixel(values[at]!);
  return heights;
}

function selectedRuns(isSelected: NonNullable<IsSelected>, positions: number): PositionRuns {
  return (
    isSelected.runs ??
    Array.from({ length: positions }, (_, position) => position)
      .filter(position => isSelected(position, -1))
      .map(position => [position, position + 1] as const)
  );
}
