import { expect, test } from 'vitest';
import { inferOrder } from './infer-order.ts';

const order = (
  values: readonly (string | null)[],
  distinct = values.filter(value => value !== null).length,
) =>
  inferOrder({
    name: 'x',
    type: 'text',
    nulls: 0,
    empties: 0,
    distinct,
    isDistinctExact: true,
    top: values.map(value => ({ value, rows: 1 })),
  });

test.each([
  ['ages', ['> 60', '45-60', '18-29', null, '30-44'], ['18-29', '30-44', '45-60', '> 60']],
  [
    'incomes',
    ['$50,000 - $99,999', '$0 - $24,999', '$150,000+', '$25,000 - $49,999', '$100,000 - $149,999'],
    ['$0 - $24,999', '$25,000 - $49,999', '$50,000 - $99,999', '$100,000 - $149,999', '$150,000+'],
  ],
  ['weekdays', ['Sunday', 'Friday', 'Monday', 'Tuesday'], ['Monday', 'Tuesday', 'Friday', 'Sunday']],
  [
    'how many live there',
    ['more than 1 million', 'between 100,000 and 1 million', 'less than 100,000'],
    ['less than 100,000', 'between 100,000 and 1 million', 'more than 1 million'],
  ],
  [
    'sizes in employees, with one unknown',
    ['10-49 employees', 'Prefer not to say', '1-9 employees', '1,000 or more employees', '50-999 employees'],
    ['1-9 employees', '10-49 employees', '50-999 employees', '1,000 or more employees', 'Prefer not to say'],
  ],
  [
    'as in Germany',
    ['über 10.000 €', '1.000 bis 5.000 €', 'unter 1.000 €', '5.001 bis 10.000 €'],
    ['unter 1.000 €', '1.000 bis 5.000 €', '5.001 bis 10.000 €', 'über 10.000 €'],
  ],
])('%s', (_, values, ordered) => expect(order(values)).toEqual(ordered));

test.each([
  ['names', ['Aachen', 'Bern', 'Celle']],
  ['names with numbers', ['3M', '7-Eleven', 'Apple', 'Siemens']],
  ['two stretches', ['18-29', '30-44']],
  ['two values with the same beginning', ['18-29', '18-35', '36-50']],
  ['ranges with several other values', ['18-29', '30-44', 'young', 'old']],
  [
    'sentences with a number in them',
    ['It is what we wanted in 2020-21', 'It is what we had in 2021-22', 'It is what we have in 2022-23'],
  ],
])('%s have no order', (_, values) => expect(order(values)).toBeUndefined());

test('incompletely known values have no order', () =>
  expect(order(['18-29', '30-44', '45-60'], 9)).toBeUndefined());
