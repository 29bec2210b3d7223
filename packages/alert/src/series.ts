import {
  comparedBy,
  comparedStep,
  maxCompared,
  perWeek,
  type Condition,
  type PeriodUnit,
} from './condition.ts';
import type { Sample } from './judge.ts';

/** The value of one period, or of a figure at one time. Times are wall-clock milliseconds. */
export interface Point {
  readonly from: number;
  readonly below: number;
  readonly value: number | null;
  /** Of a figure: its value in the period that it is compared with. */
  readonly earlier?: number | null;
}

/** The values of one group, oldest first, without gaps between periods: missing values are null. */
export interface Series {
  /** Identifies the group; empty for an alert without groups. */
  readonly group: string;
  /** The group for display. */
  readonly label: string;
  readonly points: readonly Point[];
}

/** The value of one point with the earlier values that a condition compares it with. */
export function sampleAt(
  points: readonly Point[],
  index: number,
  condition: Condition,
  unit: PeriodUnit | undefined,
): Sample {
  const value = points[index]?.value ?? null;
  const { change, unusual } = condition;
  if (change) {
    const own = points[index]?.earlier;
    if (own !== undefined) return { value, earlier: own };
    const back = change.against === 'same weekday' ? unit && perWeek[unit] : 1;
    return { value, earlier: (back && points[index - back]?.value) ?? null };
  }
  if (unusual && unit) {
    const step = comparedStep(comparedBy(unusual, unit), unit);
    return { value, comparable: step === undefined ? [] : valuesBefore(points, index, step) };
  }
  return { value };
}

function valuesBefore(points: readonly Point[], index: number, step: number): number[] {
  const values: number[] = [];
  for (let i = index - step; i >= 0 && values.length < maxCompared; i -= step) {
    const value = points[i]!.value;
    if (value !== null) values.push(value);
  }
  return values;
}
