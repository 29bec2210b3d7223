import { slotsOf } from '@belvedere/query';
import { roomOf, type Chart, type ChartInput, type ChartMeasure } from '../chart.ts';
import { formatNumber } from '../text/format.ts';
import { axisOptions } from '../guides/axis-options.ts';
import { labelSize, scaleOptions, uprightFrame } from '../guides/frame.ts';
import { extentOf } from '../guides/value-axis.ts';
import type { Mark } from '../scene.ts';
import { textWidth } from '../text/text-width.ts';
import { chartMessagesIn } from '../text/chart-messages.ts';
import { barGap } from './bar/bar-rectangles.ts';

type Text = Mark & { readonly kind: 'text' };

/** Width of text of weight 600, relative to normal text. */
const semibold = 1.06;

/** Draws each amount from the end of the one before, and the total last. */
export function drawWaterfall(input: ChartInput): Chart {
  const { tile, axes, theme, locale } = input;
  if (tile.kind !== 'waterfall') throw new TypeError('not a waterfall');
  const axis = axes.find(candidate => candidate.channel === 'x')!;
  const positions = axis.kind === 'categories' ? slotsOf(axis) : axis.count;
  const [measure] = input.measures as [ChartMeasure];
  const extent = extentOf(...roomOf(input).map(values => runningEnds(values, positions)));
  // One more position than the axis, for the total.
  const { plot, scale, guides, axisScale } = uprightFrame(
    input,
    axis,
    {
      extent: [extent[0] * 1.06, extent[1] * 1.06],
      measure,
      options: scaleOptions(tile.y),
      axis: axisOptions(tile.y),
    },
    undefined,
    positions / (positions + 1),
  );
  const step = plot.width / (positions + 1);
  const words = chartMessagesIn(locale);
  /** The label of the total is in its middle, within the edges. */
  const totalAt = (text: string) =>
    Math.min(
      plot.x + plot.width - step / 2,
      input.size.width - 2 - (textWidth(text, labelSize) * semibold) / 2,
    );
  // Below the plot, unless the lowest number of the value axis is there.
  const isName = (mark: Mark): mark is Text =>
    mark.kind === 'text' && mark.y > plot.y + plot.height + labelSize / 2;
  const baseline = Math.min(input.size.height - 4, ...guides.filter(isName).map(({ y }) => y));
  const total: Text = {
    kind: 'text',
    x: totalAt(words.total),
    y: baseline,
    text: words.total,
    fill: theme.text2,
    align: 'center',
    size: labelSize,
    weight: 600,
  };
  return {
    plot: { ...plot, width: plot.width - step },
    guides: [...guides.filter(guide => !isName(guide) || rightOf(guide) + 4 <= leftOf(total)), total],
    x: axisScale!,
    series: [{ label: '', colour: theme.accent }],
    value: { along: 'y', scale },
    marks: (values, { isMuted, isSelected }) => {
      const [up, down, dim, totals, ties]: [number[], number[], number[], number[], number[]] = [
        [],
        [],
        [],
        [],
        [],
      ];
      const labels: Text[] = [];
      let sofar = 0;
      const inset = Math.max((step * barGap) / 2, (step - 64) / 2);
      for (let position = 0; position < positions; position++) {
        const value = values[position]!;
        if (Number.isNaN(value)) continue;
        const [left, right] = axisScale!.span(position);
        const [a, b] = [scale.toPixel(sofar), scale.toPixel(sofar + value)];
        const target = isMuted || (isSelected && !isSelected(position)) ? dim : value < 0 ? down : up;
        target.push(left + inset, Math.min(a, b), right - left - 2 * inset, Math.max(1, Math.abs(b - a)));
        if (!isMuted) ties.push(right - inset, Math.round(b), 2 * inset, 1);
        sofar += value;
        const text = formatNumber(value, measure.format, locale, 'label');
        if (!isMuted && textWidth(text, labelSize) + 4 <= step)
          labels.push({
            kind: 'text',
            x: (left + right) / 2,
            y:
              value < 0
                ? Math.min(plot.y + plot.height - 2, Math.max(a, b) + 13)
                : Math.max(plot.y + 3, Math.min(a, b) - 5),
            text,
            fill: theme.text2,
            align: 'center',
            size: labelSize,
          });
      }
      const [zero, end] = [scale.zero, scale.toPixel(sofar)];
      totals.push(
        plot.x + plot.width - step + inset,
        Math.min(zero, end),
        step - 2 * inset,
        Math.max(1, Math.abs(end - zero)),
      );
      const text = formatNumber(sofar, measure.format, locale, 'label');
      const sum: Text = {
        kind: 'text',
        x: totalAt(text),
        y: end > zero ? end + 13 : Math.max(plot.y + 3, end - 5),
        text,
        fill: theme.text,
        align: 'center',
        size: labelSize,
        weight: 600,
      };
      return [
        { kind: 'rects', xywh: ties, fill: theme.axis },
        { kind: 'rects', xywh: dim, fill: theme.unfiltered },
        { kind: 'rects', xywh: up, fill: theme.series[0]! },
        { kind: 'rects', xywh: down, fill: theme.series[1]! },
        { kind: 'rects', xywh: totals, fill: isMuted ? theme.unfiltered : theme.other },
        ...labels.filter(
          label => rightOf(label) + 3 <= leftOf(sum) || Math.abs(label.y - sum.y) >= labelSize,
        ),
        ...(isMuted ? [] : [sum]),
      ];
    },
  };
}

/** The end of a text that is centred at a position, or begins or ends there. */
function leftOf({ x, text, align, size, weight }: Text): number {
  const width = textWidth(text, size) * (weight === undefined ? 1 : semibold);
  return align === 'left' ? x : align === 'center' ? x - width / 2 : x - width;
}

function rightOf(mark: Text): number {
  return (
    2 * mark.x -
    leftOf({ ...mark, align: mark.align === 'left' ? 'right' : mark.align === 'right' ? 'left' : 'center' })
  );
}

function runningEnds(values: Float64Array, positions: number): Float64Array {
  const ends = new Float64Array(positions + 1);
  for (let position = 0; position < positions; position++)
    ends[position + 1] = ends[position]! + (values[position]! || 0);
  return ends;
}
