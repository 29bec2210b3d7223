import { expect, test } from 'vitest';
import { formatNumber, formatPeriod } from './format.ts';

test.each([
  [[1983, 0, 1], [1993, 0, 1], 'en-US', '1983 – 1992'],
  [[2001, 0, 1], [2002, 0, 1], 'en-US', '2001'],
  [[2001, 0, 1], [2001, 3, 1], 'en-US', 'Jan – Mar 2001'],
  [[2001, 2, 9], [2001, 2, 15], 'en-US', 'Mar 9 – 14, 2001'],
  [[2001, 2, 9], [2001, 2, 10], 'en-US', 'Mar 9, 2001'],
  [[2000, 11, 30], [2001, 0, 2], 'en-US', 'Dec 30, 2000 – Jan 1, 2001'],
  [[1983, 0, 1], [1993, 0, 1], 'de-DE', '1983–1992'],
  [[2001, 2, 9], [2001, 2, 15], 'zh-CN', '2001/3/9 – 2001/3/14'],
] as const)('from %j to before %j in %s: %s', (from, below, locale, said) => {
  const [start, end] = [from, below].map(([year, month, day]) => Date.UTC(year, month, day)) as [number, number];
  expect(formatPeriod(start, end, locale).replaceAll('\u2009', ' ')).toBe(said);
});

test.each([['.1f', '0.0', '−0.1'], ['integer', '0', '0'], ['percent', '−3.0%', '−6.0%']])('what is written as nothing bears no sign: %s', (format, little, more) => {
  expect([formatNumber(-0.03, format, 'en-US', 'label'), formatNumber(-0.06, format, 'en-US', 'label')]).toEqual([little, more]);
});
