import { describe, expect, test } from 'vitest';
import type { QuietHours } from '@belvedere/api';
import { quietUntil } from './quiet-hours.ts';

const all = [1, 2, 3, 4, 5, 6, 7];
const nights: QuietHours = {
  from: '22:00',
  to: '07:00',
  zone: 'Europe/Berlin',
  days: all,
  passesCritical: true,
};
const at = (text: string) => Date.parse(text);
const until = (quiet: QuietHours, text: string) => {
  const time = quietUntil(quiet, at(text));
  return time === undefined ? undefined : new Date(time).toISOString();
};

describe('quiet hours', () => {
  test('go over midnight and end in their own zone', () => {
    expect(until(nights, '2026-11-29T20:59:59Z')).toBeUndefined();
    expect(until(nights, '2026-11-29T21:00:00Z')).toBe('2026-11-30T06:00:00.000Z');
    expect(until(nights, '2026-11-30T05:59:59Z')).toBe('2026-11-30T06:00:00.000Z');
    expect(until(nights, '2026-11-30T06:00:00Z')).toBeUndefined();
    // Summer time.
    expect(until(nights, '2026-07-01T20:00:00Z')).toBe('2026-07-02T05:00:00.000Z');
  });

  test('count for the day on which they begin', () => {
    const sunday = { ...nights, days: [7] };
    expect(until(sunday, '2026-11-28T22:00:00Z')).toBeUndefined();
    expect(until(sunday, '2026-11-29T22:00:00Z')).toBe('2026-11-30T06:00:00.000Z');
    expect(until(sunday, '2026-11-30T04:00:00Z')).toBe('2026-11-30T06:00:00.000Z');
    expect(until(sunday, '2026-11-30T22:00:00Z')).toBeUndefined();
  });

  test('last over a weekend if they are whole days', () => {
    const weekend = { ...nights, from: '00:00', to: '00:00', days: [6, 7] };
    expect(until(weekend, '2026-11-27T23:00:00Z')).toBe('2026-11-29T23:00:00.000Z');
    expect(until(weekend, '2026-11-27T22:59:00Z')).toBeUndefined();
  });

  test('that never end are checked again after eight days', () => {
    const always = { ...nights, from: '00:00', to: '00:00' };
    expect(quietUntil(always, at('2026-11-29T12:00:00Z'))).toBeGreaterThan(at('2026-12-07T12:00:00Z'));
  });

  test.each([
    ['a clock put forward', '2026-03-29T00:00:00Z', 'Europe/Berlin'],
    ['a clock put back', '2026-10-25T00:00:00Z', 'Europe/Berlin'],
    ['a clock put forward by half an hour', '2026-10-03T15:00:00Z', 'Australia/Lord_Howe'],
  ])('end as by the minute, around %s', (_, night, zone) => {
    const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
    const first = at(night) - 6 * 3_600_000;
    const clock = Array.from({ length: 42 * 60 }, (_, i) => format.format(first + i * 60_000));
    for (const [from, to] of [
      ['22:00', '02:30'],
      ['01:45', '03:10'],
      ['23:00', '22:45'],
    ] as const) {
      const isQuiet = (time: string) => (from < to ? time >= from && time < to : time >= from || time < to);
      for (let minute = 0; minute < 14 * 60; minute += 23) {
        const end = clock.findIndex((time, i) => i > minute && !isQuiet(time));
        const expected = isQuiet(clock[minute]!) ? first + end * 60_000 : undefined;
        const found = quietUntil({ ...nights, from, to, zone }, first + minute * 60_000);
        expect([from, to, minute, found]).toEqual([from, to, minute, expected]);
      }
    }
  });
});
