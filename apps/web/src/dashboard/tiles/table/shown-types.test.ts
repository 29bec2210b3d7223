import { expect, test } from 'vitest';
import { shownTypes } from './shown-types.ts';

const day = 86_400_000;

test.each([
  ['time', [[day], [2 * day]], 'date'],
  ['time', [[day], [null]], 'date'],
  ['time', [[day], [2 * day + 60_000]], 'time'],
  ['time', [], 'time'],
  // An instant at midnight in UTC is at another time elsewhere.
  ['instant', [[day]], 'instant'],
  ['integer', [[day]], 'integer'],
])('a column of type %s with the rows %j is shown as %s', (type, rows, shown) => {
  expect(shownTypes([{ type }], rows)).toEqual([shown]);
});
