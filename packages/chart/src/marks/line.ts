import { slotsOf } from '@belvedere/query';
import { roomOf, type Chart, type ChartInput, type ChartMeasure } from '../chart.ts';
import { formatNumber } from '../format.ts';
import { axisOptions } from '../guides/axis-options.ts';
import { labelSize, scaleOptions, uprightFrame } from '../guides/frame.ts';
import { extentOf } from '../guides/value-axis.ts';
import type { Mark } from '../scene.ts';
import { textWidth } from '../text-width.ts';
import { areaMark, courseMarks, layOutCourse } from './course.ts';
import { seriesOf } from './series.ts';

/** Lines and areas over an x axis, one for each series; areas of amounts are stacked, from zero, to a hundred per cent, or around the middle. */
export function drawLines(input: ChartInput): Chart {
  const { tile, axes, theme, locale, hidden } = input;
  if (tile.kind !== 'line' && tile.kind !== 'area') throw new TypeError('not a line chart');
  const axis = axes.find(candidate => candidate.channel === 'x')!;
  const colour = axes.find(candidate => candidate.channel === 'color');
  const perPlace = colour ? slotsOf(colour) : 1;
  const places = axis.kind === 'categories' ? slotsOf(axis) : axis.count;
  const series = seriesOf(colour, theme, locale);
  const lanes = series.map((_, s) => s).filter(s => !hidden?.has(s));
  const [plain] = input.measures as [ChartMeasure];
  const isArea = tile.kind === 'area';
  const stack = tile.y.stack;
  const isStacked = isArea && perPlace > 1 && plain.isAdditive && stack !== false;
  const isNormalized = isStacked && stack === 'normalize';
  const isCentred = isStacked && stack === 'center';
  const measure = isNormalized ? { ...plain, format: 'percent' } : plain;
  const tops = (values: Float64Array) => (isStacked ? stackTops(values, places, perPlace, lanes) : colour ? shownOnly(values) : values.subarray(0, places));
  const [low, high] = isNormalized ? [0, 1] : extentOf(...roomOf(input).map(tops));
  const zero = tile.y.scale?.zero;
  // A line may leave zero out where it would lie flat at the top otherwise; an area never does.
  const floats = !isArea && zero !== true && (zero === false || tile.y.scale?.type === 'log' || (low > 0 && low > high * 0.5));
  const { plot, position, scale, guides } = uprightFrame(input, axis, { extent: isCentred ? [-high / 2, high / 2] : [low, high], measure, options: { floats, ...scaleOptions(tile.y) }, axis: axisOptions(tile.y) });
  const middles = Float64Array.from({ length: places }, (_, place) => position!.middle(place));
  const layout = layOutCourse(middles);
  return {
    plot, guides, x: position!, series, value: { along: 'y', scale }, markAt,
    marks: (values, { isMuted, isSelected }) => {
      const marks: Mark[] = [];
      const wholes = isNormalized || isCentred ? stackTops(values, places, perPlace, lanes) : undefined;
      const floor = isCentred ? wholes!.map(whole => -whole / 2) : new Float64Array(places);
      for (const s of lanes) {
        const ys = new Float64Array(places);
        const lows = isStacked ? new Float64Array(places) : scale.zero;
        for (let place = 0; place < places; place++) {
          const raw = isNormalized ? values[place * perPlace + s]! / (wholes![place]! || 1) : values[place * perPlace + s]!;
          const value = isStacked ? floor[place]! + (raw || 0) : raw;
          ys[place] = Number.isNaN(value) ? Number.NaN : scale.toPixel(value);
          if (typeof lows === 'number') continue;
          lows[place] = scale.toPixel(floor[place]!);
          floor[place] = value;
        }
        const tint = isMuted ? theme.unfiltered : series[s]!.colour;
        const draw = (highs: Float64Array, stroke: string) => {
          if (isArea) marks.push(areaMark(layout, lows, highs, stroke, isStacked ? 0.85 : isMuted ? 0.6 : 0.12));
          if (!isStacked) marks.push(...courseMarks(layout, highs, { stroke, width: isMuted ? 1.5 : 1.75, dots: places <= 30 && !isArea }));
        };
        if (!isSelected || isMuted) draw(ys, tint);
        else {
          draw(ys, theme.unfiltered);
          draw(ys.map((y, place) => (isSelected(place, -1) ? y : Number.NaN)), tint);
        }
        if (tile.labels && !isMuted && !isStacked) marks.push(...pointLabels(values, s, ys));
      }
      return marks;
    },
  };

  /** A point of a line, the top of a stack; without a series the highest. */
  function markAt(values: Float64Array, place: number, only?: number): { readonly x: number; readonly y: number } | undefined {
    const own = lanes.filter(s => only === undefined || (isStacked ? s <= only : s === only)).map(s => values[place * perPlace + s]!).filter(value => !Number.isNaN(value));
    if (own.length === 0 || (only !== undefined && hidden?.has(only))) return undefined;
    const whole = isNormalized || isCentred ? stackTops(values, places, perPlace, lanes)[place]! : 0;
    const top = isStacked ? own.reduce((sum, value) => sum + value, 0) : Math.max(...own);
    return { x: middles[place]!, y: scale.toPixel(isNormalized ? top / (whole || 1) : top - (isCentred ? whole / 2 : 0)) };
  }

  function shownOnly(values: Float64Array): Float64Array {
    const shown = values.slice(0, places * perPlace);
    if (lanes.length < perPlace) for (let i = 0; i < shown.length; i++) if (hidden!.has(i % perPlace)) shown[i] = Number.NaN;
    return shown;
  }

  /** Values above the points, from the last one back, each where it runs into none that is there. */
  function pointLabels(values: Float64Array, s: number, ys: Float64Array): Mark[] {
    const labels: Mark[] = [];
    let free = Infinity;
    for (let place = places - 1; place >= 0; place--) {
      const [x, y] = [middles[place]!, ys[place]!];
      const text = formatNumber(values[place * perPlace + s]!, measure.format, locale, 'label');
      const width = textWidth(text, labelSize);
      if (Number.isNaN(y) || x + width / 2 > Math.min(free, plot.x + plot.width + 4)) continue;
      labels.push({ kind: 'text', x, y: Math.max(plot.y + 4, y - 7), text, fill: theme.text2, align: 'center', size: labelSize });
      free = x - width / 2 - 4;
    }
    return labels;
  }
}

function stackTops(values: Float64Array, places: number, perPlace: number, lanes: readonly number[]): Float64Array {
  const tops = new Float64Array(places);
  for (let place = 0; place < places; place++) for (const s of lanes) tops[place]! += values[place * perPlace + s]! || 0;
  return tops;
}
