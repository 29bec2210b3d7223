import { readPhrase, type PhraseModel } from '@belvedere/query';
import { expect, test } from 'vitest';
import { de } from '../../../messages/de.ts';
import { en } from '../../../messages/en.ts';
import { zh } from '../../../messages/zh.ts';
import { examplesOf } from './example-phrases.ts';

const category = (name: string, label: string, distinct: number) =>
  ({ name, label, type: 'text', profile: { distinct } }) as const;
const flights: PhraseModel = {
  name: 'flights',
  label: 'Flights',
  time: 'date',
  rows: 900,
  fields: [
    { name: 'airlines', label: 'Airlines' },
    { name: 'rows', label: 'Flights' },
    { name: 'date', label: 'Date', type: 'date', profile: { distinct: 365, min: 0, max: 365 * 86_400_000 } },
    category('manufacturer', 'Plane manufacturer', 35),
    category('carrier', 'Airline', 16),
  ],
};
const orders: PhraseModel = {
  ...flights,
  fields: [
    { name: 'revenue', label: 'Revenue' },
    { name: 'date', label: 'Date', type: 'date', profile: { distinct: 365, min: 0, max: 365 * 86_400_000 } },
    category('ship_country', 'Order ship country', 21),
    category('category', 'Category', 8),
    category('customer', 'Customer', 89),
  ],
};

test.each([
  ['en', en, flights, ['flights by airline', 'flights by month', 'top 10 plane manufacturers by flights']],
  ['en', en, orders, ['revenue by category', 'revenue by month', 'top 10 customers by revenue']],
  ['de', de, orders, ['Revenue nach Category', 'Revenue nach Monat', 'Revenue nach Customer, Top 10']],
  ['zh', zh, orders, ['按 Category 的 Revenue', '每月 Revenue', 'Revenue 前 10 的 Customer']],
] as const)(
  'the example phrases in %s are about the largest model, and can be read',
  (_, words, model, phrases) => {
    expect(examplesOf([model], words.phrases)).toEqual(phrases);
    const unknown = phrases.map(
      phrase => readPhrase(phrase, [model], { weekStart: 'monday', fiscalYearStart: 'january' })[0]?.unknown,
    );
    expect(unknown).toEqual([[], [], []]);
  },
);

test('a larger model that only counts rows comes after one with a measure', () => {
  const log = {
    ...flights,
    name: 'log',
    rows: 9000,
    fields: [{ name: 'rows', label: 'Rows' }, ...flights.fields.slice(2)],
  };
  expect(examplesOf([log, orders], en.phrases)[0]).toBe('revenue by category');
  expect(examplesOf([log], en.phrases)[0]).toBe('rows by airline');
});
