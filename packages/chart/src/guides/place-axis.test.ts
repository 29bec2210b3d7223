import type { Axis } from '@belvedere/query';
import { describe, expect, test } from 'vitest';
import { positionScale } from '../scales/position.ts';
import { horizontalLabels, positionName } from './place-axis.ts';
import { slantedDepth, slantedLabels } from './slanted-labels.ts';

const labels = (
  unit: 'minute' | 'hour' | 'day' | 'month' | 'quarter',
  from: string,
  count: number,
  width = 600,
) => {
  const axis: Axis = { kind: 'times', field: 'time', unit, from: Date.parse(`${from}Z`), count };
  // The space that `Intl` puts before AM is one that does not break.
  return horizontalLabels(positionScale(axis, 0, width), 'en', 11).map(({ label }) =>
    label.replace(/\s/g, ' '),
  );
};

describe('labels along a time axis', () => {
  test.each([
    [
      'hours of several days begin at midnight, which is labelled by its day',
      labels('hour', '2015-05-17T10:00', 84),
      ['May 17, 12 PM', 'May 18', '12 PM', 'May 19', '12 PM', 'May 20', '12 PM'],
    ],
    [
      'the first hour is labelled with its day',
      labels('hour', '2021-07-21T06:00', 5),
      ['Jul 21, 6 AM', '7 AM', '8 AM', '9 AM', '10 AM'],
    ],
    [
      '… and a minute, where there is room',
      labels('minute', '2021-07-21T06:07', 50),
      ['Jul 21, 6:15 AM', '6:30 AM', '6:45 AM'],
    ],
    [
      '… else the time alone',
      labels('hour', '2021-07-21T06:00', 9),
      ['6 AM', '7 AM', '8 AM', '9 AM', '10 AM', '11 AM', '12 PM', '1 PM', '2 PM'],
    ],
    [
      'the first month is labelled with its year',
      labels('month', '2023-11-01', 6),
      ['Nov 2023', 'Dec', '2024', 'Feb', 'Mar', 'Apr'],
    ],
    [
      'every second quarter is the first or the third',
      labels('quarter', '2020-04-01', 14),
      ['Jul 2020', '2021', 'Jul', '2022', 'Jul', '2023', 'Jul'],
    ],
  ])('%s', (_, said, expected) => expect(said).toEqual(expected));
});

describe('numeric labels use the model’s format', () => {
  const bins = (origin: number, step: number, format?: string, count = 4): Axis => ({
    kind: 'bins',
    field: 'price',
    origin,
    step,
    count,
    ...(format !== undefined && { format }),
  });
  test.each([
    [bins(0, 0.25), ['0', '0.25', '0.5', '0.75', '1'], '0.25 to 0.5'],
    [bins(0, 0.25, 'percent'), ['0%', '25%', '50%', '75%', '100%'], '25.0% to 50.0%'],
    [bins(0, 500), ['0', '500', '1,000', '1,500', '2,000'], '500 to 1,000'],
    [bins(1990, 2), ['1990', '1992', '1994', '1996', '1998'], '1992 to 1994'],
    [bins(0, 5000), ['0', '5K', '10K', '15K', '20K'], '5,000 to 10,000'],
    [bins(0, 50_000, 'currency:USD'), ['$0', '$50K', '$100K', '$150K', '$200K'], '$50,000 to $100,000'],
  ])('%j', (axis, along, second) => {
    expect(horizontalLabels(positionScale(axis, 0, 600), 'en', 11).map(({ label }) => label)).toEqual(along);
    expect(positionName(axis, 1, 'en')).toBe(second);
  });

  test.each([
    [
      'large ones with equal abbreviations',
      bins(3_288_000_000, 500_000),
      ['3,288,000,000', '3,288,500,000', '3,289,000,000', '3,289,500,000', '3,290,000,000'],
    ],
    [
      'percentages finer than their format',
      bins(0.1, 0.0002, 'percent'),
      ['0.1', '0.1002', '0.1004', '0.1006', '0.1008'],
    ],
  ])('with enough digits to distinguish them: %s', (_, axis, along) => {
    expect(horizontalLabels(positionScale(axis, 0, 600), 'en', 11).map(({ label }) => label)).toEqual(along);
    // Where there is no room for all, some are left out.
    const narrow = horizontalLabels(positionScale(axis, 0, 200), 'en', 11);
    expect(narrow.every(({ pixel }, i) => i === 0 || pixel - narrow[i - 1]!.pixel >= 40)).toBe(true);
    expect(new Set(narrow.map(({ label }) => label)).size).toBe(narrow.length);
    expect(positionName(axis, 0, 'en')).toBe(`${along[0]} to ${along[1]}`);
  });

  test.each([
    ['round numbers', bins(0, 0.2, undefined, 27), 440, ['0', '1', '2', '3', '4', '5']],
    ['whole prices without cents', bins(0, 50, ',.2f', 14), 420, ['0', '200', '400', '600']],
    [
      'whole minutes',
      bins(0, 10_000, 'duration:ms', 130),
      420,
      ['0 min', '5 min', '10 min', '15 min', '20 min'],
    ],
  ])('are %s', (_, axis, width, along) => {
    expect(horizontalLabels(positionScale(axis, 0, width), 'en', 11).map(({ label }) => label)).toEqual(
      along,
    );
  });

  test('with all the decimals of bins that are very narrow', () => {
    expect(positionName(bins(0, 2.5e-8), 1, 'en')).toBe('0.000000025 to 0.00000005');
  });

  test('unless their encoding has another format, and as categories too', () => {
    expect(
      horizontalLabels(positionScale(bins(0, 0.25, 'percent'), 0, 600), 'en', 11, { format: '.2f' }).map(
        ({ label }) => label,
      ),
    ).toEqual(['0.00', '0.25', '0.50', '0.75', '1.00']);
    const axis: Axis = {
      kind: 'categories',
      field: 'share',
      values: [0.1, null],
      other: true,
      format: 'percent',
    };
    expect([0, 1, 2].map(position => positionName(axis, position, 'en'))).toEqual([
      '10.0%',
      '(null)',
      'Other',
    ]);
  });
});

