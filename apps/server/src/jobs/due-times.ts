import type { ScheduleFile } from '@belvedere/document';
import { Cron } from 'croner';

/** When something runs. */
export type Schedule =
  | { readonly kind: 'calendar'; readonly pattern: ScheduleFile; readonly zone: string }
  /** At the multiples of an interval since 1970, shifted so that not all objects are due at once. */
  | { readonly kind: 'interval'; readonly everyMs: number; readonly shiftMs?: number };

/** The longest time between two due times of a calendar: a 31st, from July to December by way of leap days. */
const longestGapMs = 70 * 86_400_000;
const overlapMs = 3 * 3_600_000;

/**
 * Returns the first due time after a time, ms since 1970; undefined if there is none. A local time that a day
 * lacks is due right after the gap; one that a day has twice is due the first time only.
 */
export function nextDue(schedule: Schedule, after: number): number | undefined {
  if (schedule.kind === 'interval') {
    const { everyMs, shiftMs = 0 } = schedule;
    return (Math.floor((after - shiftMs) / everyMs) + 1) * everyMs + shiftMs;
  }
  const cron = cronOf(schedule.pattern, schedule.zone);
  // Asked from within a repeated hour, the library would name its second time. From before it, it does not.
  let due = cron.nextRun(new Date(after - overlapMs))?.getTime();
  while (due !== undefined && due <= after) due = cron.nextRun(new Date(due))?.getTime();
  return due;
}

/** Returns the last due time after one time, and not after another; undefined if there is none. */
export function latestDue(schedule: Schedule, after: number, until: number): number | undefined {
  if (until <= after) return undefined;
  if (schedule.kind === 'interval') {
    const { everyMs, shiftMs = 0 } = schedule;
    const last = Math.floor((until - shiftMs) / everyMs) * everyMs + shiftMs;
    return last > after ? last : undefined;
  }
  let latest: number | undefined;
  let due = nextDue(schedule, Math.max(after, until - longestGapMs));
  while (due !== undefined && due <= until) {
    latest = due;
    due = nextDue(schedule, due);
  }
  return latest;
}

const crons = new Map<string, Cron>();
const keptCrons = 2000;

/** Parsing a pattern takes longer than finding its next time. */
function cronOf({ at, days = 'every day' }: ScheduleFile, zone: string): Cron {
  const [hour, minute] = at.split(':').map(Number) as [number, number];
  const pattern = `${minute} ${hour} ${dayFields(days)}`;
  const key = `${pattern} ${zone}`;
  const known = crons.get(key);
  if (known) return known;
  const cron = new Cron(pattern, { timezone: zone, paused: true });
  if (crons.size >= keptCrons) crons.clear();
  crons.set(key, cron);
  return cron;
}

/** The fields of a cron pattern for the day of the month, the month, and the weekday. */
function dayFields(days: NonNullable<ScheduleFile['days']>): string {
  switch (days) {
    case 'every day':
      return '* * *';
    case 'weekdays':
      return '* * 1-5';
    case 'first working day':
      return '1W * *';
    case 'last working day':
      return 'LW * *';
    case 'last day':
      return 'L * *';
  }
  const isDates = days.every(day => typeof day === 'number');
  return isDates ? `${days.join(',')} * *` : `* * ${days.map(day => String(day).slice(0, 3)).join(',')}`;
}
