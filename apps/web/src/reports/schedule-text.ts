import type { ScheduleFile } from '@belvedere/document';
import { ownZone } from '../data/session/own-zone.ts';
import { locale } from '../messages/messages.ts';
import { describeSchedule } from './describe-schedule.ts';
import { words } from './messages/words.ts';

/** Returns when a schedule is due, in this user's language. */
export const scheduleText = (schedule: ScheduleFile): string =>
  describeSchedule(schedule, words.schedule, locale);

/** Returns a moment on the clocks of a zone: `Mon, Dec 1, 8:00 AM`. */
export function momentIn(at: string, timeZone: string): string {
  return new Intl.DateTimeFormat(locale, {
    timeZone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  }).format(new Date(at));
}

/** Returns a moment in a schedule's zone, and on this user's clocks if they show another time. */
export function dueText(at: string, zone: string): { readonly scheduled: string; readonly local?: string } {
  const [scheduled, local] = [momentIn(at, zone), momentIn(at, ownZone())];
  return { scheduled, ...(scheduled !== local && { local: words.yourTime(local) }) };
}
