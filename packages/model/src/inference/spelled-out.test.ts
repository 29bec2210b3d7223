import { expect, test } from 'vitest';
import { spelledOut } from './spelled-out.ts';

test.each([
  ['Dep delay', 'integer', 'Departure delay'],
  ['Sched arr time', 'integer', 'Sched arrival time'],
  ['Dep', 'text', 'Dep'],
  ['Temp', 'number', 'Temperature'],
  ['Temp table', 'text', 'Temp table'],
  ['Max temp', 'number', 'Max temperature'],
  ['Dewp', 'number', 'Dew point'],
  ['Order qty', 'integer', 'Order quantity'],
  ['State abbr', 'text', 'State abbreviation'],
  ['Tempo', 'number', 'Tempo'],
  ['Milliseconds', 'integer', 'Duration'],
  ['Response milliseconds', 'number', 'Response duration'],
  ['Milliseconds', 'text', 'Milliseconds'],
  ['Constructor', 'text', 'Constructor'],
] as const)('%s of a column of type %s is %s', (label, type, expected) => {
  expect(spelledOut(label, { type })).toBe(expected);
});
