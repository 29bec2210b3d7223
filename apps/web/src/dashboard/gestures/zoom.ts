import type { Calendar, TimeUnit } from '@belvedere/document';
import { isTemporal, niceStep, unitFor, type DataType } from '@belvedere/model';
import {
  addUnits,
  formatCalendarTime,
  onCalendar,
  parseCalendarTime,
  positionLimits,
  startOf,
  type Adjustment,
  type CalendarUnit,
} from '@belvedere/query';

/** A stretch of an axis of numbers or times (wall-clock milliseconds), from its lower to its upper end. */
export type Stretch = readonly [number, number];

/** The zoomed range. The axis extends to the ends of its first and last steps. */
export function stretchOf(zoom: Adjustment['zoom']): Stretch | undefined {
  const edge = (value: string | number) => (typeof value === 'number' ? value : parseCalendarTime(value));
  return zoom && [edge(zoom.from), edge(zoom.below)];
}

/** The range `factor` times as long in which `fixed` keeps its position. */
export function zoomedAround([from, below]: Stretch, fixed: number, factor: number): Stretch {
  return [fixed - (fixed - from) * factor, fixed + (below - fixed) * factor];
}

/** The range in which two values are at new shares of it, as moved by two fingers. */
export function pinched(
  [from, below]: Stretch,
  before: readonly [number, number],
  after: readonly [number, number],
): Stretch {
  const valueAt = (share: number) => from + (below - from) * share;
  const [a, b] = [valueAt(before[0]), valueAt(before[1])];
  const spread = after[1] - after[0];
  // Fingers beside each other say nothing of how long it is to be.
  if (Math.abs(spread) < 0.02 || Math.sign(spread) !== Math.sign(before[1] - before[0])) return [from, below];
  const length = (b - a) / spread;
  return [a - after[0] * length, a + (1 - after[0]) * length];
}

/** The type of a range, and how it will be drawn. */
export interface StretchOf {
  readonly type: DataType;
  /** All there is, where that is known. */
  readonly whole?: Stretch | undefined;
  /** The user's time unit, or the one that suits the range. */
  readonly unit?: TimeUnit | undefined;
  readonly calendar: Calendar;
}

/**
 * The range as it is saved: in whole months, days or bins, since half a month would be drawn as a month with
 * half its rows. It has at least two of them, within `whole`.
 * @returns undefined if it is all of `whole`
 */
export function settledStretch(
  wanted: Stretch,
  { type, whole, unit, calendar }: StretchOf,
): NonNullable<Adjustment['zoom']> | undefined {
  if (whole && wanted[1] - wanted[0] >= (whole[1] - whole[0]) * 0.98) return undefined;
  const shift = whole ? Math.max(0, whole[0] - wanted[0]) - Math.max(0, wanted[1] - whole[1]) : 0;
  const within: Stretch = [wanted[0] + shift, wanted[1] + shift];
  const round = isTemporal(type)
    ? (stretch: Stretch) =>
        inUnits(
          stretch,
          onCalendar(unit ?? unitFor({ min: stretch[0], max: stretch[1] - 1 }, type), calendar),
        )
    : (stretch: Stretch) => inBins(stretch, type);
  // Rounded, it may ask for coarser units or bins than before.
  const [from, below] = round(round(within));
  return isTemporal(type)
    ? { from: formatCalendarTime(from), below: formatCalendarTime(below) }
    : { from, below };
}

function inUnits([from, below]: Stretch, unit: CalendarUnit): Stretch {
  const before = startOf(unit, from);
  const after = addUnits(unit, before, 1);
  const start = from - before < after - from ? before : after;
  const usual = (addUnits(unit, start, 12) - start) / 12;
  return [start, addUnits(unit, start, Math.max(2, Math.round((below - from) / usual)))];
}

function inBins([from, below]: Stretch, type: DataType): Stretch {
  // Closer than numbers can tell them apart, there is nothing to see.
  const step = niceStep(
    Math.max(below - from, Math.max(Math.abs(from), Math.abs(below)) * 1e-9),
    positionLimits.bins,
    type === 'integer',
  );
  const start = Math.round(from / step);
  const count = Math.max(2, Math.round((below - from) / step));
  return [Number((start * step).toPrecision(12)), Number(((start + count) * step).toPrecision(12))];
}

/** The user's changes to a tile, with another range. Undefined if no change is left. */
export function withZoom(
  adjustment: Adjustment | undefined,
  zoom: Adjustment['zoom'],
): Adjustment | undefined {
  const { zoom: _, ...others } = adjustment ?? {};
  if (zoom) return { ...others, zoom };
  return Object.keys(others).length > 0 ? others : undefined;
}
