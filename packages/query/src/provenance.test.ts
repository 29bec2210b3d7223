import { buildModel } from '@belvedere/model';
import { expect, test } from 'vitest';
import type { Filter } from './filter.ts';
import { describeFilter, type FilterFormats } from './provenance.ts';

const { model } = buildModel(
  'trips',
  {
    version: 1,
    table: 'trips',
    dimensions: { kind: { label: 'Kind' }, minutes: { label: 'Minutes' }, day: { label: 'Day' } },
  },
  [
    {
      name: 'trips',
      columns: [
        { name: 'kind', type: 'text' },
        { name: 'minutes', type: 'integer' },
        { name: 'day', type: 'date' },
      ],
    },
  ],
);
const filter: Filter = {
  kind: 'allOf',
  filters: [
    { kind: 'oneOf', field: 'kind', values: ['bus', null, ''] },
    { kind: 'not', filter: { kind: 'contains', field: 'kind', text: 'tram' } },
    { kind: 'range', field: 'minutes', from: 5, below: 60 },
    { kind: 'range', field: 'day', from: Date.UTC(2024, 0, 1) },
  ],
};

test.each([
  [
    'en-GB',
    'Kind is bus or (null) or (empty) and not (Kind contains “tram”) and Minutes from 5 and below 60 and Day from 2024-01-01',
  ],
  [
    'de',
    'Kind ist bus oder (kein Wert) oder (leer) und nicht (Kind enthält „tram“) und Minutes ab 5 und unter 60 und Day ab 2024-01-01',
  ],
  [
    'zh-CN',
    'Kind 为 bus 或 （空值） 或 （空文本） 且 非（Kind 包含“tram”） 且 Minutes 从 5 起 且 低于 60 且 Day 从 2024-01-01 起',
  ],
  [
    'fr',
    'Kind is bus or (null) or (empty) and not (Kind contains “tram”) and Minutes from 5 and below 60 and Day from 2024-01-01',
  ],
])('a filter is described in the user’s language: %s', (locale, said) =>
  expect(describeFilter(filter, model!, locale)).toBe(said),
);

test('a filter’s numbers are described with the given format', () => {
  const range: Filter = { kind: 'range', field: 'minutes', from: 9.27365472132547 };
  expect(describeFilter(range, model!, 'en')).toBe('Minutes from 9.27365472132547');
  const formats: FilterFormats = { number: value => value.toFixed(2), time: String, period: String };
  expect(describeFilter(range, model!, 'en', formats)).toBe('Minutes from 9.27');
});

test('the times of a filter are described with the given formats', () => {
  const formats: FilterFormats = {
    number: String,
    time: ms => `day ${ms / 86_400_000}`,
    period: (from, below) => `days ${from / 86_400_000}–${below / 86_400_000}`,
  };
  const days = (from?: number, below?: number): Filter => ({
    kind: 'range',
    field: 'day',
    ...(from !== undefined && { from: from * 86_400_000 }),
    ...(below !== undefined && { below: below * 86_400_000 }),
  });
  const describeDays = (filter: Filter) => describeFilter(filter, model!, 'en', formats);
  expect(describeDays(days(3, 9))).toBe('Day is days 3–9');
  expect(describeDays(days(3))).toBe('Day from day 3');
  expect(describeDays(days(undefined, 9))).toBe('Day before day 9');
  expect(describeDays({ kind: 'oneOf', field: 'day', values: [86_400_000, null] })).toBe(
    'Day is day 1 or (null)',
  );
});
