import { slotsOf } from '@belvedere/query';
import type { Chart, ChartInput } from '../chart.ts';
import { horizontalLabels } from '../guides/place-axis.ts';
import { extentOf, valueScale } from '../guides/value-axis.ts';
import { positionOf } from '../scales/position.ts';
import type { Mark } from '../scene.ts';
import { textWidth } from '../text-width.ts';
import { seriesOf } from './series.ts';

const labelSize = 11;

/** Lines and areas over an x axis, one for each series; areas of amounts are stacked. */
export function drawLines(input: ChartInput): Chart {
  const { tile, axes, theme, locale, size } = input;
  if (tile.kind !== 'line' && tile.kind !== 'area') throw new TypeError('not a line chart');
  const axis = axes.find(candidate => candidate.channel === 'x')!;
  const colour = axes.find(candidate => candidate.channel === 'color');
  const perPlace = colour ? slotsOf(colour) : 1;
  const places = axis.kind === 'categories' ? slotsOf(axis) : axis.count;
  const series = seriesOf(colour, theme, locale);
  const isArea = tile.kind === 'area';
  const isStacked = isArea && perPlace > 1 && input.measure.isAdditive;
  const inPlace = (values: Float64Array | undefined) => values && (isStacked ? stackTops(values, places, perPlace) : values.subarray(0, places * perPlace));
  const [low, high] = extentOf(inPlace(input.base), inPlace(input.filtered));
  const zero = tile.y.scale?.zero;
  // A line may leave zero out where it would lie flat at the top otherwise; an area never does.
  const floats = !isArea && zero !== true && (zero === false || (low > 0 && low > high * 0.5));
  const ticksWidth = Math.max(...valueScale(low, high, size.height - 20, 8, input, { floats }).ticks.map(tick => textWidth(tick.label, labelSize)), 12) + 8;
  const plot = { x: ticksWidth, y: 8, width: Math.max(10, size.width - ticksWidth - 6), height: Math.max(10, size.height - 28) };
  const scale = valueScale(low, high, plot.y + plot.height, plot.y, input, { floats });
  const position = positionOf(axis, plot.x, plot.x + plot.width);
  const guides: Mark[] = [
    ...scale.ticks.flatMap((tick): Mark[] => [
      { kind: 'rects', xywh: [plot.x, Math.round(tick.pixel), plot.width, 1], fill: tick.value === 0 ? theme.axis : theme.grid },
      { kind: 'text', x: plot.x - 8, y: tick.pixel + 4, text: tick.label, fill: theme.text3, align: 'right', size: labelSize },
    ]),
    ...(scale.startsAt ? [{ kind: 'text', x: plot.x + plot.width, y: plot.y + plot.height - 5, text: `starts at ${scale.startsAt}, not 0`, fill: theme.text3, align: 'right', size: 10 } as const] : []),
    ...horizontalLabels(position, locale, labelSize).map((label): Mark => ({ kind: 'text', x: label.pixel, y: size.height - 4, text: label.label, fill: theme.text3, align: label.align, size: labelSize })),
  ];
  const middles = Float64Array.from({ length: places }, (_, place) => position.middle(place));
  return {
    plot, guides, x: position, series,
    marks: (values, { isMuted, isSelected }) => {
      const marks: Mark[] = [];
      const floor = new Float64Array(places);
      for (let s = 0; s < perPlace; s++) {
        const xy: number[] = [];
        const xyy: number[] = [];
        for (let place = 0; place < places; place++) {
          const raw = values[place * perPlace + s]!;
          const from = isStacked ? floor[place]! : 0;
          const value = isStacked ? from + (raw || 0) : raw;
          if (isStacked) floor[place] = value;
          xy.push(middles[place]!, Number.isNaN(value) ? Number.NaN : scale.toPixel(value));
          if (isArea) xyy.push(middles[place]!, isStacked ? scale.toPixel(from) : scale.zero, Number.isNaN(value) ? Number.NaN : scale.toPixel(value));
        }
        const tint = isMuted ? theme.unfiltered : series[s]!.colour;
        const draw = (line: number[], area: number[], stroke: string) => {
          if (isArea) marks.push({ kind: 'area', xyy: area, fill: stroke, opacity: isStacked ? 0.85 : isMuted ? 0.6 : 0.12 });
          if (!isStacked) marks.push({ kind: 'line', xy: line, stroke, width: isMuted ? 1.5 : 1.75 });
          // A lone point between gaps has no line to show it; few points are marked anyway.
          const dots = lonePoints(line, places <= 30 && !isArea);
          if (dots.length > 0 && !isStacked) marks.push({ kind: 'circles', xy: dots, radius: 2.5, fill: stroke });
        };
        if (!isSelected || isMuted) draw(xy, xyy, tint);
        else {
          draw(xy, xyy, theme.unfiltered);
          draw(within(xy, 2, place => isSelected(place, -1)), within(xyy, 3, place => isSelected(place, -1)), tint);
        }
      }
      return marks;
    },
  };
}

/** The points inside a selection, and one place more at its end so that a single place is a line too; the others are gaps. */
function within(points: readonly number[], width: number, isSelected: (place: number) => boolean): number[] {
  return points.map((value, i) => (i % width === 0 || isSelected(Math.floor(i / width)) ? value : Number.NaN));
}

function lonePoints(xy: readonly number[], all: boolean): number[] {
  const dots: number[] = [];
  for (let i = 0; i < xy.length; i += 2) {
    if (Number.isNaN(xy[i + 1]!)) continue;
    const isLone = !(xy[i - 1]! === xy[i - 1]!) && !(xy[i + 3]! === xy[i + 3]!);
    if (all || isLone) dots.push(xy[i]!, xy[i + 1]!);
  }
  return dots;
}

function stackTops(values: Float64Array, places: number, perPlace: number): Float64Array {
  const tops = new Float64Array(places);
  for (let i = 0; i < places * perPlace; i++) tops[Math.floor(i / perPlace)]! += values[i]! || 0;
  return tops;
}
