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

/** The start of weeks and fiscal years on a dashboard. */
export interface Calendar {
  readonly weekStart: Weekday;
  readonly fiscalYearStart: Month;
}

type Said = { readonly [K in keyof Calendar]?: Calendar[K] | undefined };

/** Returns the calendar of a dashboard: its own settings, else those of its workspace. */
export function calendarOf(workspace: Said, dashboard: Said = {}): Calendar {
  return {
    weekStart: dashboard.weekStart ?? workspace.weekStart ?? 'monday',
    fiscalYearStart: dashboard.fiscalYearStart ?? workspace.fiscalYearStart ?? 'january',
  };
}
