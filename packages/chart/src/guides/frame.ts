import type { Annotation, Reference } from '@belvedere/document';
import { positionsOf } from '@belvedere/query';
import type { ChannelAxis, ChartInput, ChartMeasure } from '../chart.ts';
import { positionScale, type PositionScale } from '../scales/position.ts';
import type { Mark, Rectangle } from '../scene.ts';
import { textWidth } from '../text/text-width.ts';
import { chartMessagesIn } from '../text/chart-messages.ts';
import { axisOptions, type AxisOptions } from './axis-options.ts';
import { horizontalLabels } from './place-axis.ts';
import { lineHeight, namesBelow, oneLine, type NamesBelow } from './names-below.ts';
import { slantedLabels } from './slanted-labels.ts';
import { valueScale, type ValueScale, type ValueScaleOptions } from './value-axis.ts';

export const labelSize = 11;

/** A plot with positions along x and one or two measures along y. */
export interface Frame {
  readonly plot: Rectangle;
  readonly axisScale?: PositionScale;
  readonly scale: ValueScale;
  /** The scale at the right, for measures of another magnitude. */
  readonly right?: ValueScale;
  readonly guides: readonly Mark[];
}

interface Measured {
  readonly extent: readonly [number, number];
  readonly measure: ChartMeasure;
  readonly options?: ValueScaleOptions;
  readonly axis?: AxisOptions;
}

/**
 * Lays out grid, labels and scales of a chart with a vertical value axis.
 * @param positions the share of the width for the axis, if something else is beside it
 */
export function uprightFrame(
  input: ChartInput,
  axis: ChannelAxis | undefined,
  left: Measured,
  right?: Measured,
  positions = 1,
): Frame {
  const { size, theme, locale } = input;
  const along = axisOptions((input.tile as { readonly x?: unknown }).x);
  // Bars would cover a note within the plot, since they stand on its lower edge.
  const isNoteAbove =
    input.tile.kind === 'bar' &&
    !input.isInRow &&
    (left.options?.type === 'log' || (left.options?.domain?.[0] ?? 0) > 0);
  const top = 8 + (input.headroom ?? 0) + (isNoteAbove ? 8 : 0);
  const scaleOf = ({ extent: [low, high], measure, options, axis }: Measured, depth: number) =>
    valueScale(low, high, size.height - depth, top, measure, locale, {
      ...(axis?.tickCount && { ticks: axis.tickCount }),
      ...(axis?.format && { format: axis.format }),
      ...options,
    });
  const widthOf = ({ ticks }: ValueScale, axis?: AxisOptions) =>
    axis?.labels === false ? 2 : Math.max(...ticks.map(tick => textWidth(tick.label, labelSize)), 12) + 8;
  const measured = withMeasured(left, input.tile);
  const scalesAbove = (depth: number) => {
    const scale = scaleOf(measured, depth);
    // The right scale has labels without grid lines, which would mix with those of the left one.
    const other = right && scaleOf(right, depth);
    return {
      scale,
      other,
      leftWidth: widthOf(scale, left.axis),
      rightWidth: other ? widthOf(other, right.axis) : input.tile.kind === 'bar' ? 4 : 6,
    };
  };
  const level = scalesAbove(along.labels ? oneLine.depth : 6);
  const room =
    ((size.width - level.leftWidth - level.rightWidth) * positions) / (axis ? positionsOf(axis) : 1);
  const names = along.labels
    ? // The total of a waterfall stands level beside its names.
      namesBelow(axis, room, size.height, locale, labelSize, along, {
        canSlant: input.tile.kind !== 'waterfall',
      })
    : { ...oneLine, depth: 6 };
  const { scale, other, leftWidth, rightWidth } =
    names.depth > oneLine.depth ? scalesAbove(names.depth) : level;
  const bottom = size.height - names.depth;
  const plot = {
    x: leftWidth,
    y: top,
    width: Math.max(10, size.width - leftWidth - rightWidth),
    height: Math.max(10, bottom - top),
  };
  const axisScale =
    axis && positionScale(axis, plot.x, plot.x + plot.width * positions, isReversed(input, axis.channel));
  const guides: Mark[] = [
    ...scale.ticks.flatMap((tick): Mark[] => [
      // The baseline stays, with or without a grid.
      ...(left.axis?.grid !== false || tick.value === 0
        ? [
            {
              kind: 'rects',
              xywh: [plot.x, Math.round(tick.pixel), plot.width, 1],
              fill: tick.value === 0 ? theme.axis : theme.grid,
            } as const,
          ]
        : []),
      ...(left.axis?.labels !== false
        ? [
            {
              kind: 'text',
              x: plot.x - 8,
              y: tick.pixel + 4,
              text: tick.label,
              fill: theme.text3,
              align: 'right',
              size: labelSize,
            } as const,
          ]
        : []),
    ]),
    ...((right?.axis?.labels !== false && other?.ticks) || []).map((tick): Mark => ({
      kind: 'text',
      x: plot.x + plot.width + 8,
      y: tick.pixel + 4,
      text: tick.label,
      fill: theme.text3,
      align: 'left',
      size: labelSize,
    })),
    ...scaleNote(scale, { x: plot.x + plot.width, y: isNoteAbove ? 10 : bottom - 5 }, input),
    ...(axisScale ? labelsBelow(axisScale, plot, along, size.height - 4, input, names) : []),
  ];
  return { plot, ...(axisScale && { axisScale }), scale, ...(other && { right: other }), guides };
}

