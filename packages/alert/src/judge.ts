import { durationMs } from '@belvedere/document';
import { changeLimit, minCompared, usualDeviations, type Condition } from './condition.ts';

/** A value to judge, with what its condition compares it with. */
export interface Sample {
  /** Null if there is no data. For `missing`: the age of the newest data in milliseconds. */
  readonly value: number | null;
  /** The value that a change is measured against. */
  readonly earlier?: number | null;
  /** The values of earlier comparable periods, for `unusual`. */
  readonly comparable?: readonly number[];
}

/** Why a value breaches a condition, or does not: the limits that it was held against. */
export type Reason =
  | {
      readonly kind: 'limit';
      readonly low?: number;
      readonly high?: number;
      /** The limit is `clear`, which the value must pass before the condition ends. */
      readonly isHeld?: true;
    }
  | {
      readonly kind: 'change';
      readonly earlier: number;
      /** Signed; a share of the earlier value if `isShare`. Null if the earlier value is 0. */
      readonly change: number | null;
      readonly isShare: boolean;
      readonly low?: number;
      readonly high?: number;
    }
  | { readonly kind: 'noEarlier' }
  | {
      readonly kind: 'unusual';
      readonly median: number;
      /** The typical deviation from the median, as `spreadOf` computes it. */
      readonly deviation: number;
      readonly spread: Spread['kind'];
      readonly compared: number;
      readonly low?: number;
      readonly high?: number;
    }
  | { readonly kind: 'tooFew'; readonly compared: number; readonly min: number }
  | { readonly kind: 'age'; readonly ageMs: number | null; readonly maxMs: number };

/** What one check of one group found. */
export type Verdict =
  | { readonly kind: 'ok' | 'breach'; readonly value: number | null; readonly reason: Reason }
  | { readonly kind: 'noData' }
  | { readonly kind: 'error'; readonly message: string };

/**
 * Holds a value against a condition.
 * @param isActive whether the condition held at the last check: with `clear`, it then holds on until the value
 *   passes that limit
 */
export function judge(condition: Condition, sample: Sample, isActive: boolean): Verdict {
  const value = sample.value !== null && Number.isNaN(sample.value) ? null : sample.value;
  if (condition.missing !== undefined) return judgeAge(value, durationMs(condition.missing));
  if (value === null) return { kind: 'noData' };
  const reason = reasonOf(condition, value, sample, isActive);
  return { kind: isBreached(value, reason) ? 'breach' : 'ok', value, reason };
}

/** Data that never came is older than any limit. */
function judgeAge(ageMs: number | null, maxMs: number): Verdict {
  const kind = ageMs === null || ageMs > maxMs ? 'breach' : 'ok';
  return { kind, value: ageMs, reason: { kind: 'age', ageMs, maxMs } };
}

function isBreached(value: number, reason: Reason): boolean {
  switch (reason.kind) {
    case 'change':
      // From 0, any change is infinitely large as a share.
      if (reason.change === null) return value > 0 ? reason.high !== undefined : reason.low !== undefined;
      return isAtOrPast(reason.change, reason);
    case 'limit':
      return reason.isHeld ? isAtOrPast(value, reason) : isPast(value, reason);
    case 'unusual':
      return isPast(value, reason);
    default:
      return false;
  }
}

interface Sides {
  readonly low?: number;
  readonly high?: number;
}

function isPast(value: number, { low, high }: Sides): boolean {
  return (high !== undefined && value > high) || (low !== undefined && value < low);
}

function isAtOrPast(value: number, { low, high }: Sides): boolean {
  return (high !== undefined && value >= high) || (low !== undefined && value <= low);
}

function reasonOf(
  { above, below, outside, change, unusual, clear }: Condition,
  value: number,
  { earlier, comparable = [] }: Sample,
  isActive: boolean,
): Reason {
  const held = isActive && clear !== undefined ? { limit: clear } : undefined;
  if (above !== undefined)
    return { kind: 'limit', high: held?.limit ?? above, ...(held && { isHeld: true }) };
  if (below !== undefined) return { kind: 'limit', low: held?.limit ?? below, ...(held && { isHeld: true }) };
  if (outside) return { kind: 'limit', low: outside[0], high: outside[1] };
  if (change) return changeReason(change, value, earlier);
  return unusualReason(unusual ?? {}, comparable);
}

function changeReason(
  change: NonNullable<Condition['change']>,
  value: number,
  earlier: number | null | undefined,
): Reason {
  if (earlier === null || earlier === undefined || Number.isNaN(earlier)) return { kind: 'noEarlier' };
  const { amount, isShare } = changeLimit(change);
  const difference = value - earlier;
  const changed = !isShare
    ? difference
    : difference === 0
      ? 0
      : earlier === 0
        ? null
        : difference / Math.abs(earlier);
  return { kind: 'change', earlier, change: changed, isShare, ...sidesOf(change.direction, -amount, amount) };
}

function unusualReason(
  { deviations = usualDeviations, direction }: NonNullable<Condition['unusual']>,
  comparable: readonly number[],
): Reason {
  const compared = comparable.length;
  if (compared < minCompared) return { kind: 'tooFew', compared, min: minCompared };
  const median = medianOf(comparable);
  const { kind, deviation } = spreadOf(comparable, median);
  return {
    kind: 'unusual',
    median,
    deviation,
    spread: kind,
    compared,
    ...sidesOf(direction, median - deviations * deviation, median + deviations * deviation),
  };
}

function sidesOf(direction: 'up' | 'down' | 'either' | undefined, low: number, high: number): Sides {
  return { ...(direction !== 'up' && { low }), ...(direction !== 'down' && { high }) };
}

/** How far values typically are from their median. */
export interface Spread {
  /**
   * `mad`: the median of the distances. `mean`: their mean, because more than half of them are 0. `none`: all
   * values are equal, so any other value is unusual.
   */
  readonly kind: 'mad' | 'mean' | 'none';
  readonly deviation: number;
}

export function spreadOf(values: readonly number[], median: number): Spread {
  const distances = values.map(value => Math.abs(value - median));
  const mad = medianOf(distances);
  if (mad > 0) return { kind: 'mad', deviation: mad };
  const mean = distances.reduce((sum, distance) => sum + distance, 0) / distances.length;
  return { kind: mean > 0 ? 'mean' : 'none', deviation: mean };
}

/** @throws RangeError without values */
export function medianOf(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('There is no median of no values.');
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
