import { isMeasure, type MeasureEncoding } from '@belvedere/document';
import { groupsOf, positionsOf, slotsOf } from '@belvedere/query';
import { roomOf, type Chart, type ChannelAxis, type ChartInput, type ChartMeasure } from '../../chart.ts';
import { axisOptions, type AxisOptions } from '../../guides/axis-options.ts';
import { labelSize, scaleOptions } from '../../guides/frame.ts';
import { shadingOf, type Shading } from '../../guides/shading.ts';
import { positionName } from '../../guides/place-axis.ts';
import { extentOf, valueScale, type ValueScale } from '../../guides/value-axis.ts';
import type { Rectangle } from '../../scene.ts';
import { textWidth } from '../../text/text-width.ts';
import { seriesOf } from '../series.ts';

export interface Bubble {
  readonly group: number;
  /** Its positions on the axes of the detail and of the colour; the latter is -1 without colours. */
  readonly detail: number;
  readonly colour: number;
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** Whether it combines all values without a bubble of their own. */
  readonly isOther: boolean;
}

/** Where bubbles are drawn: the plot, the scales of both measures, and a function that places bubbles. */
export interface BubbleLayout {
  readonly size: ChartInput['size'];
  readonly theme: ChartInput['theme'];
  readonly groups: number;
  readonly detailAxis: ChannelAxis;
  readonly series: Chart['series'];
  readonly xMeasure: ChartMeasure;
  readonly yMeasure: ChartMeasure;
  readonly sizeMeasure: ChartMeasure | undefined;
  readonly xOptions: AxisOptions;
  readonly yOptions: AxisOptions;
  readonly plot: Rectangle;
  readonly xScale: ValueScale;
  readonly yScale: ValueScale;
  readonly bubblesOf: (values: Float64Array) => readonly Bubble[];
  readonly shading: Shading | undefined;
  readonly colourOf: (bubble: Bubble, values: Float64Array) => string;
}

const plainRadius = 5;

