import type { AlertFile } from '@belvedere/document';
import { describe, expect, test } from 'vitest';
import { describeCondition } from './describe-condition.ts';

const formats = {
  value: (value: number) => `${value} €`,
  share: (share: number) => `${share * 100}%`,
  age: (ms: number) => `${ms / 60_000} min`,
};
type Rule = Pick<AlertFile, 'when' | 'hold'>;
const said = (rule: Rule, locale = 'en') => describeCondition(rule, formats, locale);

describe('the condition of an alert', () => {
  test.each<[Rule, string]>([
    [{ when: { above: 15 } }, 'Above 15 €'],
    [{ when: { below: 7, clear: 8 } }, 'Below 7 €, until above 8 €'],
    [{ when: { above: 7 }, hold: '10 minutes' }, 'Above 7 €, for at least 10 min'],
    [{ when: { outside: [1, 2] } }, 'Below 1 € or above 2 €'],
    [
      { when: { change: { by: '20%', direction: 'down' } } },
      'Falls by 20% or more against the previous period',
    ],
    [
      { when: { change: { by: 5, against: 'same weekday' } } },
      'Rises or falls by 5 € or more against the same weekday before',
    ],
    [{ when: { unusual: {} } }, 'More than 4 typical deviations from the median'],
    [
      { when: { unusual: { deviations: 2.5, by: 'hour', direction: 'up' } } },
      'More than 2.5 typical deviations above the median of the same hour',
    ],
    [{ when: { missing: '2 hours' } }, 'The newest data is older than 120 min'],
  ])('%j is a phrase', (rule, phrase) => {
    expect(said(rule)).toBe(phrase);
  });

  test('is written in the language of the user', () => {
    const rule: Rule = { when: { above: 7, clear: 6 }, hold: '10 minutes' };
    expect(said(rule, 'de')).toBe('Über 7 €, bis unter 6 €, mindestens 10 min lang');
    expect(said(rule, 'zh')).toBe('高于 7 €，直到低于 6 €，持续至少 10 min');
  });
});
