import { expect, test } from 'vitest';
import { targetOf, targetText } from './target-text.ts';

const euros = { format: 'currency:EUR' };

test.each([
  // value, target, measure, text, share, isGood
  [1_230_000, 1_500_000, euros, '82% of €1.5M', 0.82, undefined],
  [1_230_000, 1_500_000, { ...euros, better: 'up' }, '✗ 82% of €1.5M', 0.82, false],
  [1_500_000, 1_500_000, { ...euros, better: 'up' }, '✓ 100% of €1.5M', 1, true],
  [1_800_000, 1_500_000, { ...euros, better: 'up' }, '✓ 120% of €1.5M', 1, true],
  // Just missed is not 100%.
  [1_499_999, 1_500_000, { ...euros, better: 'up' }, '✗ 99% of €1.5M', 0.999999333, false],
  [29, 100, { unit: 'min', better: 'down' }, '✓ 29% of 100 min', 0.29, true],
  [130, 100, { unit: 'min', better: 'down' }, '✗ 130% of 100 min', 1, false],
  // Shares and numbers below zero have no share of their target.
  [0.12, 0.1, { format: 'percent', better: 'down' }, '✗ Target 10.0%', 1, false],
  [0.05, 0.1, { format: 'percent' }, 'Target 10.0%', 0.5, undefined],
  [-20, 100, { better: 'up' }, '✗ Target 100', 0, false],
  [5, 0, { better: 'up' }, '✓ Target 0', 0, true],
  [Number.NaN, 100, { better: 'up' }, 'Target 100', 0, undefined],
] as const)('%d with a target of %d and %o is “%4$s”', (value, target, measure, text, share, isGood) => {
  const said = targetText(value, target, measure, 'en-US')!;
  expect([said.text, said.isGood]).toEqual([text, isGood]);
  expect(said.share).toBeCloseTo(share, 6);
});

test('a figure without a target, or whose target has no value, says nothing', () => {
  for (const target of [undefined, Number.NaN]) expect(targetText(1, target, {}, 'en-US')).toBeUndefined();
});

test.each([
  ['en-US', '82% of 1.5M, target missed'],
  ['de-DE', '82\u00a0% von 1,5\u00a0Mio., Ziel verfehlt'],
  ['zh-CN', '150万 的 82%，未达成目标'],
])('screen readers hear in %s that a target is missed', (locale, sentence) => {
  expect(targetText(1_230_000, 1_500_000, { better: 'up' }, locale)?.sentence).toBe(sentence);
});

test('the target is a number of the tile, or the second value of its query', () => {
  const value = { measure: 'revenue' };
  expect(targetOf({ kind: 'kpi', value, target: 9 }, [1])).toBe(9);
  for (const kind of ['kpi', 'gauge'] as const)
    expect(targetOf({ kind, value, target: { measure: 'goal' } }, [1, 7])).toBe(7);
  expect(targetOf({ kind: 'kpi', value }, [1])).toBeUndefined();
});
