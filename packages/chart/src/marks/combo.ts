import { slotsOf, wholePositions } from '@belvedere/query';
import {
  roomOf,
  type ChannelAxis,
  type Chart,
  type ChartInput,
  type ChartMeasure,
  type Look,
} from '../chart.ts';
import { axisOptions } from '../guides/axis-options.ts';
import { scaleOptions, uprightFrame } from '../guides/frame.ts';
import { scaledExtentOf, type ValueScale } from '../guides/value-axis.ts';
import type { PositionScale } from '../scales/position.ts';
import type { Mark } from '../scene.ts';
import { barGap } from './bar/bar-rectangles.ts';
import { areaMark, lineMarks, layOutLine } from './line-path.ts';
import { dashedLine, partialPeriods, within } from './partial-periods.ts';

/**
 * Draws several measures over one x axis, each as bars, a line or an area. A second scale at the right is
 * for other magnitudes.
 */
export function drawCombo(input: ChartInput): Chart {
  const { tile, axes, theme, measures, hidden } = input;
  if (tile.kind !== 'combo') throw new TypeError('not a combo chart');
  const axis = axes.find(candidate => candidate.channel === 'x')!;
  const slots = slotsOf(axis);
  const positions = axis.kind === 'categories' ? slots : axis.count;
  const layers = tile.layers.map((layer, i) => ({
    ...layer,
    measure: measures[i]!,
    colour: theme.series[i]!,
    index: i,
  }));
  const valuesOf = (values: Float64Array, index: number) =>
    values.subarray(index * slots, index * slots + positions);
  const side = (which: 'left' | 'right') => {
    const own = layers.filter(layer => (layer.axis ?? 'left') === which);
    if (own.length === 0) return undefined;
    const shown = own.filter(layer => !hidden?.has(layer.index));
    const [low, high] = scaledExtentOf(
      own[0]!.y.scale?.type,
      ...(shown.length > 0 ? shown : own).flatMap(layer =>
        roomOf(input).map(values => valuesOf(values, layer.index)),
      ),
    );
    const floats =
      own.every(layer => layer.mark === 'line' && layer.y.scale?.zero !== true) &&
      low > 0 &&
      (own[0]!.y.scale?.type === 'log' || low > high * 0.5);
    return {
      extent: [low, high] as const,
      measure: own[0]!.measure as ChartMeasure,
      options: { floats, ...scaleOptions(own[0]!.y) },
      axis: axisOptions(own[0]!.y),
    };
  };
  const [left, right] = [side('left'), side('right')];
  const {
    plot,
    axisScale,
    scale,
    right: other,
    guides,
  } = uprightFrame(input, axis, left ?? right!, left && right);
  const middles = Float64Array.from({ length: positions }, (_, position) => axisScale!.middle(position));
  const layout = layOutLine(middles);
  const partial = partialPeriods(axis, positions, layout);
  const barLayers = layers.filter(layer => layer.mark === 'bar' && !hidden?.has(layer.index));
  const isHistogram = axis.kind === 'bins' || (axis.kind === 'times' && plot.width / axis.count < 14);
  const scaleOf = (layer: (typeof layers)[number]) => (layer.axis === 'right' && other) || scale;
  const series = layers.map(({ measure, colour }) => ({ label: measure.label, colour }));
  return {
    plot,
    guides,
    x: axisScale!,
    series,
    value: { along: 'y', scale },
    // The first layer with a mark there.
    markAt: (values, position) =>
      layers
        .filter(layer => !hidden?.has(layer.index))
        .map(layer => ({
          x: axisScale!.middle(position),
          y: pixelOf(scaleOf(layer), valuesOf(values, layer.index)[position]!),
        }))
        .find(({ y }) => !Number.isNaN(y)),
    marks: (values, { isMuted, isSelected }) => {
      const marks: Mark[] = [];
      for (const layer of [...layers].sort((a, b) => order[a.mark] - order[b.mark])) {
        if (hidden?.has(layer.index)) continue;
        const own = scaleOf(layer);
        const numbers = valuesOf(values, layer.index);
        const tint = isMuted ? theme.unfiltered : layer.colour;
        if (layer.mark === 'bar') {
          const bars = { scale: own, lane: barLayers.indexOf(layer), lanes: barLayers.length, isHistogram };
          marks.push(
            ...comboBars(numbers, { axis, axisScale: axisScale!, theme }, bars, tint, {
              isMuted,
              isSelected,
            }),
          );
          continue;
        }
        const ys = numbers.map(value => pixelOf(own, value));
        const drawn = partial.runs.length > 0 ? within([partial.whole], ys) : ys;
        const width = isMuted ? 1.5 : 1.75;
        if (layer.mark === 'area') marks.push(areaMark(layout, own.zero, drawn, tint, 0.12));
        marks.push(
          ...lineMarks(layout, drawn, {
            stroke: tint,
            width,
            dots: positions <= 30 && layer.mark === 'line',
          }),
        );
        for (const run of partial.runs) {
          const ends = within([run], ys);
          if (layer.mark === 'area') marks.push(areaMark(layout, own.zero, ends, tint, 0.06));
          marks.push(dashedLine(middles, ends, { stroke: tint, width }));
        }
      }
      return marks;
    },
  };
}

/** The bars of one layer, beside those of the others; of partial periods, they are pale. */
function comboBars(
  numbers: Float64Array,
  {
    axis,
    axisScale,
    theme,
  }: { readonly axis: ChannelAxis; readonly axisScale: PositionScale; readonly theme: ChartInput['theme'] },
  { scale, lane, lanes, isHistogram }: ComboLane,
  tint: string,
  { isMuted, isSelected }: Pick<Look, 'isMuted' | 'isSelected'>,
): Mark[] {
  const [bright, dim, pale]: [number[], number[], number[]] = [[], [], []];
  const [firstWhole, belowWhole] = wholePositions(axis, numbers.length);
  numbers.forEach((value, position) => {
    if (value === 0 || !scale.shows(value)) return;
    const [x0, x1] = axisScale.span(position);
    const inset = isHistogram
      ? x1 - x0 > 3
        ? 0.5
        : 0
      : Math.max(((x1 - x0) * barGap) / 2, (x1 - x0 - 64) / 2);
    const width = (x1 - x0 - 2 * inset) / lanes;
    const [a, b] = [scale.zero, scale.toPixel(value)];
    const isPartial = position < firstWhole || position >= belowWhole;
    const isDim = isMuted || (isSelected && !isSelected(position));
    (isDim ? dim : isPartial ? pale : bright).push(
      x0 + inset + lane * width,
      Math.min(a, b),
      Math.max(1, width - (lanes > 1 ? 1 : 0)),
      Math.abs(b - a),
    );
  });
  return [
    { kind: 'rects', xywh: dim, fill: theme.unfiltered },
    { kind: 'rects', xywh: bright, fill: tint },
    ...(pale.length > 0 ? [{ kind: 'rects', xywh: pale, fill: tint, opacity: 0.5 } as const] : []),
  ];
}

/** Where the bars of a layer are: their scale, and their place among the layers of bars. */
interface ComboLane {
  readonly scale: ValueScale;
  readonly lane: number;
  readonly lanes: number;
  readonly isHistogram: boolean;
}

/** Returns NaN for a value that the scale cannot show. */
function pixelOf(scale: ValueScale, value: number): number {
  return scale.shows(value) ? scale.toPixel(value) : Number.NaN;
}

const order = { area: 0, bar: 1, line: 2 } as const;
