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

/** The stretch that is looked at; its axis runs on to the ends of its first and last steps. */
export function stretchOf(zoom: Adjustment['zoom']): Stretch | undefined {
  const edge = (value: string | number) => (typeof value === 'number' ? value : parseCalendarTime(value));
  return zoom && [edge(zoom.from), edge(zoom.below)];
}

/** A stretch `factor` times as long, in which `fixed` stays where it is. */
export function zoomedAround([from, below]: Stretch, fixed: number, factor: number): Stretch {
  return [fixed - (fixed - from) * factor, fixed + (below - fixed) * factor];
}

/** The stretch in which two values lie at other shares of it than before, as two fingers have drawn them. */
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

/** What a stretch is of, and what is known of how it will be drawn. */
export interface StretchOf {
  readonly type: DataType;
  /** All there is, where that is known. */
  readonly whole?: Stretch | undefined;
  /** The grain of time that the viewer has chosen; else what the stretch asks for. */
  readonly unit?: TimeUnit | undefined;
  readonly calendar: Calendar;
}

/**
 * A stretch as it is kept: of whole months, days or bins, as it will be drawn, since half a month would be
 * drawn as a month with half its
 * rows; two of them at least, within `whole`.
 * @returns undefined where it is all of `whole`
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

/**
 * What a viewer has changed about a tile, with another stretch of it; undefined where nothing is left of
 * that.
 */
export function withZoom(
  adjustment: Adjustment | undefined,
  zoom: Adjustment['zoom'],
): Adjustment | undefined {
  const { zoom: _, ...others } = adjustment ?? {};
  if (zoom) return { ...others, zoom };
  return Object.keys(others).length > 0 ? others : undefined;
}
