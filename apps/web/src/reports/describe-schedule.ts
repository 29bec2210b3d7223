import { weekdays, type ScheduleFile } from '@belvedere/document';
import type { ReportMessages } from './messages/en.ts';

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
export const weekdayIn = (
  locale: string,
  day: (typeof weekdays)[number],
  style: 'long' | 'short' = 'long',
): string =>
  new Intl.DateTimeFormat(locale, { weekday: style, timeZone: 'UTC' }).format(
    Date.UTC(2024, 0, 1 + weekdays.indexOf(day)),
  );

/** Returns when a schedule is due: `Every weekday at 08:00`. */
export function describeSchedule(
  schedule: ScheduleFile,
  words: ReportMessages['schedule'],
  locale: string,
): string {
  return words.at(describeDays(schedule, words, locale), schedule.at);
}

function describeDays(schedule: ScheduleFile, words: ReportMessages['schedule'], locale: string): string {
  const preset = presetOf(schedule);
  if (preset) return words.presets[preset];
  const { days } = schedule;
  if (!Array.isArray(days)) return words.presets.daily;
  const list = new Intl.ListFormat(locale, { type: 'conjunction' });
  if (days.every(day => typeof day === 'number')) return words.datesOfMonth(list.format(days.map(String)));
  const chosen = weekdays.filter(day => (days as readonly string[]).includes(day));
  return list.format(chosen.map(day => weekdayIn(locale, day)));
}
