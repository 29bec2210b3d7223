import { expect, test } from 'vitest';
import { closestName } from './closest-name.ts';

const names = ['category_name', 'customer_country', 'warn', 'good', 'ship', 'shipped_date', 'x'];

test.each([
  ['a letter too few', 'catgory_name', 'category_name'],
  ['two letters swapped', 'wran', 'warn'],
  ['the beginning of a name', 'category', 'category_name'],
  ['a name and more', 'warning', 'warn'],
  ['a word of a name', 'Country', 'customer_country'],
  ['the beginning of two names: the shorter', 'shi', 'ship'],
  ['two names and more: the longer', 'shipped_date_utc', 'shipped_date'],
  ['the only name of one letter', 'y', 'x'],
  ['nothing alike', 'revenue', undefined],
  ['two letters that some name begins with', 'cu', undefined],
])('%s: %s → %s', (_, wrong, closest) => {
  expect(closestName(wrong, names)).toBe(closest);
});
