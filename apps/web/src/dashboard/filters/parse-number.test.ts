import { expect, test } from 'vitest';
import { parseNumber, typedNumber } from './parse-number.ts';

test.each([
  ['en', '1,000', 1000],
  ['en', '1,234.5', 1234.5],
  ['en', '12,34,567', 1_234_567],
  ['en', '1,5', 1.5],
  ['en', '$1,200.50', 1200.5],
  ['en', '-.5', -0.5],
  ['en', '−3', -3],
  ['en', '1e5', 100_000],
  ['en', '12.3%', 0.123],
  ['de', '1.000', 1000],
  ['de', '1.234,5', 1234.5],
  ['de', '1,5', 1.5],
  ['de', '1.5', 1.5],
  ['de', '1,000', 1],
  ['de', '1 234,50 €', 1234.5],
  ['de-CH', '1’234.5', 1234.5],
  ['zh', '1,000', 1000],
])('in %s, %s is %d', (locale, text, value) => expect(parseNumber(text, locale)).toBe(value));

test.each(['a', '1-2', '1.2.3', '12 kg', '--1', '%', '1,00,0'])('%s is no number', text =>
  expect(parseNumber(text, 'en')).toBeNaN(),
);

test('an empty text is not a number', () => expect(parseNumber('  ', 'en')).toBeUndefined());

test.each([
  ['en', 0.123, '12.3%'],
  ['de', 0.123, '12,3%'],
  ['en', -0.07, '-7%'],
  ['en', 1e-9, '1e-7%'],
])('of percentages, in %s, %d is written %s, and parsed back', (locale, value, text) => {
  expect(typedNumber(value, locale, true)).toBe(text);
  expect(parseNumber(text, locale, true)).toBe(value);
  expect(parseNumber(text.slice(0, -1), locale, true)).toBe(value);
});

test.each([
  ['en', 1234.5, '1234.5'],
  ['de', 1234.5, '1234,5'],
  ['de', 1234, '1234'],
])('in %s, %d is written %s, and parsed back', (locale, value, text) => {
  expect(typedNumber(value, locale)).toBe(text);
  expect(parseNumber(text, locale)).toBe(value);
});
