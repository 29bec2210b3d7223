import { groupsOf, slotsOf, wholePositions } from '@belvedere/query';
import { isMeasure } from '@belvedere/document';
import { roomOf, type Chart, type ChartInput, type ChartMeasure } from '../chart.ts';
import { formatLabels } from '../format.ts';
import { axisOptions } from '../guides/axis-options.ts';
import { isReversed, labelSize, scaleNote, scaleOptions, uprightFrame } from '../guides/frame.ts';
import { namesBeside } from '../guides/names-beside.ts';
import { positionName } from '../guides/place-axis.ts';
import { scaledExtentOf, valueScale, type ValueScale } from '../guides/value-axis.ts';
import { positionScale } from '../scales/position.ts';
import type { Mark } from '../scene.ts';
import { textWidth } from '../text-width.ts';
import { seriesOf } from './series.ts';

export const barGap = 0.34;
const thickest = 18;
/** Position of the break in a bar that is not to scale, as a share of its length. */
const breakAt = 0.82;

/**
 * Writes the box of a bar, `x, y, width, height`, to `xywh` at `at`. Reused arrays save an object per bar
 * in each frame.
 */
type WriteBox = (
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

/** Draws bars along x or y: single, stacked, normalized or grouped. */
export function drawBars(input: ChartInput): Chart {
  const { tile, axes, theme, locale, size, hidden } = input;
  if (tile.kind !== 'bar') throw new TypeError('not a bar chart');
  const axis = axes.find(candidate => candidate.channel === 'x' || candidate.channel === 'y');
  const isHorizontal = axis?.channel === 'y';
  const colour = axes.find(candidate => candidate.channel === 'color');
  const series = seriesOf(colour, theme, locale);
  const encoding = [tile.y, tile.x].find(isMeasure);
  const [plain] = input.measures as [ChartMeasure];
  const mode = !colour
    ? 'single'
    : encoding?.stack === false
      ? 'grouped'
      : encoding?.stack === 'normalize'
        ? 'normalized'
        : plain.isAdditive
          ? 'stacked'
          : 'grouped';
  const slots = axis ? slotsOf(axis) : 1;
  const perPosition = colour ? slotsOf(colour) : 1;
  if (groupsOf(axes) !== slots * perPosition)
    throw new RangeError('a bar chart has one axis and at most one colour');
  const isShown = (s: number) => !hidden?.has(s);
  const lanes = Array.from({ length: perPosition }, (_, s) => s).filter(isShown);
  const ends = stackEnds;
  const [firstWhole, belowWhole] = axis ? wholePositions(axis, positionCount()) : [0, 1];
  const amounts = new Float64Array(2 * lanes.length);
  const otherPosition = axis?.kind === 'categories' && axis.other && slots > 2 ? axis.values.length : -1;
  // Other combines all remaining values. On the common scale it would make the other bars too short to
  // compare.
  const scaled = (values: Float64Array) =>
    ends(values).subarray(
      0,
      2 * (otherPosition >= 0 ? otherPosition : axis && axis.kind !== 'categories' ? axis.count : slots),
    );
  const options = scaleOptions(encoding);
  const extent = scaledExtentOf(options.type, ...roomOf(input).map(scaled));
  const [low, high] = mode === 'normalized' ? [extent[0] < 0 ? -1 : 0, 1] : extent;
  const measure = mode === 'normalized' ? { ...plain, format: 'percent' } : plain;
  const valueAxis = axisOptions(encoding);

  if (isHorizontal && axis) {
    const names = Array.from({ length: slots }, (_, position) => positionName(axis, position, locale));
    const { labels: hasNames } = axisOptions(tile.y);
    const top = input.headroom ?? 0;
    const beside = namesBeside(names, size.width * 0.4 - 8, (size.height - top - 2) / slots, 12);
    const labelWidth = hasNames ? beside.width + 8 : 2;
    const tips = ends(input.filtered ?? input.base);
    const values = formatLabels(
      names.map((_, position) => tipOf(tips, position)),
      measure.format,
      locale,
    );
    // Its values stand in for an axis, unless the tile says otherwise.
    const hasValues = tile.labels ?? valueAxis.labels;
    const valueWidth = hasValues ? Math.max(...values.map(value => textWidth(value, labelSize)), 28) + 8 : 4;
    const width = Math.max(10, size.width - labelWidth - valueWidth);
    const scale = valueScale(low, high, labelWidth, labelWidth + width, measure, locale, options);
    // The bars have value labels but no axis, so a note describes an unusual scale.
    const note = scaleNote(scale, { x: size.width - 4, y: size.height - 3 }, input);
    const below = scale.isLog || scale.startsAt !== undefined ? 16 : 2;
    const plot = { x: labelWidth, y: top, width, height: Math.max(10, size.height - top - below) };
    const axisScale = positionScale(axis, plot.y, plot.y + plot.height, isReversed(input, 'y'));
    const [first, second] = axisScale.span(0);
    const rowHeight = second - first;
    const every = Math.max(1, Math.ceil(13 / rowHeight));
    const guides: Mark[] = names.flatMap((_, position) =>
      hasNames && position % every === 0
        ? beside.marks(
            position,
            plot.x - 8,
            axisScale.middle(position),
            position >= (axis.kind === 'categories' ? axis.values.length : Infinity)
              ? theme.text3
              : theme.text,
          )
        : [],
    );
    if (valueAxis.grid)
      for (const tick of scale.ticks)
        guides.push({
          kind: 'rects',
          xywh: [Math.round(tick.pixel), plot.y, 1, plot.height],
          fill: theme.grid,
        });
    guides.push(...note);
    if (low < 0)
      guides.push({
        kind: 'rects',
        xywh: [Math.round(scale.zero), plot.y, 1, plot.height],
        fill: theme.axis,
      });
    const thickness = Math.max(1, Math.min(thickest, rowHeight * (1 - barGap)));
    const middles = Float64Array.from(names, (_, position) => axisScale.middle(position));
    const edge = plot.x + plot.width;
    const broken = brokenScale(scale, edge);
    const writeBox: WriteBox = (position, lane, amounts, xywh, at) => {
      const thick = mode === 'grouped' ? thickness / lanes.length : thickness;
      const own = position === otherPosition ? broken : undefined;
      const foot = own?.(amounts[2 * lane]!) ?? footOf(scale, amounts[2 * lane]!);
      const tip = own?.(amounts[2 * lane + 1]!) ?? Math.min(scale.toPixel(amounts[2 * lane + 1]!), edge);
      xywh[at] = Math.min(foot, tip);
      xywh[at + 1] = Math.round(middles[position]! - thickness / 2 + (mode === 'grouped' ? lane * thick : 0));
      xywh[at + 2] = Math.abs(tip - foot);
      xywh[at + 3] = Math.max(1, thick - (mode === 'grouped' ? 1 : 0));
    };
    return {
      plot,
      guides,
      y: axisScale,
      series,
      value: { along: 'x', scale },
      markAt: (list, position, only) => {
        const end = endAt(list, position, only, writeBox, scale);
        if (!end) return undefined;
        const [x, y, width, height] = end.xywh;
        return { x: end.isBelow ? x : x + width, y: y + height / 2 };
      },
      marks: (list, look) => {
        const bars = barMarks(
          list,
          look.isSelected && (position => look.isSelected!(-1, position)),
          writeBox,
          scale,
          look.isMuted,
        );
        const cut = broken ? [horizontalBreak(middles[otherPosition]!)] : [];
        if (look.isMuted) return [...bars, ...cut];
        const tipsNow = ends(list);
        const texts = formatLabels(
          names.map((_, position) =>
            mode === 'normalized' ? stackSum(list, position) : tipOf(tipsNow, position),
          ),
          mode === 'normalized' ? plain.format : measure.format,
          locale,
        );
        const labels = names.flatMap((_, position): Mark[] => {
          const value = tipOf(tipsNow, position);
          return hasValues && position % every === 0 && scale.shows(value)
            ? [
                {
                  kind: 'text',
                  x:
                    broken && position === otherPosition
                      ? broken(value) + 6
                      : Math.min(Math.max(scale.toPixel(value), scale.zero), edge) + 6,
                  y: middles[position]! + 4,
                  text: texts[position]!,
                  fill: theme.text3,
                  align: 'left',
                  size: labelSize,
                },
              ]
            : [];
        });
        return [...bars, ...cut, ...labels];
      },
    };

    /** Draws a slanted gap through the bar of Other. */
    function horizontalBreak(middle: number): Mark {
      const x = scale.zero + (edge - scale.zero) * breakAt;
      const [top, bottom] = [Math.round(middle - thickness / 2) - 1, Math.round(middle + thickness / 2) + 1];
      return {
        kind: 'path',
        d: `M${x} ${bottom}L${x + 5} ${top}L${x + 9} ${top}L${x + 4} ${bottom}Z`,
        fill: theme.surface,
      };
    }
  }

  const isLabelled = tile.labels === true;
  const headroom = isLabelled ? 1 + 20 / Math.max(60, size.height) : 1;
  const { plot, axisScale, scale, guides } = uprightFrame(input, axis, {
    extent: [low, mode === 'normalized' ? 1 : high * headroom],
    measure,
    options,
    axis: valueAxis,
  });
  // Bins touch, since their values do. Times have gaps like categories while there is room.
  const isHistogram = axis?.kind === 'bins' || (axis?.kind === 'times' && plot.width / axis.count < 14);
  const beside = mode === 'grouped' ? lanes.length : 1;
  // Starts and widths of the grouped bars of each position.
  const lefts = new Float64Array(positionCount() * beside);
  const widths = new Float64Array(positionCount() * beside);
  for (let position = 0; position < positionCount(); position++) {
    const [left, right] = axisScale?.span(position) ?? [plot.x, plot.x + plot.width];
    const inset = isHistogram
      ? right - left > 3
        ? 0.5
        : 0
      : Math.max(((right - left) * barGap) / 2, (right - left - 64) / 2);
    const lane = (right - left - 2 * inset) / beside;
    for (let index = 0; index < beside; index++) {
      const x = left + inset + index * lane;
      lefts[position * beside + index] = isHistogram ? Math.round(x) : x;
      widths[position * beside + index] = Math.max(
        1,
        isHistogram
          ? Math.round(x + lane) - Math.round(x) - (right - left > 4 ? 1 : 0)
          : lane - (mode === 'grouped' ? 1 : 0),
      );
    }
  }
  // Room for its value above it.
  const otherEnd = Math.min(plot.y + 16, scale.zero);
  const broken = brokenScale(scale, otherEnd, plot.y);
  const writeBox: WriteBox = (position, lane, amounts, xywh, at) => {
    const bar = mode === 'grouped' ? position * beside + lane : position;
    const own = position === otherPosition ? broken : undefined;
    const foot = own?.(amounts[2 * lane]!) ?? footOf(scale, amounts[2 * lane]!);
    const tip = own?.(amounts[2 * lane + 1]!) ?? Math.max(plot.y, scale.toPixel(amounts[2 * lane + 1]!));
    xywh[at] = lefts[bar]!;
    xywh[at + 1] = Math.min(foot, tip);
    xywh[at + 2] = widths[bar]!;
    xywh[at + 3] = Math.abs(tip - foot);
  };
  return {
    plot,
    guides,
    ...(axisScale && { x: axisScale }),
    series,
    value: { along: 'y', scale },
    markAt: (list, position, only) => {
      const end = endAt(list, position, only, writeBox, scale);
      if (!end) return undefined;
      const [x, y, width, height] = end.xywh;
      return { x: x + width / 2, y: end.isBelow ? y + height : y };
    },
    marks: (list, look) => {
      const bars = barMarks(
        list,
        look.isSelected && (position => look.isSelected!(position, -1)),
        writeBox,
        scale,
        look.isMuted,
      );
      const cut = broken ? [verticalBreak()] : [];
      return look.isMuted ? [...bars, ...cut] : [...bars, ...cut, ...upperLabels(list)];
    },
  };

  /** Draws a slanted gap through the bar of Other. */
  function verticalBreak(): Mark {
    const y = scale.zero + (otherEnd - scale.zero) * breakAt;
    const left = lefts[otherPosition * beside]! - 1;
    const right =
      lefts[otherPosition * beside + beside - 1]! + widths[otherPosition * beside + beside - 1]! + 1;
    return {
      kind: 'path',
      d: `M${left} ${y}L${right} ${y - 5}L${right} ${y - 9}L${left} ${y - 4}Z`,
      fill: theme.surface,
    };
  }

  /**
   * Returns a scale for Other if its bar would go past the plot's end. The longest bar ends there; shorter
   * ones,
   * under a selection, are in proportion to it.
   */
  function brokenScale(
    scale: ValueScale,
    end: number,
    plotEnd = end,
  ): ((amount: number) => number) | undefined {
    if (otherPosition < 0) return undefined;
    const longest = Math.max(...roomOf(input).map(list => ends(list)[2 * otherPosition + 1] || 0));
    const length = end - scale.zero;
    if (
      !(longest > 0) ||
      Math.abs(length) < 1 ||
      (scale.toPixel(longest) - scale.zero) / (plotEnd - scale.zero) <= 1.001
    )
      return undefined;
    return amount => scale.zero + length * Math.max(0, Math.min(1, amount / longest));
  }

  /**
   * Value labels at the bars, if requested and if each has room. A broken bar always has one.
   */
  function upperLabels(list: Float64Array): Mark[] {
    if (!axisScale || (!isLabelled && otherPosition < 0)) return [];
    const tips = ends(list);
    const positions = Array.from({ length: positionCount() }, (_, position) => position);
    const texts = formatLabels(
      positions.map(position => tipOf(tips, position)),
      measure.format,
      locale,
    );
    return positions.flatMap((position): Mark[] => {
      const value = tipOf(tips, position);
      const isCut = broken !== undefined && position === otherPosition;
      if (!isLabelled && !isCut) return [];
      const [left, right] = axisScale.span(position);
      const text = texts[position]!;
      const isWide = textWidth(text, labelSize) > right - left + 4;
      if (Number.isNaN(value) || value === 0 || (isWide && !isCut)) return [];
      const y = (isCut ? broken(value) : scale.toPixel(value)) + (value < 0 ? 13 : -5);
      return [
        {
          kind: 'text',
          x: isWide ? right : (left + right) / 2,
          y: Math.max(plot.y + 3, y),
          text,
          fill: theme.text2,
          align: isWide ? 'right' : 'center',
          size: labelSize,
        },
      ];
    });
  }

  /** Rectangles by colour; unselected ones have the colour of unfiltered marks. */
  function barMarks(
    values: Float64Array,
    isSelected: ((position: number) => boolean) | undefined,
    writeBox: WriteBox,
    scale: ValueScale,
    isMuted = false,
  ): Mark[] {
    const bright: (Boxes | undefined)[] = series.map(() => undefined);
    // Periods that the data covers only in part.
    const begun: (Boxes | undefined)[] = series.map(() => undefined);
    let dim: Boxes | undefined;
    let others: Boxes | undefined;
    const count = positionCount();
    for (let position = 0; position < count; position++) {
      const isDim = isMuted || (isSelected !== undefined && !isSelected(position));
      const isOther = position === otherPosition && perPosition === 1;
      readAmounts(values, position, scale);
      for (let lane = 0; lane < lanes.length; lane++) {
        if (Number.isNaN(amounts[2 * lane + 1]!)) continue;
        const boxes = isDim
          ? (dim ??= room(count * lanes.length))
          : isOther
            ? (others ??= room(1))
            : position < firstWhole || position >= belowWhole
              ? (begun[lanes[lane]!] ??= room(2))
              : (bright[lanes[lane]!] ??= room(count));
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
      ...bright.map((boxes, s): Mark => ({ kind: 'rects', xywh: written(boxes), fill: series[s]!.colour })),
      ...begun.flatMap((boxes, s): Mark[] =>
        boxes ? [{ kind: 'rects', xywh: written(boxes), fill: series[s]!.colour, opacity: 0.5 }] : [],
      ),
    ];
  }

  /**
   * Writes `from, to` of each grouped bar of a position to `amounts`; NaN without a bar.
   */
  function readAmounts(values: Float64Array, position: number, scale: ValueScale): void {
    const whole = wholeOf(values, position);
    const isStacked = mode === 'stacked' || mode === 'normalized';
    // Negative values stack downwards, or they would overlap the positive ones.
    let above = 0;
    let under = 0;
    for (let lane = 0; lane < lanes.length; lane++) {
      const raw = values[position * perPosition + lanes[lane]!]!;
      const value = raw / whole;
      const from = !isStacked ? 0 : value < 0 ? under : above;
      const isThere = raw !== 0 && scale.shows(raw);
      amounts[2 * lane] = from;
      amounts[2 * lane + 1] = isThere ? from + value : Number.NaN;
      if (!isThere) continue;
      if (value < 0) under = from + value;
      else above = from + value;
    }
  }

  /** The last bar of a stack, or that of one series; of grouped bars the longest. */
  function endAt(
    values: Float64Array,
    position: number,
    only: number | undefined,
    writeBox: WriteBox,
    scale: ValueScale,
  ): { readonly xywh: readonly [number, number, number, number]; readonly isBelow: boolean } | undefined {
    readAmounts(values, position, scale);
    let found: { readonly to: number; readonly lane: number } | undefined;
    for (const [lane, s] of lanes.entries()) {
      const to = amounts[2 * lane + 1]!;
      if (Number.isNaN(to)) continue;
      if (
        only !== undefined
          ? s === only
          : !found || (mode === 'grouped' ? Math.abs(to) > Math.abs(found.to) : to > 0)
      )
        found = { to, lane };
    }
    if (!found) return undefined;
    const xywh = new Float64Array(4);
    writeBox(position, found.lane, amounts, xywh, 0);
    return { xywh: Array.from(xywh) as [number, number, number, number], isBelow: found.to < 0 };
  }

  function positionCount(): number {
    return axis ? (axis.kind === 'categories' ? slots : axis.count) : 1;
  }

  /** The ends of each position's bars below and above zero: two values each. */
  function stackEnds(values: Float64Array): Float64Array {
    const found = new Float64Array(slots * 2);
    for (let position = 0; position < slots; position++) {
      let [under, above] = [Number.NaN, Number.NaN];
      const whole = wholeOf(values, position);
      for (const s of lanes) {
        const value = values[position * perPosition + s]! / whole;
        if (Number.isNaN(value)) continue;
        const adds = mode === 'stacked' || mode === 'normalized';
        if (value < 0) under = Number.isNaN(under) ? value : adds ? under + value : Math.min(under, value);
        else above = Number.isNaN(above) ? value : adds ? above + value : Math.max(above, value);
      }
      found[position * 2] = under;
      found[position * 2 + 1] = above;
    }
    return found;
  }

  /** The labelled end: the upper one if there is one. */
  function tipOf(found: Float64Array, position: number): number {
    return Number.isNaN(found[position * 2 + 1]!) ? found[position * 2]! : found[position * 2 + 1]!;
  }

  /**
   * The total for shares of a position: with negative values the absolute sum, so that shares stay within
   * −100…100 %.
   */
  function wholeOf(values: Float64Array, position: number): number {
    if (mode !== 'normalized') return 1;
    let whole = 0;
    for (const s of lanes) whole += Math.abs(values[position * perPosition + s]!) || 0;
    return whole || 1;
  }

  function stackSum(values: Float64Array, position: number): number {
    let sum = 0;
    for (const s of lanes) sum += values[position * perPosition + s]! || 0;
    return sum;
  }
}

function footOf(scale: ValueScale, amount: number): number {
  return scale.isLog && amount === 0 ? scale.zero : scale.toPixel(amount);
}

function room(bars: number): Boxes {
  return { xywh: new Float64Array(4 * bars), length: 0 };
}

function written(boxes: Boxes | undefined): Float64Array | readonly number[] {
  if (!boxes) return [];
  return boxes.length === boxes.xywh.length ? boxes.xywh : boxes.xywh.subarray(0, boxes.length);
}
