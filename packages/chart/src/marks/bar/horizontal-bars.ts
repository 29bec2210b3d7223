import type { ChannelAxis, Chart } from '../../chart.ts';
import { formatLabels } from '../../text/format.ts';
import { axisOptions } from '../../guides/axis-options.ts';
import { isReversed, labelSize, scaleNote, scaleOptions } from '../../guides/frame.ts';
import { namesBeside } from '../../guides/names-beside.ts';
import { positionName } from '../../guides/place-axis.ts';
import { valueScale, type ValueScale } from '../../guides/value-axis.ts';
import { positionScale } from '../../scales/position.ts';
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

/** Bars of more than a few rows are no thicker than that; a few fill more of their rows. */
const thickest = 18;
const thickestOfFew = 28;
const shareOfFew = 0.45;

/** Bars along x, with their names at the left and their values at their ends. */
export function horizontalBars(bars: Bars, axis: ChannelAxis): Chart {
  const { input, theme, stacks, series, encoding, measure, low, high, valueAxis, otherPosition } = bars;
  const { size, locale } = input;
  const { mode, lanes, slots } = stacks;
  const names = Array.from({ length: slots }, (_, position) => positionName(axis, position, locale));
  const { labels: hasNames } = axisOptions((input.tile as { readonly y?: unknown }).y);
  const top = input.headroom ?? 0;
  const beside = namesBeside(names, size.width * 0.4 - 8, (size.height - top - 2) / slots, 12);
  const labelWidth = hasNames ? beside.width + 8 : 2;
  const tips = stacks.ends(input.filtered ?? input.base);
  const values = formatLabels(
    names.map((_, position) => tipOf(tips, position)),
    measure.format,
    locale,
  );
  // Its values stand in for an axis, unless the tile says otherwise.
  const hasValues = (input.tile as { readonly labels?: boolean }).labels ?? valueAxis.labels;
  const valueWidth =
    hasValues && mode !== 'normalized'
      ? Math.max(...values.map(value => textWidth(value, labelSize)), 28) + 8
      : 4;
  const width = Math.max(10, size.width - labelWidth - valueWidth);
  const scale = valueScale(
    low,
    high,
    labelWidth,
    labelWidth + width,
    measure,
    locale,
    scaleOptions(encoding),
  );
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
          position >= (axis.kind === 'categories' ? axis.values.length : Infinity) ? theme.text3 : theme.text,
        )
      : [],
  );
  guides.push(...valueLines(bars, scale, plot, note));
  const maxThickness = Math.min(thickestOfFew, Math.max(thickest, rowHeight * shareOfFew));
  const thickness = Math.max(1, Math.min(Math.round(maxThickness), rowHeight * (1 - barGap)));
  const middles = Float64Array.from(names, (_, position) => axisScale.middle(position));
  const edge = plot.x + plot.width;
  const broken = brokenScale(bars, scale, edge);
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
      const end = lastBox(bars, list, position, only, scale, writeBox);
      if (!end) return undefined;
      const [x, y, width, height] = end.xywh;
      return { x: end.isBelow ? x : x + width, y: y + height / 2 };
    },
    marks: (list, look) => {
      const isSelected = look.isSelected && ((position: number) => look.isSelected!(-1, position));
      const rectangles = barRectangles(list, bars, scale, writeBox, isSelected, look.isMuted);
      const cut = broken ? [horizontalBreak({ scale, edge, thickness, theme }, middles[otherPosition]!)] : [];
      if (look.isMuted) return [...rectangles, ...cut];
      if (mode === 'normalized')
        return [...rectangles, ...(hasValues ? shareLabels(list, bars, scale, writeBox, isSelected) : [])];
      const tipsNow = stacks.ends(list);
      const texts = formatLabels(
        names.map((_, position) => tipOf(tipsNow, position)),
        measure.format,
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
      return [...rectangles, ...cut, ...labels];
    },
  };
}

/** Lines at the ticks of the values and at zero, with a note on an unusual scale between them. */
function valueLines(
  { valueAxis, theme, low }: Bars,
  scale: ValueScale,
  plot: Chart['plot'],
  note: readonly Mark[],
): Mark[] {
  const lines: Mark[] = [];
  if (valueAxis.grid)
    for (const tick of scale.ticks)
      lines.push({
        kind: 'rects',
        xywh: [Math.round(tick.pixel), plot.y, 1, plot.height],
        fill: theme.grid,
      });
  lines.push(...note);
  if (low < 0)
    lines.push({
      kind: 'rects',
      xywh: [Math.round(scale.zero), plot.y, 1, plot.height],
      fill: theme.axis,
    });
  return lines;
}

/** Draws a slanted gap through the bar of Other. */
function horizontalBreak(
  {
    scale,
    edge,
    thickness,
    theme,
  }: {
    readonly scale: ValueScale;
    readonly edge: number;
    readonly thickness: number;
    readonly theme: Bars['theme'];
  },
  middle: number,
): Mark {
  const x = scale.zero + (edge - scale.zero) * breakAt;
  const [top, bottom] = [Math.round(middle - thickness / 2) - 1, Math.round(middle + thickness / 2) + 1];
  return {
    kind: 'path',
    d: `M${x} ${bottom}L${x + 5} ${top}L${x + 9} ${top}L${x + 4} ${bottom}Z`,
    fill: theme.surface,
  };
}
