import type { Reference } from '@belvedere/document';
import type { ChannelAxis, ChartInput, ChartMeasure } from '../chart.ts';
import { positionOf, type Position } from '../scales/position.ts';
import type { Mark, Rectangle } from '../scene.ts';
import { textWidth } from '../text-width.ts';
import { wordsIn } from '../words.ts';
import { horizontalLabels } from './place-axis.ts';
import { valueScale, type ValueScale, type ValueScaleOptions } from './value-axis.ts';

export const labelSize = 11;

/** A plot with places along x and one measure, or two, along y. */
export interface Frame {
  readonly plot: Rectangle;
  readonly position?: Position;
  readonly scale: ValueScale;
  /** The scale at the right, for measures of another size. */
  readonly right?: ValueScale;
  readonly guides: readonly Mark[];
}

interface Measured {
  readonly extent: readonly [number, number];
  readonly measure: ChartMeasure;
  readonly options?: ValueScaleOptions;
}

/**
 * Lays out grid, labels and scales around marks that stand upright.
 * @param places how much of the width the axis takes, where something else stands beside its places
 */
export function uprightFrame(input: ChartInput, axis: ChannelAxis | undefined, left: Measured, right?: Measured, places = 1): Frame {
  const { size, theme, locale } = input;
  const [bottom, top] = [size.height - 20, 8];
  const scaleOf = ({ extent: [low, high], measure, options }: Measured, ticks?: number) => valueScale(low, high, bottom, top, measure, locale, { ...(ticks && { ticks }), ...options });
  const scale = scaleOf(withReferences(left, 'references' in input.tile ? input.tile.references : undefined));
  // Lines of both scales would cross each other: the right one has its labels only.
  const other = right && scaleOf(right);
  const widthOf = ({ ticks }: ValueScale) => Math.max(...ticks.map(tick => textWidth(tick.label, labelSize)), 12) + 8;
  const rightWidth = other ? widthOf(other) : input.tile.kind === 'bar' ? 4 : 6;
  const plot = { x: widthOf(scale), y: top, width: Math.max(10, size.width - widthOf(scale) - rightWidth), height: Math.max(10, bottom - top) };
  const position = axis && positionOf(axis, plot.x, plot.x + plot.width * places, isReversed(input, axis.channel));
  const words = wordsIn(locale);
  const note = scale.isLog ? words.logScale : scale.startsAt === undefined ? undefined : words.startsAt(scale.startsAt);
  const guides: Mark[] = [
    ...scale.ticks.flatMap((tick): Mark[] => [
      { kind: 'rects', xywh: [plot.x, Math.round(tick.pixel), plot.width, 1], fill: tick.value === 0 ? theme.axis : theme.grid },
      { kind: 'text', x: plot.x - 8, y: tick.pixel + 4, text: tick.label, fill: theme.text3, align: 'right', size: labelSize },
    ]),
    ...(other?.ticks ?? []).map((tick): Mark => ({ kind: 'text', x: plot.x + plot.width + 8, y: tick.pixel + 4, text: tick.label, fill: theme.text3, align: 'left', size: labelSize })),
    ...(note && !input.isInRow ? [{ kind: 'text', x: plot.x + plot.width, y: plot.y + plot.height - 5, text: note, fill: theme.text3, align: 'right', size: 10 } as const] : []),
    ...(position ? horizontalLabels(position, locale, labelSize).map((label): Mark => ({ kind: 'text', x: label.pixel, y: size.height - 4, text: label.label, fill: theme.text3, align: label.align, size: labelSize })) : []),
  ];
  return { plot, ...(position && { position }), scale, ...(other && { right: other }), guides };
}

/** Whether a field runs from right to left, or from the top down. */
export function isReversed({ tile }: ChartInput, channel: string): boolean {
  const encoding = (tile as unknown as Record<string, { scale?: { reverse?: boolean } } | undefined>)[channel];
  return encoding?.scale?.reverse === true;
}

/** A scale makes room for what its marks are measured by. */
export function withReferences(measured: Measured, references: readonly Reference[] | undefined): Measured {
  const values = (references ?? []).flatMap(({ y }) => (typeof y === 'number' ? [y] : Array.isArray(y) ? y : []));
  return values.length === 0 ? measured : { ...measured, extent: [Math.min(measured.extent[0], ...values), Math.max(measured.extent[1], ...values)] };
}

/** What an encoding says of its measure's scale. */
export function scaleOptions(encoding: { readonly scale?: { readonly type?: ValueScaleOptions['type']; readonly domain?: readonly [number, number] | undefined } | undefined } | undefined): ValueScaleOptions {
  return { ...(encoding?.scale?.type && { type: encoding.scale.type }), ...(encoding?.scale?.domain && { domain: encoding.scale.domain }) };
}