/** @throws TypeError for another kind of tile */
export function bubbleLayout(input: ChartInput): BubbleLayout {
  const { tile, axes, theme, locale, size, hidden } = input;
  if (tile.kind !== 'scatter' || !isMeasure(tile.x) || !isMeasure(tile.y))
    throw new TypeError('not a scatter of measures');
  const [xMeasure, yMeasure] = input.measures as [ChartMeasure, ChartMeasure];
  const sizeMeasure = tile.size && input.measures[2];
  const detailAxis = axes.find(axis => axis.channel === 'detail')!;
  const colourAxis = axes.find(axis => axis.channel === 'color');
  const groups = groupsOf(axes);
  const colours = colourAxis ? slotsOf(colourAxis) : 1;
  const shading = shadingOf(input, groups);
  const series = seriesOf(colourAxis, theme, locale);
  const names = Array.from({ length: positionsOf(detailAxis) }, (_, position) =>
    positionName(detailAxis, position, locale),
  );
  const valuesOf = (values: Float64Array, measure: number) =>
    values.subarray(measure * groups, (measure + 1) * groups);
  const room = roomOf(input);
  const measured = (measure: number) => room.map(values => valuesOf(values, measure));
  const largest = sizeMeasure ? Math.max(...extentOf(...measured(2)).map(Math.abs)) : 0;
  const maxRadius = Math.max(7, Math.min(26, Math.min(size.width, size.height) / 11));
  const radiusOf = (values: Float64Array, group: number) =>
    sizeMeasure
      ? Math.max(2, maxRadius * Math.sqrt(Math.abs(values[2 * groups + group]! || 0) / (largest || 1)))
      : plainRadius;

  const [xOptions, yOptions] = [axisOptions(tile.x), axisOptions(tile.y)];
  const [top, bottom] = [
    18 + (input.headroom ?? 0) + (shading?.legendHeight ?? 0),
    size.height - (xOptions.labels ? 20 : 6),
  ];
  const padding = sizeMeasure ? maxRadius : plainRadius;
  const yScale = scaleOf(
    'y',
    { tile, measure: yMeasure, encoding: tile.y, locale },
    measured(1),
    [bottom, top],
    padding,
  );
  const left = yOptions.labels
    ? Math.max(...yScale.ticks.map(tick => textWidth(tick.label, labelSize)), 12) + 8
    : 2;
  const plot: Rectangle = {
    x: left,
    y: top,
    width: Math.max(10, size.width - left - 6),
    height: Math.max(10, bottom - top),
  };
  const xScale = scaleOf(
    'x',
    { tile, measure: xMeasure, encoding: tile.x, locale },
    measured(0),
    [plot.x, plot.x + plot.width],
    padding,
  );
  return {
    size,
    theme,
    groups,
    detailAxis,
    series,
    xMeasure,
    yMeasure,
    sizeMeasure,
    xOptions,
    yOptions,
    plot,
    xScale,
    yScale,
    bubblesOf,
    shading,
    colourOf,
  };

  /** The bubbles of a set of values: the largest first, so that none hides another. */
  function bubblesOf(values: Float64Array): readonly Bubble[] {
    const found: Bubble[] = [];
    for (let group = 0; group < groups; group++) {
      const [x, y] = [values[group]!, values[groups + group]!];
      const colour = colourAxis ? group % colours : -1;
      const detail = Math.floor(group / colours);
      if (
        detail >= names.length ||
        (colour >= 0 && hidden?.has(colour)) ||
        !xScale.shows(x) ||
        !yScale.shows(y)
      )
        continue;
      found.push({
        group,
        detail,
        colour,
        name: names[detail]!,
        x: xScale.toPixel(x),
        y: yScale.toPixel(y),
        radius: radiusOf(values, group),
        isOther: detailAxis.kind === 'categories' && detail >= detailAxis.values.length,
      });
    }
    return found.sort((a, b) => b.radius - a.radius || a.group - b.group);
  }

  function colourOf({ colour, group, isOther }: Bubble, values: Float64Array): string {
    if (isOther) return theme.text3;
    return shading ? shading.colours[shading.shadeOf(values, group)]! : series[Math.max(0, colour)]!.colour;
  }
}

/** One of the two axes of bubbles. */
interface BubbleAxis {
  readonly tile: ChartInput['tile'] & { readonly kind: 'scatter' };
  readonly measure: ChartMeasure;
  readonly encoding: MeasureEncoding;
  readonly locale: string;
}

/** A scale on which the outermost bubbles have room, unless the tile says where it ends. */
function scaleOf(
  channel: 'x' | 'y',
  { tile, measure, encoding, locale }: BubbleAxis,
  values: readonly Float64Array[],
  [from, to]: readonly [number, number],
  padding: number,
): ValueScale {
  const references = (tile.references ?? [])
    .flatMap(reference => reference[channel] ?? [])
    .filter(value => typeof value === 'number');
  const [low, high] = extentOf(...values, references);
  const beyond = ((high - low) * padding) / Math.max(1, Math.abs(to - from) - 2 * padding);
  const options = scaleOptions(encoding);
  const { tickCount, format } = axisOptions(encoding);
  const isPlain = options.type === undefined || options.type === 'linear';
  // Powers of ten lie far apart: a scale to the next of them would be half empty.
  const minPositive = Math.min(...values.flatMap(one => [...one].filter(value => value > 0)));
  const domain: [number, number] | undefined =
    options.type === 'log' && high > 0 ? [minPositive / 1.25, high * 1.25] : undefined;
  const bottom = !isPlain || low === 0 ? low : low > 0 ? Math.max(0, low - beyond) : low - beyond;
  return valueScale(bottom, isPlain ? high + beyond : high, from, to, measure, locale, {
    ...(format && { format }),
    floats: encoding.scale?.zero !== true,
    ...(domain && { domain }),
    ...options,
    ...(channel === 'x' && { ticks: Math.max(2, Math.min(8, Math.round(Math.abs(to - from) / 80))) }),
    ...(tickCount && { ticks: tickCount }),
  });
}
