import { z } from 'zod';
import { months, weekdays } from '../calendar-of.ts';

const Weekday = z.enum(weekdays);
const Month = z.enum(months);

/** How years and weeks are cut, in a workspace or one dashboard of it. */
export const calendarKeys = {
  /** Monday, as in ISO 8601, where it is not said. */
  weekStart: Weekday.optional(),
  /** The first month of `fiscalYear` and `fiscalQuarter`; a fiscal year is called by the year it ends in. January where it is not said. */
  fiscalYearStart: Month.optional(),
};

/** A `Calendar`, as it travels. */
export const CalendarAnswer = z.strictObject({ weekStart: Weekday, fiscalYearStart: Month });
