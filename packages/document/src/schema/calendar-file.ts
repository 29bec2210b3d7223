import { z } from 'zod';
import { months, weekdays } from '../calendar-of.ts';

const Weekday = z.enum(weekdays);
const Month = z.enum(months);

/** The start of weeks and fiscal years, for a workspace or one of its dashboards. */
export const calendarKeys = {
  /** Monday by default, as in ISO 8601. */
  weekStart: Weekday.optional(),
  /**
   * The first month of `fiscalYear` and `fiscalQuarter`; January by default. A fiscal year is named after the
   * year it ends in.
   */
  fiscalYearStart: Month.optional(),
};

/** A `Calendar`, as in API responses. */
export const ResolvedCalendar = z.strictObject({ weekStart: Weekday, fiscalYearStart: Month });
