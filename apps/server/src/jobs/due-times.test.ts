import type { ScheduleFile } from '@belvedere/document';
import { describe, expect, test } from 'vitest';
import { latestDue, nextDue, type Schedule } from './due-times.ts';

const minute = 60_000;
const day = 86_400_000;
const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'];
const start = Date.UTC(2026, 0, 1);
/** More than a year, so that each zone changes its clocks three times. */
const end = start + 460 * day;

interface LocalTime {
  readonly date: string;
  readonly time: string;
  readonly weekday: string;
}

type ShownTimes = readonly (LocalTime & { readonly at: number })[];
const known = new Map<string, ShownTimes>();

/** What clocks show in a zone at every minute, in order. */
function localTimes(zone: string): ShownTimes {
  const times = known.get(zone) ?? computedTimes(zone);
  known.set(zone, times);
  return times;
}

function computedTimes(zone: string): ShownTimes {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  const offsetAt = (at: number) => Date.parse(`${format.format(at).replace(' ', 'T')}Z`) - at;
  const all = [];
  for (let hour = start - 2 * day; hour < end + 2 * day; hour += 30 * minute) {
    // Clocks change at full or half hours.
    const offset = offsetAt(hour);
    for (let at = hour; at < hour + 30 * minute; at += minute) {
      const local = new Date(at + offset).toISOString();
      const weekday = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][new Date(at + offset).getUTCDay()]!;
      all.push({ at, date: local.slice(0, 10), time: local.slice(11, 16), weekday });
    }
  }
  return all;
}

/** One due time on each wanted day: the first minute at which its clocks show the time or a later one. */
function plainDueTimes(zone: string, { at: wanted, days = 'every day' }: ScheduleFile): number[] {
  const first = new Map<string, { at: number; weekday: string }>();
  for (const { at, date, time, weekday } of localTimes(zone))
    if (time >= wanted && !first.has(date)) first.set(date, { at, weekday });
  const isWorkday = (date: string) => !['sat', 'sun'].includes(first.get(date)!.weekday);
  const sameMonth = (date: string) => [...first.keys()].filter(other => other.startsWith(date.slice(0, 7)));
  const isWanted = (date: string): boolean => {
    if (Array.isArray(days))
      return (days as readonly (string | number)[]).some(one =>
        typeof one === 'number'
          ? Number(date.slice(8)) === one
          : first.get(date)!.weekday === one.slice(0, 3),
      );
    switch (days) {
      case 'every day':
        return true;
      case 'weekdays':
        return isWorkday(date);
      case 'first working day':
        return sameMonth(date).find(isWorkday) === date;
      case 'last working day':
        return sameMonth(date).findLast(isWorkday) === date;
      default:
        return sameMonth(date).at(-1) === date;
    }
  };
  return [...first].flatMap(([date, { at }]) => (at > start && at <= end && isWanted(date) ? [at] : []));
}

const patterns: readonly ScheduleFile[] = [
  { at: '02:30' },
  { at: '01:30' },
  { at: '02:15' },
  { at: '00:00' },
  { at: '23:59' },
  { at: '08:00', days: 'weekdays' },
  { at: '02:00', days: ['monday', 'sunday'] },
  { at: '02:30', days: [1, 29, 31] },
  { at: '08:00', days: 'first working day' },
  { at: '17:00', days: 'last working day' },
  { at: '03:00', days: 'last day' },
];

describe.each(zones)('in %s, over 460 days', zone => {
  test.each(patterns)('%j is due once on each of its days', pattern => {
    const schedule: Schedule = { kind: 'calendar', pattern, zone };
    const due: number[] = [];
    for (let at = nextDue(schedule, start); at !== undefined && at <= end; at = nextDue(schedule, at))
      due.push(at);
    expect(due).toEqual(plainDueTimes(zone, pattern));
  });

  test('it does not matter how often one looks', () => {
    const schedule: Schedule = { kind: 'calendar', pattern: { at: '02:30' }, zone };
    const due = new Set<number>();
    for (let from = start; from < end; from += 31 * minute) {
      const latest = latestDue(schedule, from, Math.min(end, from + 31 * minute));
      if (latest !== undefined) due.add(latest);
    }
    expect([...due]).toEqual(plainDueTimes(zone, { at: '02:30' }));
  });
});

test('of many missed times, the last one counts', () => {
  const schedule: Schedule = { kind: 'calendar', pattern: { at: '08:00' }, zone: 'Europe/Berlin' };
  const until = Date.UTC(2026, 5, 30, 12);
  expect(latestDue(schedule, start, until)).toBe(Date.UTC(2026, 5, 30, 6));
  expect(latestDue(schedule, Date.UTC(2026, 5, 30, 6), until)).toBeUndefined();
});

test('an interval is due at its multiples, shifted', () => {
  const schedule: Schedule = { kind: 'interval', everyMs: 5 * minute, shiftMs: 17_000 };
  expect(nextDue(schedule, start)).toBe(start + 17_000);
  expect(nextDue(schedule, start + 17_000)).toBe(start + 5 * minute + 17_000);
  expect(latestDue(schedule, start, start + 60 * minute)).toBe(start + 55 * minute + 17_000);
  expect(latestDue(schedule, start + 17_000, start + 60_000)).toBeUndefined();
});

test('the 30th of February never comes, and that ends the search', () => {
  const schedule: Schedule = {
    kind: 'calendar',
    pattern: { at: '08:00', days: [30] },
    zone: 'Europe/Berlin',
  };
  expect(new Date(nextDue(schedule, Date.UTC(2026, 1, 1))!).toISOString()).toBe('2026-03-30T06:00:00.000Z');
});
