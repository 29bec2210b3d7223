import { expect, test } from 'vitest';
import { lightTheme } from '../theme/theme.ts';
import { colourScale } from './colour.ts';

const scale = (low: number, high: number) =>
  colourScale([low, high], { label: 'Trips', isAdditive: true }, { theme: lightTheme, locale: 'en' });

test.each([
  ['nothing but zeros', 'least', 0, 0, 0],
  ['nothing but sevens', 'most', 7, 7, 7],
  ['the minimum of several values', 'least', 0, 9, 0],
  ['the maximum of several values', 'most', 0, 9, 9],
] as const)('%s has the colour of the %s', (_, expected, low, high, value) => {
  const { colours, bucketOf } = scale(low, high);
  expect(bucketOf(value)).toBe(expected === 'least' ? 0 : colours.length - 1);
});

test('a legend that begins at zero has no decimals there', () => {
  const measure = { label: 'Revenue', isAdditive: true, format: '.2f' };
  const { legend } = colourScale([12.5, 523.06], measure, { theme: lightTheme, locale: 'en' });
  expect(legend(200, 10).flatMap(mark => (mark.kind === 'text' ? [mark.text] : []))).toEqual(['0', '523.06']);
});
