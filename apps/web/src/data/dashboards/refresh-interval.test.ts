import { expect, test, vi } from 'vitest';

vi.stubGlobal('document', { documentElement: { dataset: { locale: 'en-US' } } });
const { describeRefresh, intervalText, refreshMs } = await import('./refresh-interval.ts');

test.each([
  ['5 seconds', '5 sec'],
  ['60 seconds', '1 min'],
  ['90 minutes', '90 min'],
  ['120 minutes', '2 hr'],
  ['1 day', '1 day'],
])('an interval of %s is written as %s', (every, text) => {
  expect(intervalText(every)).toBe(text);
});

test('only a dashboard with an interval refreshes', () => {
  const document = { version: 1 as const, title: 'A', pages: [{ title: 'B', tiles: {} }] };
  const refreshed = { document: { ...document, refresh: { every: '5 minutes' } } };
  expect(refreshMs(refreshed)).toBe(300_000);
  expect(describeRefresh(refreshed)).toBe('Refreshes every 5 min');
  expect(refreshMs({ document })).toBeUndefined();
  expect(describeRefresh({ document })).toBeUndefined();
});
