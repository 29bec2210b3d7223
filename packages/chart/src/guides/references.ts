import { groupsOf, isOfGroups, parseCalendarTime } from '@belvedere/query';
import type { Reference } from '@belvedere/document';
import type { Chart, ChartInput } from '../chart.ts';
import { formatNumber } from '../text/format.ts';
import { isDrawn } from '../rows/undrawn-rows.ts';
import type { Mark } from '../scene.ts';
import { fitText, textWidth } from '../text/text-width.ts';
import { chartMessagesIn } from '../text/chart-messages.ts';

/**
 * Adds reference lines at values and dates, and bands, each with its label.
 */
export function withReferences(chart: Chart, references: readonly Reference[], input: ChartInput): Chart {
  const behind: Mark[] = [];
  const lines: Mark[] = [];
  const { names, write } = labelWriter(chart.plot, input.theme);
  for (const reference of references) {
    if (reference.x !== undefined) acrossX(reference);
    if (reference.y !== undefined) acrossY(reference);
  }
  const { marks } = chart;
  return {
    ...chart,
    guides: [...behind, ...chart.guides],
    marks: (values, look) =>
      look.isMuted ? marks(values, look) : [...marks(values, look), ...lines, ...names],
  };

  function acrossX({ x, label }: Reference): void {
    const { plot } = chart;
    const axisScale = chart.across ?? (chart.x?.axis.kind === 'categories' ? undefined : chart.x);
    if (!axisScale) return;
    const pixel = (value: number | string) =>
      axisScale.toPixel(typeof value === 'string' ? parseCalendarTime(value) : value);
    const inside = (value: number) => Math.max(plot.x, Math.min(plot.x + plot.width, value));
    const [from, to] = (Array.isArray(x) ? x : [x!, x!]).map(value => pixel(value as number | string)) as [
      number,
      number,
    ];
    if (Math.max(from, to) < plot.x || Math.min(from, to) > plot.x + plot.width) return;
    const [left, right] = [inside(Math.min(from, to)), inside(Math.max(from, to))];
    if (right - left > 1)
      behind.push({
        kind: 'rects',
        xywh: [left, plot.y, right - left, plot.height],
        fill: input.theme.accent,
        opacity: 0.08,
      });
    else
      lines.push({
        kind: 'line',
        xy: [left, plot.y, left, plot.y + plot.height],
        stroke: input.theme.text3,
        width: 1,
        dash: [4, 3],
      });
    if (label) write(left + 4, plot.y + 9, label);
  }

  function acrossY({ y, label }: Reference): void {
    const { plot, value } = chart;
    if (!value) return;
    // The mean of a scatter is that of its single points. A density has none.
    const isOfRows = input.tile.kind === 'scatter' && !isOfGroups(input.tile);
    const all = chart.value?.along === 'x' ? input.base : (input.filtered ?? input.base);
    const values = isOfRows
      ? Float64Array.from(input.points ?? [], point => point.y)
      : drawnOf(chart.across ? all.subarray(groupsOf(input.axes)) : all, input.axes);
    const amount =
      y === 'mean' || y === 'median'
        ? middleOf(
            values.filter(one => !Number.isNaN(one)),
            y,
          )
        : y;
    if (typeof amount === 'number' && Number.isNaN(amount)) return;
    const words = chartMessagesIn(input.locale);
    // A logarithmic scale cannot show zero and negative values.
    if (typeof amount === 'number' && !value.scale.shows(amount)) return;
    const [low, high] = Array.isArray(amount) ? amount : [amount as number, amount as number];
    const [a, b] = [value.scale.toPixel(low), value.scale.toPixel(high)];
    const name = label ?? (y === 'mean' ? words.mean : y === 'median' ? words.median : undefined);
    const text =
      name &&
      (Array.isArray(amount)
        ? name
        : `${name} ${formatNumber(low, isOfRows ? undefined : input.measures[chart.across ? 1 : 0]!.format, input.locale, 'label')}`);
    if (value.along === 'x') {
      if (a === b)
        lines.push({
          kind: 'line',
          xy: [a, plot.y, a, plot.y + plot.height],
          stroke: input.theme.text2,
          width: 1,
          dash: [4, 3],
        });
      else
        behind.push({
          kind: 'rects',
          xywh: [Math.min(a, b), plot.y, Math.abs(b - a), plot.height],
          fill: input.theme.accent,
          opacity: 0.08,
        });
      if (text) write(Math.max(a, b) + 4, plot.y + plot.height - 4, text);
      return;
    }
    if (a === b)
      lines.push({
        kind: 'line',
        xy: [plot.x, a, plot.x + plot.width, a],
        stroke: input.theme.text2,
        width: 1,
        dash: [4, 3],
      });
    else
      behind.push({
        kind: 'rects',
        xywh: [plot.x, Math.min(a, b), plot.width, Math.abs(b - a)],
        fill: input.theme.accent,
        opacity: 0.08,
      });
    if (text) write(plot.x + plot.width, Math.max(plot.y + 9, Math.min(a, b) - 4), text);
  }
}

/** Collects labels. Each is written below the labels that it would overlap. */
function labelWriter(plot: Chart['plot'], theme: ChartInput['theme']) {
  const names: Mark[] = [];
  const occupied: { x: number; y: number; width: number }[] = [];
  const write = (x: number, y: number, said: string) => {
    const text = fitText(said, Math.max(60, plot.width * 0.45), 10);
    const width = textWidth(text, 10);
    const left = Math.min(x, plot.x + plot.width - width - 3);
    let top = y;
    while (
      occupied.some(
        other => Math.abs(other.y - top) < 13 && left < other.x + other.width && other.x < left + width,
      )
    )
      top += 14;
    occupied.push({ x: left, y: top, width });
    names.push({
      kind: 'rects',
      xywh: [left - 3, top - 9, width + 6, 12],
      fill: theme.surface,
      opacity: 0.86,
    });
    names.push({
      kind: 'text',
      x: left,
      y: top,
      text,
      fill: theme.text2,
      align: 'left',
      size: 10,
      weight: 600,
    });
  };
  return { names, write };
}

/** The values of the first measure that have a mark. Values outside the axes have none. */
function drawnOf(values: Float64Array, axes: ChartInput['axes']): Float64Array {
  return values.subarray(0, groupsOf(axes)).filter((_, group) => isDrawn(group, axes));
}

function middleOf(values: Float64Array, how: 'mean' | 'median'): number {
  if (values.length === 0) return Number.NaN;
  if (how === 'mean') return values.reduce((sum, value) => sum + value, 0) / values.length;
  const sorted = values.toSorted();
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}
