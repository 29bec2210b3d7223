import { weekdays, type ScheduleFile } from '@belvedere/document';
import { locale } from '../messages/messages.ts';
import { words } from './messages/words.ts';

type Days = NonNullable<ScheduleFile['days']>;

/** The choices of when a report is sent, and what they say in its text. */
export const presets = {
  weekdays: 'weekdays',
  daily: 'every day',
  mondays: ['monday'],
  firstOfMonth: [1],
  firstWorkingDay: 'first working day',
  lastWorkingDay: 'last working day',
  lastDay: 'last day',
} as const satisfies Readonly<Record<string, Days>>;
export type Preset = keyof typeof presets;

/** Returns the choice that a schedule is; undefined for days that none has. */
export function presetOf({ days = 'every day' }: ScheduleFile): Preset | undefined {
  const text = JSON.stringify(days);
  return (Object.keys(presets) as Preset[]).find(name => JSON.stringify(presets[name]) === text);
}

/** Returns a schedule on other days. Every day needs no words. */
export function onDays({ days: _, ...schedule }: ScheduleFile, days: Days): ScheduleFile {
  return days === 'every day' ? schedule : { ...schedule, days };
}

/** January 1, 2024, was a Monday. */
export const weekdayName = (day: (typeof weekdays)[number], style: 'long' | 'short' = 'long'): string =>
  new Intl.DateTimeFormat(locale, { weekday: style, timeZone: 'UTC' }).format(
    Date.UTC(2024, 0, 1 + weekdays.indexOf(day)),
  );

/** Returns when a schedule is due: `Every weekday at 08:00`. */
export function scheduleText(schedule: ScheduleFile): string {
  return words.schedule.at(daysText(schedule), schedule.at);
}

function daysText(schedule: ScheduleFile): string {
  const preset = presetOf(schedule);
  if (preset) return words.schedule.presets[preset];
  const { days } = schedule;
  if (!Array.isArray(days)) return words.schedule.presets.daily;
  const list = new Intl.ListFormat(locale, { type: 'conjunction' });
  if (days.every(day => typeof day === 'number'))
    return words.schedule.datesOfMonth(list.format(days.map(String)));
  return list.format(
    weekdays.filter(day => (days as readonly string[]).includes(day)).map(day => weekdayName(day)),
  );
}

/** Returns a moment on the clocks of a zone: `Mon, Dec 1, 08:00`. */
export function momentIn(at: string, timeZone: string): string {
  return new Intl.DateTimeFormat(locale, {
    timeZone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(at));
}

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns a moment in a schedule's zone, and on this user's clocks if they show another time. */
export function dueText(at: string, zone: string): { readonly there: string; readonly here?: string } {
  const [there, here] = [momentIn(at, zone), momentIn(at, ownZone())];
  return { there, ...(there !== here && { here: words.yourTime(here) }) };
}