/**
 * A note on a scale that does not begin at zero or is not linear. Among charts that are alike, the first has
 * it.
 * @param at its right end and baseline
 */
export function scaleNote(
  { isLog, startsAt }: ValueScale,
  at: { readonly x: number; readonly y: number },
  { isInRow, theme, locale }: Pick<ChartInput, 'isInRow' | 'theme' | 'locale'>,
): Mark[] {
  const words = chartMessagesIn(locale);
  const note = isLog ? words.logScale : startsAt === undefined ? undefined : words.startsAt(startsAt);
  return note === undefined || isInRow
    ? []
    : [{ kind: 'text', ...at, text: note, fill: theme.text3, align: 'right', size: 10 }];
}

/**
 * Draws the labels along x, and grid lines if requested.
 * @param baseline of their last line
 */
export function labelsBelow(
  axisScale: PositionScale,
  plot: Rectangle,
  { labels, grid, ...wanted }: AxisOptions,
  baseline: number,
  { theme, locale }: Pick<ChartInput, 'theme' | 'locale'>,
  { slanted, lines }: NamesBelow = oneLine,
): Mark[] {
  const { axis } = axisScale;
  if (slanted > 0 && axis.kind === 'categories')
    return slantedLabels(
      { ...axisScale, axis },
      plot.y + plot.height,
      slanted,
      locale,
      labelSize,
      theme.text3,
      wanted,
    );
  return horizontalLabels(axisScale, locale, labelSize, wanted, lines).flatMap((label): Mark[] => [
    ...(grid
      ? [
          {
            kind: 'rects',
            xywh: [Math.round(label.pixel), plot.y, 1, plot.height],
            fill: theme.grid,
          } as const,
        ]
      : []),
    ...(labels
      ? [label.label, ...(label.below ?? [])].map((text, line): Mark => ({
          kind: 'text',
          x: label.pixel,
          y: baseline - (lines - 1 - line) * lineHeight,
          text,
          fill: theme.text3,
          align: label.align,
          size: labelSize,
        }))
      : []),
  ]);
}

/** Whether a field's axis is reversed. */
export function isReversed({ tile }: ChartInput, channel: string): boolean {
  const encoding = (tile as unknown as Record<string, { scale?: { reverse?: boolean } } | undefined>)[
    channel
  ];
  return encoding?.scale?.reverse === true;
}

/** Extends a scale's extent to reference lines and annotations. */
function withMeasured(measured: Measured, tile: ChartInput['tile']): Measured {
  const { references = [], annotations = [] } = tile as {
    readonly references?: readonly Reference[];
    readonly annotations?: readonly Annotation[];
  };
  const isLog = measured.options?.type === 'log';
  const values = [...references, ...annotations]
    .flatMap(({ y }) => (typeof y === 'number' ? [y] : Array.isArray(y) ? y : []))
    .filter(value => !isLog || value > 0);
  return values.length === 0
    ? measured
    : {
        ...measured,
        extent: [Math.min(measured.extent[0], ...values), Math.max(measured.extent[1], ...values)],
      };
}

/** Returns the scale options of an encoding. */
export function scaleOptions(
  encoding:
    | {
        readonly scale?:
          | {
              readonly type?: ValueScaleOptions['type'];
              readonly domain?: readonly [number, number] | undefined;
            }
          | undefined;
      }
    | undefined,
): ValueScaleOptions {
  return {
    ...(encoding?.scale?.type && { type: encoding.scale.type }),
    ...(encoding?.scale?.domain && { domain: encoding.scale.domain }),
  };
}
