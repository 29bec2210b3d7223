import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { calendarOf, months, weekdays } from '@belvedere/document';
import { buildModel } from '@belvedere/model';
import { edgeOf, groupsOf, outsideSlot, slotOf, slotsOf, type Axis } from './axis.ts';
import {
  addUnits,
  fiscalPositionIn,
  formatCalendarTime,
  parseCalendarTime,
  startOf,
  timeUnits,
  unitsBetween,
} from './calendar.ts';
import { evaluator, isAdditive, decomposeMeasures } from './partial-aggregates.ts';
import { comparisonRange, resolvePeriod } from './period.ts';

const at = parseCalendarTime;
const day = (ms: number) => formatCalendarTime(ms);

const everyUnit = [
  ...timeUnits,
  ...weekdays.map(start => `week:${start}` as const),
  ...months.flatMap(start => [`fiscalQuarter:${start}`, `fiscalYear:${start}`] as const),
];

describe('calendar', () => {
  test.each([
    ['year', '2024-02-29T13:45', '2024-01-01', '2025-01-01'],
    ['quarter', '2024-05-31', '2024-04-01', '2024-07-01'],
    ['month', '2024-02-29', '2024-02-01', '2024-03-01'],
    ['week', '2024-12-31', '2024-12-30', '2025-01-06'],
    ['week', '2024-12-30', '2024-12-30', '2025-01-06'],
    ['day', '2024-02-28T23:59', '2024-02-28', '2024-02-29'],
    ['hour', '2024-02-28T23:59', '2024-02-28T23:00', '2024-02-29'],
    ['month', '1899-12-31', '1899-12-01', '1900-01-01'],
    ['week:sunday', '2024-12-31', '2024-12-29', '2025-01-05'],
    ['week:sunday', '2024-12-29', '2024-12-29', '2025-01-05'],
    ['week:saturday', '1969-12-31', '1969-12-27', '1970-01-03'],
    ['week:monday', '2024-12-31', '2024-12-30', '2025-01-06'],
    ['fiscalYear:april', '2024-03-31', '2023-04-01', '2024-04-01'],
    ['fiscalYear:october', '1969-10-01', '1969-10-01', '1970-10-01'],
    ['fiscalYear:january', '2024-03-31', '2024-01-01', '2025-01-01'],
    ['fiscalQuarter:february', '2024-01-31', '2023-11-01', '2024-02-01'],
    ['fiscalQuarter:april', '2024-05-31', '2024-04-01', '2024-07-01'],
  ] as const)('the %s of %s begins on %s and ends before %s', (unit, time, from, next) => {
    expect(day(startOf(unit, at(time)))).toBe(from);
    expect(day(addUnits(unit, startOf(unit, at(time)), 1))).toBe(next);
  });

  test('counting units and adding them are inverse operations', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...everyUnit),
        fc.integer({ min: -3e9, max: 5e9 }),
        fc.integer({ min: 0, max: 5000 }),
        (unit, seconds, count) => {
          const from = startOf(unit, seconds * 1000);
          return (
            unitsBetween(unit, from, addUnits(unit, from, count)) === count &&
            unitsBetween(unit, from, addUnits(unit, from, count + 1) - 1) === count
          );
        },
      ),
    );
  });
});

test.each([
  ['fiscalYear:october', '2023-10-01', 2024, 1],
  ['fiscalYear:october', '2024-09-30', 2024, 4],
  ['fiscalQuarter:april', '1969-12-31', 1970, 3],
  ['fiscalQuarter:january', '2024-05-05', 2024, 2],
] as const)('in %s, %s lies in year %i and its quarter %i', (unit, time, year, quarter) =>
  expect(fiscalPositionIn(unit, at(time))).toEqual({ year, quarter }),
);

describe('relative ranges', () => {
  const clock = { now: at('2024-03-13T15:20'), calendar: calendarOf({ fiscalYearStart: 'may' }) };
  test.each([
    [{ last: '7 days' }, '2024-03-07', '2024-03-14'],
    [{ last: '7 complete days' }, '2024-03-06', '2024-03-13'],
    [{ last: '1 complete month' }, '2024-02-01', '2024-03-01'],
    [{ last: '1 month' }, '2024-03-01', '2024-04-01'],
    [{ last: '12 months' }, '2023-04-01', '2024-04-01'],
    [{ last: '2 weeks' }, '2024-03-04', '2024-03-18'],
    [{ this: 'quarter' }, '2024-01-01', '2024-04-01'],
    [{ this: 'day' }, '2024-03-13', '2024-03-14'],
    [{ this: 'fiscalYear' }, '2023-05-01', '2024-05-01'],
    [{ last: '2 fiscalQuarters' }, '2023-11-01', '2024-05-01'],
    [{ last: '1 fiscalYear' }, '2023-05-01', '2024-05-01'],
  ] as const)('%j on 13 March 2024 is %s up to %s', (period, from, below) => {
    const range = resolvePeriod(period, clock);
    expect([day(range.from), day(range.below)]).toEqual([from, below]);
  });

  test.each([
    ['previous period', '2024-04-01', '2024-07-01', '2024-01-01', '2024-04-01'],
    ['previous period', '2024-03-05', '2024-03-12', '2024-02-27', '2024-03-05'],
    ['previous year', '2024-02-29', '2024-03-01', '2023-02-28', '2023-03-01'],
  ] as const)('the %s of %s … %s is %s … %s', (by, from, below, earlier, until) => {
    const range = comparisonRange({ from: at(from), below: at(below) }, by);
    expect([day(range.from), day(range.below)]).toEqual([earlier, until]);
  });
});

