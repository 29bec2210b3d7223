import type { Chart } from '../../chart.ts';
import { formatLabels } from '../../text/format.ts';
import { labelSize, scaleOptions, uprightFrame } from '../../guides/frame.ts';
import type { Mark } from '../../scene.ts';
import { textWidth } from '../../text/text-width.ts';
import {
  barGap,
  barRectangles,
  breakAt,
  brokenScale,
  footOf,
  lastBox,
  type Bars,
  type WriteBox,
} from './bar-rectangles.ts';
import { tipOf } from './bar-stacks.ts';
import { shareLabels } from './share-labels.ts';

/** Bars along y, over an axis of names, times or bins. */
export function verticalBars(bars: Bars, isLabelled: boolean): Chart {
  const { input, theme, stacks, series, encoding, measure, low, high, valueAxis, otherPosition } = bars;
  const { size, locale } = input;
  const { mode, lanes, axis, positionCount } = stacks;
  const headroom = isLabelled ? 1 + 20 / Math.max(60, size.height) : 1;
  const { plot, axisScale, scale, guides } = uprightFrame(input, axis, {
    extent: [low, mode === 'normalized' ? 1 : high * headroom],
    measure,
    options: scaleOptions(encoding),
    axis: valueAxis,
  });
  // Bins touch, since their values do. Times have gaps like categories while there is room.
  const isHistogram = axis?.kind === 'bins' || (axis?.kind === 'times' && plot.width / axis.count < 14);
  const beside = mode === 'grouped' ? lanes.length : 1;
  // Starts and widths of the grouped bars of each position.
  const lefts = new Float64Array(positionCount * beside);
  const widths = new Float64Array(positionCount * beside);
  for (let position = 0; position < positionCount; position++) {
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
  const broken = brokenScale(bars, scale, otherEnd, plot.y);
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
      const end = lastBox(bars, list, position, only, scale, writeBox);
      if (!end) return undefined;
      const [x, y, width, height] = end.xywh;
      return { x: x + width / 2, y: end.isBelow ? y + height : y };
    },
    marks: (list, look) => {
      const isSelected = look.isSelected && ((position: number) => look.isSelected!(position, -1));
      const rectangles = barRectangles(list, bars, scale, writeBox, isSelected, look.isMuted);
      const cut = broken ? [verticalBreak()] : [];
      if (mode === 'normalized' && isLabelled && !look.isMuted)
        return [...rectangles, ...shareLabels(list, bars, scale, writeBox, isSelected)];
      return look.isMuted ? [...rectangles, ...cut] : [...rectangles, ...cut, ...upperLabels(list)];
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
   * Value labels at the bars, if requested and if each has room. A broken bar always has one.
   */
  function upperLabels(list: Float64Array): Mark[] {
    if (!axisScale || (!isLabelled && otherPosition < 0)) return [];
    const tips = stacks.ends(list);
    const positions = Array.from({ length: positionCount }, (_, position) => position);
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
}
