import { expect, test } from 'vitest';
import { relativeTime } from './relative-time.ts';

const now = new Date('2026-03-10T12:00:00Z');
const ago = (seconds: number, locale = 'en') =>
  relativeTime(new Date(now.getTime() - seconds * 1000), now, locale);

test.each([
  [5, 'now'],
  [-30, 'now'],
  [60, '1 minute ago'],
  [59 * 60, '59 minutes ago'],
  [3 * 3600, '3 hours ago'],
  [86_400, 'yesterday'],
  [5 * 86_400, '5 days ago'],
  [8 * 86_400, 'last week'],
  [70 * 86_400, '2 months ago'],
  [800 * 86_400, '2 years ago'],
])('%s seconds are “%s”', (seconds, text) => expect(ago(seconds)).toBe(text));

test('relative times are in the reader’s language', () => {
  expect(ago(7200, 'de')).toBe('vor 2 Stunden');
  expect(ago(7200, 'zh')).toBe('2小时前');
});
