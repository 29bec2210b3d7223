export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export type Weekday = (typeof weekdays)[number];

export const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
] as const;
export type Month = (typeof months)[number];

/** How a dashboard cuts time into weeks and fiscal years. */
export interface Calendar {
  readonly weekStart: Weekday;
  readonly fiscalYearStart: Month;
}

type Said = { readonly [K in keyof Calendar]?: Calendar[K] | undefined };

/** The calendar of a dashboard: what it says itself, else what its workspace says. */
export function calendarOf(workspace: Said, dashboard: Said = {}): Calendar {
  return {
    weekStart: dashboard.weekStart ?? workspace.weekStart ?? 'monday',
    fiscalYearStart: dashboard.fiscalYearStart ?? workspace.fiscalYearStart ?? 'january',
  };
}
