import { expect, test } from 'vitest';
import { timeFormat, timeTexts, type TimeCell } from './excel-times.ts';

const cells = (format: string, ...days: number[]): TimeCell[] =>
  days.map(value => ({ ...timeFormat(format)!, days: value }));

test.each([
  ['yyyy\\-mm\\-dd', 'date'],
  ['[$-409]d\\-mmm\\-yy;@', 'date'],
  ['mmm', 'date'],
  ['dd/mm/yyyy hh:mm', 'date'],
  ['h:mm AM/PM', 'clock'],
  ['mm:ss.0', 'clock'],
  ['[h]:mm:ss', 'duration'],
  ['[mm]:ss', 'duration'],
  ['General', undefined],
  ['0.00E+00', undefined],
  ['#,##0.00 "days"', undefined],
  ['[Red]0.00', undefined],
  ['[$€-407] #,##0', undefined],
  ['@', undefined],
])('the format %s shows a %s', (format, shows) => expect(timeFormat(format)?.shows).toBe(shows));

test('every whole second of a day is imported exactly', () => {
  const seconds = Array.from({ length: 86_400 }, (_, i) => i);
  const texts = timeTexts(
    cells('yyyy-mm-dd hh:mm:ss', ...seconds.map(second => 45_292 + second / 86_400)),
    false,
  );
  const expected = seconds.map(second =>
    new Date(Date.UTC(2024, 0, 1) + second * 1000).toISOString().slice(0, 19).replace('T', ' '),
  );
  expect(texts).toEqual(expected);
});

test.each<[string, TimeCell[], boolean, string[]]>([
  ['dates, if all values are', cells('m/d/yy h:mm', 45_292, 45_293), false, ['2024-01-01', '2024-01-02']],
  [
    'timestamps, if one of the values has a time',
    cells('m/d/yy', 45_292, 45_293.5),
    false,
    ['2024-01-01 00:00:00', '2024-01-02 12:00:00'],
  ],
  ['times of day', cells('h:mm', 0, 0.5, 23 / 24), false, ['00:00:00', '12:00:00', '23:00:00']],
  [
    'durations by their format',
    cells('[h]:mm', 1.25, 1 / 3, -0.5),
    false,
    ['30:00:00', '08:00:00', '-12:00:00'],
  ],
  ['durations, if one is longer than a day', cells('h:mm', 0.5, 1.5), false, ['12:00:00', '36:00:00']],
  [
    'timestamps, if a time format holds a current date',
    cells('h:mm', 45_292.5),
    false,
    ['2024-01-01 12:00:00'],
  ],
  [
    'the days of early 1900',
    cells('yyyy-mm-dd', 1, 59, 60, 61),
    false,
    ['1900-01-01', '1900-02-28', '1900-02-29', '1900-03-01'],
  ],
  ['days counted from 1904', cells('yyyy-mm-dd', 1, 60), true, ['1904-01-02', '1904-03-01']],
  [
    'milliseconds, if the format shows them',
    cells('hh:mm:ss.000', 0.5 + 0.0625 / 86_400),
    false,
    ['12:00:00.063'],
  ],
  ['whole seconds, if it does not', cells('hh:mm:ss', 0.5 + 0.4 / 86_400), false, ['12:00:00']],
  [
    'numbers that are no dates as they are',
    cells('yyyy-mm-dd', 45_292, 2_958_465, 2_958_466, 4_006_381_333_931, 1e300, -5),
    false,
    ['2024-01-01', '9999-12-31', '2958466', '4006381333931', '1e+300', '-5'],
  ],
  [
    'the last day, counted from 1904',
    cells('d.m.yyyy', 2_957_003, 2_957_004),
    true,
    ['9999-12-31', '2957004'],
  ],
  [
    'numbers that are no times as they are',
    cells('h:mm', 0.5, 1e15),
    false,
    ['12:00:00', '1000000000000000'],
  ],
  ['nothing', [], false, []],
])('a column of times: %s', (_, column, countsFrom1904, texts) =>
  expect(timeTexts(column, countsFrom1904)).toEqual(texts),
);
