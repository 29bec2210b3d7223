import type { MeasureEncoding } from '@belvedere/document';
import { wholePositions } from '@belvedere/query';
import { roomOf, type Chart, type ChartInput, type ChartMeasure } from '../../chart.ts';
import type { AxisOptions } from '../../guides/axis-options.ts';
import type { Shading } from '../../guides/shading.ts';
import type { ValueScale } from '../../guides/value-axis.ts';
import type { Mark } from '../../scene.ts';
import type { BarStacks } from './bar-stacks.ts';

/** The share of a position that is left empty around its bars. */
export const barGap = 0.34;
/** Position of the break in a bar that is not to scale, as a share of its length. */
export const breakAt = 0.82;

/** The input of both directions of bars. */
export interface Bars {
  readonly input: ChartInput;
  readonly theme: ChartInput['theme'];
  readonly stacks: BarStacks;
  readonly series: Chart['series'];
  /** The measure that colours the bars instead of their series. */
  readonly shading: Shading | undefined;
  readonly encoding: MeasureEncoding | undefined;
  /** With the format of shares if the bars are shares. */
  readonly measure: ChartMeasure;
  /** The range of the value axis. */
  readonly low: number;
  readonly high: number;
  readonly valueAxis: AxisOptions;
  /** The position of Other; -1 without one. */
  readonly otherPosition: number;
}

/**
 * Writes the box of a bar, `x, y, width, height`, to `xywh` at `at`. Reused arrays save an object per bar
 * in each frame.
 */
export type WriteBox = (
  position: number,
  lane: number,
  amounts: Float64Array,
  xywh: Float64Array,
  at: number,
) => void;

/** The boxes of one colour, and the number of values written. */
interface Boxes {
  readonly xywh: Float64Array;
  length: number;
}

/** Rectangles by colour; unselected ones have the colour of unfiltered marks. */
export function barRectangles(
  values: Float64Array,
  bars: Bars,
  scale: ValueScale,
  writeBox: WriteBox,
  isSelected: ((position: number) => boolean) | undefined,
  isMuted = false,
): Mark[] {
  const { stacks, shading, theme, otherPosition } = bars;
  const colours = shading?.colours ?? bars.series.map(({ colour }) => colour);
  const { amounts, lanes, perPosition, positionCount: count } = stacks;
  const [firstWhole, belowWhole] = stacks.axis ? wholePositions(stacks.axis, count) : [0, 1];
  const bright: (Boxes | undefined)[] = colours.map(() => undefined);
  // Periods that the data covers only in part.
  const begun: (Boxes | undefined)[] = colours.map(() => undefined);
  let dim: Boxes | undefined;
  let others: Boxes | undefined;
  for (let position = 0; position < count; position++) {
    const isDim = isMuted || (isSelected !== undefined && !isSelected(position));
    const isOther = position === otherPosition && perPosition === 1;
    stacks.readAmounts(values, position, scale);
    for (let lane = 0; lane < lanes.length; lane++) {
      if (Number.isNaN(amounts[2 * lane + 1]!)) continue;
      const shade = shading ? shading.shadeOf(values, position * perPosition + lanes[lane]!) : lanes[lane]!;
      const boxes = isDim
        ? (dim ??= room(count * lanes.length))
        : isOther
          ? (others ??= room(1))
          : position < firstWhole || position >= belowWhole
            ? (begun[shade] ??= room(2))
            : (bright[shade] ??= room(count));
      writeBox(position, lane, amounts, boxes.xywh, boxes.length);
      boxes.length += 4;
    }
  }
  // Other is translucent, but covers the unfiltered bar, which may be shorter for a mean.
  const pale: Mark[] = others
    ? [
        { kind: 'rects', xywh: others.xywh, fill: theme.surface },
        { kind: 'rects', xywh: others.xywh, fill: theme.other, opacity: 0.55 },
      ]
    : [];
  return [
    { kind: 'rects', xywh: written(dim), fill: theme.unfiltered },
    ...pale,
    ...bright.flatMap((boxes, s): Mark[] =>
      boxes || !shading ? [{ kind: 'rects', xywh: written(boxes), fill: colours[s]! }] : [],
    ),
    ...begun.flatMap((boxes, s): Mark[] =>
      boxes ? [{ kind: 'rects', xywh: written(boxes), fill: colours[s]!, opacity: 0.5 }] : [],
    ),
  ];
}

/** The box of the bar that `lastBar` finds: where annotations and labels point. */
export function lastBox(
  { stacks }: Bars,
  values: Float64Array,
  position: number,
  only: number | undefined,
  scale: ValueScale,
  writeBox: WriteBox,
): { readonly xywh: readonly [number, number, number, number]; readonly isBelow: boolean } | undefined {
  const found = stacks.lastBar(values, position, only, scale);
  if (!found) return undefined;
  const xywh = new Float64Array(4);
  writeBox(position, found.lane, stacks.amounts, xywh, 0);
  return { xywh: Array.from(xywh) as [number, number, number, number], isBelow: found.to < 0 };
}

/**
 * Returns a scale for Other if its bar would go past the plot's end. The longest bar ends there; shorter
 * ones, under a selection, are in proportion to it.
 */
export function brokenScale(
  { input, stacks, otherPosition }: Bars,
  scale: ValueScale,
  end: number,
  plotEnd = end,
): ((amount: number) => number) | undefined {
  if (otherPosition < 0) return undefined;
  const longest = Math.max(...roomOf(input).map(list => stacks.ends(list)[2 * otherPosition + 1] || 0));
  const length = end - scale.zero;
  if (
    !(longest > 0) ||
    Math.abs(length) < 1 ||
    (scale.toPixel(longest) - scale.zero) / (plotEnd - scale.zero) <= 1.001
  )
    return undefined;
  return amount => scale.zero + length * Math.max(0, Math.min(1, amount / longest));
}

/** Where a bar begins: a logarithmic axis has no zero. */
export function footOf(scale: ValueScale, amount: number): number {
  return scale.isLog && amount === 0 ? scale.zero : scale.toPixel(amount);
}

function room(bars: number): Boxes {
  return { xywh: new Float64Array(4 * bars), length: 0 };
}

function written(boxes: Boxes | undefined): Float64Array | readonly number[] {
  if (!boxes) return [];
  return boxes.length === boxes.xywh.length ? boxes.xywh : boxes.xywh.subarray(0, boxes.length);
}
