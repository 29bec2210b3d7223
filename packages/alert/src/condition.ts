import type { AlertFile } from '@belvedere/document';

export type Condition = AlertFile['when'];

/** The unit of a series' periods. Fiscal quarters and years count as quarters and years. */
export type PeriodUnit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

/** Conditions that compare a value with those of earlier periods. */
export function needsPeriods({ change, unusual }: Condition): boolean {
  return change?.against === 'same weekday' || unusual !== undefined;
}

/** How many deviations from the median are unusual, unless the alert says so. */
export const usualDeviations = 4;

/** With fewer earlier values, none is unusual. */
export const minCompared = 5;

/** Earlier values that the median is computed from, at most. */
export const maxCompared = 30;

/** A week's positions on a series, by the unit of its periods. Longer units have no weekdays. */
export const perWeek: Readonly<Partial<Record<PeriodUnit, number>>> = {
  minute: 7 * 24 * 60,
  hour: 7 * 24,
  day: 7,
};

const perDay: Readonly<Partial<Record<PeriodUnit, number>>> = { minute: 24 * 60, hour: 24 };

/**
 * Which earlier periods an unusual value is compared with: those of the same weekday for days, of the same hour
 * for hours and minutes, and all for longer periods.
 */
export function comparedBy(
  { by }: NonNullable<Condition['unusual']>,
  unit: PeriodUnit,
): NonNullable<NonNullable<Condition['unusual']>['by']> {
  const usual = perDay[unit] !== undefined ? 'hour' : perWeek[unit] !== undefined ? 'weekday' : 'nothing';
  return by ?? usual;
}

/**
 * The distance between comparable periods, in positions; undefined if the unit does not allow it. Periods of a
 * day compared by weekday are those at the same time of day.
 */
export function comparedStep(by: ReturnType<typeof comparedBy>, unit: PeriodUnit): number | undefined {
  if (by === 'weekday') return perWeek[unit];
  return by === 'hour' ? perDay[unit] : 1;
}

/** A change as a share of the earlier value, or as a number. */
export function changeLimit({ by }: NonNullable<Condition['change']>): {
  readonly amount: number;
  readonly isShare: boolean;
} {
  return typeof by === 'number'
    ? { amount: by, isShare: false }
    : { amount: Number(by.slice(0, -1)) / 100, isShare: true };
}
