import { isMeasure } from '@belvedere/document';
import { roomOf, type Chart, type ChartInput, type ChartMeasure } from '../../chart.ts';
import { axisOptions } from '../../guides/axis-options.ts';
import { scaleOptions } from '../../guides/frame.ts';
import { shadingOf } from '../../guides/shading.ts';
import { scaledExtentOf } from '../../guides/value-axis.ts';
import { seriesOf } from '../series.ts';
import type { Bars } from './bar-rectangles.ts';
import { BarStacks, type BarMode } from './bar-stacks.ts';
import { horizontalBars } from './horizontal-bars.ts';
import { verticalBars } from './vertical-bars.ts';

/** Draws bars along x or y: single, stacked, normalized or grouped. @throws TypeError for another kind of tile */
export function drawBars(given: ChartInput): Chart {
  const { tile, axes, theme, locale, hidden, headroom = 0 } = given;
  if (tile.kind !== 'bar') throw new TypeError('not a bar chart');
  const axis = axes.find(candidate => candidate.channel === 'x' || candidate.channel === 'y');
  const colour = axes.find(candidate => candidate.channel === 'color');
  const encoding = [tile.y, tile.x].find(isMeasure);
  const [plain] = given.measures as [ChartMeasure];
  const mode: BarMode = !colour
    ? 'single'
    : encoding?.stack === false
      ? 'grouped'
      : encoding?.stack === 'normalize'
        ? 'normalized'
        : plain.isAdditive
          ? 'stacked'
          : 'grouped';
  const stacks = new BarStacks(mode, axes, axis, colour, hidden);
  const { slots } = stacks;
  const shading = shadingOf(given, slots * stacks.perPosition);
  const input = { ...given, headroom: headroom + (shading?.legendHeight ?? 0) };
  const otherPosition = axis?.kind === 'categories' && axis.other && slots > 2 ? axis.values.length : -1;
  // Other combines all remaining values. On the common scale it would make the other bars too short to
  // compare.
  const scaled = (values: Float64Array) =>
    stacks
      .ends(values)
      .subarray(
        0,
        2 * (otherPosition >= 0 ? otherPosition : axis && axis.kind !== 'categories' ? axis.count : slots),
      );
  const extent = scaledExtentOf(scaleOptions(encoding).type, ...roomOf(input).map(scaled));
  const [low, high] = mode === 'normalized' ? [extent[0] < 0 ? -1 : 0, 1] : extent;
  const bars: Bars = {
    input,
    theme,
    stacks,
    series: seriesOf(colour, theme, locale),
    shading,
    encoding,
    measure: mode === 'normalized' ? { ...plain, format: 'percent' } : plain,
    low,
    high,
    valueAxis: axisOptions(encoding),
    otherPosition,
  };
  const chart = axis?.channel === 'y' ? horizontalBars(bars, axis) : verticalBars(bars, tile.labels === true);
  return shading?.legendHeight
    ? { ...chart, guides: [...chart.guides, ...shading.legend(headroom + 10)] }
    : chart;
}
