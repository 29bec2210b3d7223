import { z } from 'zod';
import { weekdays } from '../calendar-of.ts';
import { TimeZone } from './workspace-file.ts';

/** A time of day on a 24-hour clock, such as `08:00`. */
const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of day such as `08:00`');

const someDays = ['every day', 'weekdays', 'first working day', 'last working day', 'last day'] as const;

const Days = z.union([
  z.enum(someDays).meta({ description: 'the first and last days are those of a month' }),
  z.array(z.enum(weekdays)).min(1).max(7),
  z.array(z.number().int().min(1).max(31)).min(1).max(31).meta({ description: 'days of the month' }),
]);

/**
 * When something runs: at a time of day, on days, in a zone. A time that a day lacks, because clocks are put
 * forward, runs right after the gap; a time that a day has twice runs once.
 */
export const ScheduleFile = z.strictObject({
  at: TimeOfDay,
  /** Every day by default. */
  days: Days.optional(),
  /** The workspace's by default. */
  timezone: TimeZone.optional(),
});
export type ScheduleFile = z.infer<typeof ScheduleFile>;
