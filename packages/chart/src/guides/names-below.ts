import type { Axis } from '@belvedere/query';
import { linesOf, wrapText } from '../text/text-width.ts';
import { categoryLabel, isCalendarCycle, legible, type LabelsWanted } from './place-axis.ts';
import { slantedDepth } from './slanted-labels.ts';

/** The distance between the lines of a name. */
export const lineHeight = 13;
/** A name has this many lines at most. */
export const maxLines = 3;

/** The layout of names along x below a plot. */
export interface NamesBelow {
  /** The depth of slanted names; 0 for horizontal ones. */
  readonly slanted: number;
  /** How many lines there are for level names. */
  readonly lines: number;
  /** The total height. */
  readonly depth: number;
}

/** One line of level names. */
export const oneLine: NamesBelow = { slanted: 0, lines: 1, depth: 20 };

/**
 * Wraps names that are too wide if they stay whole, else slants them if positions are narrow, else wraps and
 * cuts them.
 * @param room the width of a position
 * @param height of the whole chart
 */
export function namesBelow(
  axis: Axis | undefined,
  room: number,
  height: number,
  locale: string,
  size: number,
  wanted: LabelsWanted,
  options: { readonly canSlant?: boolean; readonly deepest?: number } = {},
): NamesBelow {
  if (axis?.kind !== 'categories' || axis.values.every(value => typeof value === 'number')) return oneLine;
  const names = axis.values.map((_, position) => categoryLabel(axis, position, locale, wanted));
  if (isCalendarCycle(names, locale)) return oneLine;
  // Names must not take the height that the marks need.
  const maxFitting = Math.max(1, Math.min(maxLines, Math.floor((height - 60) / 40)));
  const needed = Math.max(1, ...names.map(name => linesOf(name, room - 4, size)));
  const slanted =
    needed > maxFitting && options.canSlant !== false
      ? slantedDepth(axis, room, height, locale, size, wanted, options.deepest)
      : 0;
  if (slanted > 0) return { slanted, lines: 1, depth: slanted + 8 };
  // Names are on one line if some of them are left out.
  const lines =
    needed > maxFitting && room < legible
      ? 1
      : Math.max(1, ...names.map(name => wrapText(name, room - 4, size, maxFitting).length));
  return { slanted: 0, lines, depth: oneLine.depth + (lines - 1) * lineHeight };
}
