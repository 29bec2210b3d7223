import { z } from 'zod';

export const Weekday = z.enum(['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']);
export type Weekday = z.infer<typeof Weekday>;

export const Month = z.enum(['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december']);
export type Month = z.infer<typeof Month>;

/** How years and weeks are cut, in a workspace or one dashboard of it. */
export const calendarKeys = {
  /** Monday, as in ISO 8601, where it is not said. */
  weekStart: Weekday.optional(),
  /** The first month of `fiscalYear` and `fiscalQuarter`; a fiscal year is called by the year it ends in. January where it is not said. */
  fiscalYearStart: Month.optional(),
};

/** How a dashboard cuts time into weeks and fiscal years. */
export const Calendar = z.strictObject({ weekStart: Weekday, fiscalYearStart: Month });
export type Calendar = z.infer<typeof Calendar>;

type CalendarKeys = { readonly [K in keyof Calendar]?: Calendar[K] | undefined };

/** The calendar of a dashboard: what it says itself, else what its workspace says. */
export function calendarOf(workspace: CalendarKeys, dashboard: CalendarKeys = {}): Calendar {
  return { weekStart: dashboard.weekStart ?? workspace.weekStart ?? 'monday', fiscalYearStart: dashboard.fiscalYearStart ?? workspace.fiscalYearStart ?? 'january' };
}