describe('slots', () => {
  const bins: Axis = { kind: 'bins', field: 'x', origin: -0.3, step: 0.1, count: 6 };
  const kinds: Axis = { kind: 'categories', field: 'k', values: ['a', null, ''], other: true };
  const months: Axis = { kind: 'times', field: 't', unit: 'month', from: at('2024-01-01'), count: 3 };

  test.each([
    [bins, -0.3, 0],
    [bins, 0, 3],
    [bins, 0.29, 5],
    [bins, 0.3, 7],
    [bins, -0.31, 7],
    [bins, null, 6],
    [bins, Number.NaN, 6],
    [kinds, 'a', 0],
    [kinds, null, 1],
    [kinds, '', 2],
    [kinds, 'null', 3],
    [months, at('2024-02-29T23:59'), 1],
    [months, at('2024-04-01'), 4],
    [months, at('2023-12-31'), 4],
    [months, null, 3],
  ] as const)('of %j: %j is in slot %d', (axis, value, slot) => {
    expect(slotOf(axis, value)).toBe(slot);
  });

  test('have readable edges', () => {
    expect(Array.from({ length: 7 }, (_, i) => edgeOf(bins, i))).toEqual([
      -0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3,
    ]);
  });

  test('contain every value exactly once', () => {
    fc.assert(
      fc.property(fc.double({ noDefaultInfinity: true }), value => slotOf(bins, value) < slotsOf(bins)),
    );
    expect([slotsOf(bins), slotsOf(kinds), groupsOf([bins, kinds]), outsideSlot(bins)]).toEqual([
      8, 4, 32, 7,
    ]);
  });
});

describe('decomposed measures', () => {
  const { model } = buildModel(
    'm',
    {
      version: 1,
      table: 't',
      measures: {
        n: { expr: 'count(*)' },
        total: { expr: 'sum(x)' },
        mean: { expr: 'avg(x)' },
        rate: { expr: '100 * sum(x) / nullif(count(*), 0)' },
        best: { expr: 'max(x)' },
        middle: { expr: 'median(x)' },
        odd: { expr: 'case when sum(x) > 1 then 1 else 0 end' },
      },
    },
    [{ name: 't', columns: [{ name: 'x', type: 'number' }] }],
  );
  const parts = (name: string) => decomposeMeasures([model!.measures[name]!]);

  test.each([
    ['n', ['sum']],
    ['total', ['sum', 'sum']],
    ['mean', ['sum', 'sum']],
    ['best', ['max']],
    ['middle', ['none']],
    ['odd', ['none']],
    ['rate', ['sum', 'sum', 'sum']],
  ])('%s has parts that merge by %j', (name, merges) => {
    expect(parts(name).parts.map(part => part.merge)).toEqual(merges);
  });

  test.each([
    ['n', true],
    ['total', true],
    ['mean', false],
    ['rate', false],
    ['best', false],
    ['middle', false],
  ])('%s adds up: %s', (name, adds) => {
    const { values, parts: found } = parts(name);
    expect(
      isAdditive(
        values[0]!,
        found.map(part => part.merge),
      ),
    ).toBe(adds);
  });

  test.each([
    ['mean', [30, 4], 7.5],
    ['mean', [0, 0], Number.NaN],
    ['total', [0, 0], Number.NaN],
    ['total', [0, 2], 0],
    ['rate', [5, 5, 10], 50],
    ['rate', [5, 5, 0], Number.NaN],
  ])('%s of parts %j is %d', (name, values, expected) => {
    expect(evaluator(parts(name).values[0]!)(index => values[index]!)).toBe(expected);
  });

  test('share a part that several of them need', () => {
    expect(decomposeMeasures([model!.measures['total']!, model!.measures['mean']!]).parts).toHaveLength(2);
  });
});
