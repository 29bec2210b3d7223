import { expect, test } from 'vitest';
import { describeCondition, describeTimes } from './describe-condition.ts';

test.each([
  ['en-US', [2024, 0], [2025, 0], '2024'],
  ['en-US', [2024, 2], [2024, 3], 'Mar 2024'],
  ['en-US', [2024, 0], [2024, 3], 'Q1 2024'],
  ['de-DE', [2024, 2], [2024, 3], 'März 2024'],
  ['de-DE', [2024, 0], [2024, 3], 'Q1 2024'],
  ['zh-CN', [2024, 0], [2024, 3], '2024 年第 1 季度'],
  ['en-US', [2024, 1], [2024, 4], 'Feb – Apr 2024'],
  ['en-US', [2024, 10], [2025, 1], 'Nov 2024 – Jan 2025'],
] as const)('in %s, %j to before %j is %s', (locale, from, below, said) => {
  expect(
    describeTimes(Date.UTC(from[0], from[1]), Date.UTC(below[0], below[1]), locale).replaceAll('\u2009', ' '),
  ).toBe(said);
});

test.each([
  ['en-US', '7 complete days', 'Last 7 days (complete)'],
  ['de-DE', '6 complete months', 'Letzte 6 Monate (abgeschlossen)'],
  ['zh-CN', '7 complete days', '最近 7 天（不含当前）'],
  ['en-US', '7 days', 'Last 7 days'],
])('in %s, the last %s are “%s”', (locale, last, said) => {
  expect(describeCondition({ last }, locale)).toBe(said);
});
