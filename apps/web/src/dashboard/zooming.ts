import { formatCalendarTime, parseCalendarTime, type Adjustment } from '@belvedere/query';

/** A stretch of an axis of numbers or times (wall-clock milliseconds), from its lower to its upper end. */
export type Stretch = readonly [number, number];

/** What the ends of a stretch may be: of a field of days whole days, of times minutes, of numbers anything. */
export type Grain = 'day' | 'minute' | 'number';

const dayMs = 86_400_000;
const least = { day: 2 * dayMs, minute: 10 * 60_000, number: 0 } as const;

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
export function pinched([from, below]: Stretch, before: readonly [number, number], after: readonly [number, number]): Stretch {
  const valueAt = (share: number) => from + (below - from) * share;
  const [a, b] = [valueAt(before[0]), valueAt(before[1])];
  const spread = after[1] - after[0];
  // Fingers beside each other say nothing of how long it is to be.
  if (Math.abs(spread) < 0.02 || Math.sign(spread) !== Math.sign(before[1] - before[0])) return [from, below];
  const length = (b - a) / spread;
  return [a - after[0] * length, a + (1 - after[0]) * length];
}

/**
 * A stretch as it is kept: rounded to what its ends may be, no shorter than that has a meaning, within `whole` where that is known.
 * @returns undefined where it is all of `whole`
 */
export function settledStretch(wanted: Stretch, grain: Grain, whole: Stretch | undefined): NonNullable<Adjustment['zoom']> | undefined {
  const shortest = grain === 'number' ? ((whole?.[1] ?? wanted[1]) - (whole?.[0] ?? wanted[0])) / 1e6 : least[grain];
  const length = Math.min(Math.max(wanted[1] - wanted[0], shortest), whole ? whole[1] - whole[0] : Infinity);
  if (whole && length >= (whole[1] - whole[0]) * 0.98) return undefined;
  const middle = (wanted[0] + wanted[1]) / 2;
  const from = whole ? Math.max(whole[0], Math.min(whole[1] - length, middle - length / 2)) : middle - length / 2;
  if (grain === 'number') {
    // As many digits as tell places on the screen apart.
    const digit = 10 ** (Math.floor(Math.log10(length)) - 3);
    const round = (value: number) => Number((Math.round(value / digit) * digit).toPrecision(12));
    return { from: round(from), below: round(from + length) };
  }
  const step = grain === 'day' ? dayMs : 60_000;
  const start = Math.round(from / step) * step;
  return { from: formatCalendarTime(start), below: formatCalendarTime(start + Math.max(step, Math.round(length / step) * step)) };
}

/** What a reader has changed about a tile, with another stretch of it; undefined where nothing is left of that. */
export function withZoom(adjustment: Adjustment | undefined, zoom: Adjustment['zoom']): Adjustment | undefined {
  const { zoom: _, ...others } = adjustment ?? {};
  if (zoom) return { ...others, zoom };
  return Object.keys(others).length > 0 ? others : undefined;
}