describe('labels along categories', () => {
  const categories = (values: readonly string[]): Axis => ({
    kind: 'categories',
    field: 'name',
    values,
    other: false,
  });
  const level = (values: readonly string[], width: number, locale = 'en') =>
    horizontalLabels(positionScale(categories(values), 0, width), locale, 11).map(({ label }) => label);
  const countries = ['Germany', 'Brazil', 'France', 'Austria', 'Spain', 'Norway', 'Italy'];
  const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

  test('are cut to three letters only if they are months or days of the week', () => {
    expect(level(days, 230)).toEqual(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']);
    expect(level(['Montag', 'Dienstag', 'Mittwoch'], 100, 'de')).toEqual(['Mon', 'Die', 'Mit']);
    for (const width of [120, 180, 230, 300])
      for (const label of level(countries, width))
        expect(countries.includes(label) || label.endsWith('…'), label).toBe(true);
  });

  test('are left out rather than cut to less than a few letters', () => {
    const labels = level(countries, 140);
    expect(labels).toEqual(['Germany', 'Austria', 'Italy']);
  });

  test.each([
    [countries, 280, 200, true],
    [countries, 700, 200, false],
    [countries, 280, 120, false],
    [countries, 90, 200, false],
    [[...countries, ...countries.map(name => `${name} (East)`)], 200, 200, true],
    [days, 280, 200, false],
    [['1', '2', '3'], 120, 200, false],
  ] as const)('%j in %i × %i pixels are slanted: %s', (values, width, height, isSlanted) => {
    const depth = slantedDepth(categories(values), width / values.length, height, 'en', 11, {});
    expect(depth > 0).toBe(isSlanted);
    expect(depth).toBeLessThan(height / 2);
  });

  test('are slanted in full where there is room, and within the chart', () => {
    const axis = { ...categories(countries), kind: 'categories' as const } as Axis & { kind: 'categories' };
    const marks = slantedLabels({ ...positionScale(axis, 40, 320), axis }, 150, 50, 'en', 11, '#000', {});
    expect(marks.map(mark => mark.kind === 'text' && [mark.text, mark.angle])).toEqual(
      countries.map(name => [name, -45]),
    );
    const [long] = slantedLabels(
      {
        ...positionScale({ ...axis, values: ['United Kingdom of Great Britain'] }, 0, 40),
        axis: { ...axis, values: ['United Kingdom of Great Britain'] },
      },
      150,
      50,
      'en',
      11,
      '#000',
      {},
    );
    expect(long!.kind === 'text' && long!.text).toBe('Unit…');
  });
});
