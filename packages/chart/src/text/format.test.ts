import { expect, test } from 'vitest';
import {
  changeAsWritten,
  formatAxis,
  formatAxisValue,
  formatExactly,
  formatLabels,
  formatNumber,
  formatPeriod,
  formatPlainly,
  formatValue,
  formatWithin,
} from './format.ts';

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
  const [start, end] = [from, below].map(([year, month, day]) => Date.UTC(year, month, day)) as [
    number,
    number,
  ];
  expect(formatPeriod(start, end, locale).replaceAll('\u2009', ' ')).toBe(said);
});

test.each([
  ['.1f', '0.0', '−0.1'],
  ['integer', '0', '0'],
  ['percent', '−3.0%', '−6.0%'],
])('a number rounded to zero has no sign: %s', (format, little, more) => {
  expect([
    formatNumber(-0.03, format, 'en-US', 'label'),
    formatNumber(-0.06, format, 'en-US', 'label'),
  ]).toEqual([little, more]);
});

test.each([
  [395, 'en-US', '395 B'],
  [11_600, 'en-US', '11.6 kB'],
  [395, 'de-DE', '395 B'],
  [11_600, 'de-DE', '11,6 kB'],
])('a size of %i bytes is written in %s as %s, with a space in every unit', (bytes, locale, said) => {
  expect(formatNumber(bytes, 'bytes', locale, 'label').replace(/\s/u, ' ')).toBe(said);
});

test.each([
  ['.2%', 'label', '12.35%'],
  ['.0%', 'full', '12%'],
  ['.2%', 'axis', '12.35%'],
  ['percent', 'full', '12.3%'],
  ['.2s', 'label', '0.12'],
])('of a share as %s, %s, is %s', (format, shortness, said) => {
  expect(formatNumber(0.12345, format, 'en-US', shortness as 'full')).toBe(said);
});

test('numbers keep two significant digits, with their unit', () => {
  expect([12_345, 1_234_567].map(value => formatNumber(value, '.2s', 'en-US', 'full'))).toEqual([
    '12K',
    '1.2M',
  ]);
});

test.each([
  ['en-US', 'integer', ['14.9K', '−49.6K', '1M', '1.23M']],
  ['zh-CN', 'integer', ['1.49万', '−4.96万', '100万', '123万']],
  // Without a short form for thousands every digit stands: rounded, they would look as if it did.
  ['de-DE', 'integer', ['14.876', '−49.574', '999.999', '1,23 Mio.']],
  ['de-DE', '.1f', ['14.876', '−49.574', '999.999', '1,23 Mio.']],
  ['de-DE', 'currency:EUR', ['14.876 €', '−49.574 €', '999.999 €', '1,23 Mio. €']],
])(
  'large numbers in %s, as %s, are abbreviated if the language has an abbreviation',
  (locale, format, said) => {
    expect(
      [14_876, -49_574, 999_999, 1_234_567].map(value =>
        formatNumber(value, format, locale, 'label').replaceAll('\u00a0', ' '),
      ),
    ).toEqual(said);
  },
);

test.each([
  [45_512.3, '45.5K', '45,512.30'],
  [9444.27, '9,444', '9,444.27'],
  [-1000.5, '−1,001', '−1,000.50'],
  [826.65, '826.65', '826.65'],
])('a label of %d as .2f is %s, and %s in full', (value, label, full) => {
  expect((['label', 'full'] as const).map(how => formatNumber(value, '.2f', 'en-US', how))).toEqual([
    label,
    full,
  ]);
  expect(formatAxisValue(9444.27, '.2f', 'en-US'), 'an axis of this format').toBe('9,444.27');
});

test.each([
  [17.1, 'de', '17,1'],
  [-0.25, 'de', '−0,25'],
  [2001, 'de', '2001'],
  ['12345678901234567890.10', 'de', '12345678901234567890,10'],
  [3809.414586, 'en', '3809.414586'],
  [3809.414586, 'zh', '3809.414586'],
])('every digit of %s in %s: %s', (value, locale, text) => {
  expect(formatExactly(value, locale)).toBe(text);
  if (typeof value === 'number')
    expect(formatNumber(value, 'plain', locale, 'full'), 'a measure with the format plain').toBe(text);
});

test.each([
  [[0, 5000, 10_000, 15_000], undefined, 'en-US', ['0', '5K', '10K', '15K']],
  [[0, 1000, 2000], undefined, 'en-US', ['0', '1,000', '2,000']],
  [[-500_000, 0, 500_000, 1_000_000], 'integer', 'en-US', ['−0.5M', '0', '0.5M', '1M']],
  [[0, 2500, 5000, 7500, 10_000], 'currency:USD', 'en-US', ['$0', '$2.5K', '$5K', '$7.5K', '$10K']],
  [[0, 0.5, 1], 'currency:USD', 'en-US', ['$0.00', '$0.50', '$1.00']],
  [[0, 500_000, 1_000_000], 'bytes', 'en-US', ['0 MB', '0.5 MB', '1 MB']],
  [[0, 1800, 3600], 'duration', 'en-US', ['0 hr', '0.5 hr', '1 hr']],
  [[0, 600_000, 1_200_000], 'duration:ms', 'en-US', ['0 min', '10 min', '20 min']],
  [[0, 5000, 10_000], undefined, 'de-DE', ['0', '5.000', '10.000']],
  [[0, 500_000, 1_000_000], undefined, 'de-DE', ['0', '0,5 Mio.', '1 Mio.']],
  [[0, 5000, 10_000], undefined, 'zh-CN', ['0', '0.5万', '1万']],
  [[0, 0.1, 0.2], 'percent', 'en-US', ['0%', '10%', '20%']],
] as const)('an axis of %j as %s in %s has a uniform format: %j', (values, format, locale, labels) => {
  expect(formatAxis(values, format, locale).map(label => label.replaceAll('\u00a0', ' '))).toEqual(labels);
});

test('each number along a logarithmic axis has its own unit', () => {
  const options = { isLog: true };
  expect(formatAxis([0.1, 10, 1000, 100_000, 1e7], undefined, 'en-US', options)).toEqual([
    '0.1',
    '10',
    '1K',
    '100K',
    '10M',
  ]);
  expect(formatAxis([10, 100, 1000], undefined, 'en-US', options)).toEqual(['10', '100', '1,000']);
});

test.each([
  [34.7999992, '34.8', '34.8'],
  [9.27365472132547, '9.27365', '9.273655'],
  [12_345_678.912345, '12345678.91', '12,345,678.91'],
  [0.000012345678, '0.0000123457', '0.00001234568'],
  [2001, '2001', '2001'],
  [123_456_789_012, '123456789012', '123,456,789,012'],
  [-0.1 - 0.2, '−0.3', '−0.3'],
])('%s without a format is %s in a row, %s as a name', (value, inRow, asName) => {
  expect([formatPlainly(value, 'en-US'), formatValue(value, 'en-US')]).toEqual([inRow, asName]);
});

test.each([
  [0.0004, 0],
  [-0.0004, 0],
  [0.0006, 0.001],
  [-0.0512, -0.051],
  [Number.NaN, Number.NaN],
  [Infinity, Infinity],
])('a change of %s is written as %s: near zero it has no direction', (change, written) => {
  expect(Object.is(changeAsWritten(change), written)).toBe(true);
});

test.each([
  [0.1 + 0.2, 1, '0.3'],
  [12.3456789, 8, '12.346'],
  [12.3456789, 700, '12.3'],
  [1000.12345, 0.01, '1000.12345'],
  [48_213.75, 2_000_000, '48214'],
  [-0.00012345, 0.001, '−0.000123'],
  [12.3456789, 0, '12.3457'],
])('%d on an axis that spans %d is %s', (value, span, said) => {
  expect(formatWithin(value, span, 'en-US')).toBe(said);
});

test('averages of numbers that are never grouped have no raw digits', () => {
  expect(
    [1997, 1997.333333333333, 0.1 + 0.2].map(value => formatNumber(value, 'plain', 'en-US', 'full')),
  ).toEqual(['1997', '1997.33', '0.3']);
});

test('small numbers without a format keep four significant digits', () => {
  expect(
    [0.00123456, 0.98765, 12.34567].map(value => formatNumber(value, undefined, 'en-US', 'full')),
  ).toEqual(['0.001235', '0.9877', '12.3457']);
});

test.each([
  [90_600, '1 day 1 hr 10 min'],
  [5400, '1 hr 30 min'],
  [3661, '1 hr 1 min 1 sec'],
  [92.456, '1 min 32.456 sec'],
  [5437.33, '1 hr 31 min'],
  [59.9996, '1 min'],
  [-45, '-45 sec'],
  [0, '0 sec'],
])('a duration of %s seconds is written in full as %s', (seconds, text) => {
  expect(formatNumber(seconds, 'duration', 'en-US', 'full').replace('−', '-')).toBe(text);
});

test.each([
  [[13_800, 7392.4, 523.1, 59_000], 'en-US', ['13.8K', '7.39K', '523', '59.0K']],
  [[20_000, 10_000], 'en-US', ['20K', '10K']],
  [[2907.3, 930.2, -14.6], 'en-US', ['2,907', '930', '−15']],
  [[523.1, 0.25, 0.001], 'en-US', ['523.1', '0.3', '0.001']],
  [[20_000, 0.25, 0, Number.NaN], 'en-US', ['20K', '0.25', '0', '–']],
  // German has no short form below a million.
  [[13_800, 7392.4], 'de-DE', ['13.800', '7.392']],
])('labels beside each other, %j in %s, are as exact as the largest', (values, locale, labels) => {
  expect(formatLabels(values, undefined, locale)).toEqual(labels);
});

test.each([
  [[59_000, 65_600], 'currency:USD', ['$59.0K', '$65.6K']],
  [[59_000, 7392.4, 523.5], 'currency:USD', ['$59.0K', '$7.39K', '$524']],
  [[2907.3, 930.25], 'currency:USD', ['$2,907', '$930']],
  [[930, 12.5], 'currency:USD', ['$930.00', '$12.50']],
  [[930, 12], 'currency:USD', ['$930', '$12']],
  [[13_800, 523.1], '.2f', ['13.8K', '523']],
  [[2907.3, 930.25], '.1f', ['2,907', '930']],
  [[930.25, 12], '.1f', ['930.3', '12.0']],
  [[13_800, 2000, 950], '.2s', ['14K', '2.0K', '950']],
  [[0.5, 0.25], 'percent', ['50.0%', '25.0%']],
  [[34.67, 9.2736, 5], undefined, ['34.67', '9.27', '5.00']],
  [[3.5, 4, 0.001_23], undefined, ['3.500', '4.000', '0.001']],
])('labels beside each other, %j as %s, are in one form', (values, format, labels) => {
  expect(formatLabels(values, format, 'en-US')).toEqual(labels);
});

test.each([
  [0, 'en-US', '12 AM'],
  [14, 'en-US', '2 PM'],
  [14.5, 'en-US', '2:30 PM'],
  [14, 'de-DE', '14 Uhr'],
  [9.25, 'de-DE', '9:15'],
  [14, 'zh-CN', '14时'],
] as const)('the hour of the day %d in %s is %s', (hour, locale, said) => {
  expect(formatNumber(hour, 'hour', locale, 'axis').replace(/\s/gu, ' ')).toBe(said);
  expect(formatAxis([0, hour], 'hour', locale).at(-1)!.replace(/\s/gu, ' ')).toBe(said);
});
