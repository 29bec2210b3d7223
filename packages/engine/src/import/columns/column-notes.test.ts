import { expect, test } from 'vitest';
import { having, leadingZeros } from './column-notes.ts';

test('notes on columns agree with how many columns they name', () => {
  expect(having(['a'])).toBe('“a” has');
  expect(having(['a', 'b'])).toBe('“a”, “b” have');
  expect(leadingZeros(['zip'])).toBe('“zip” has numbers with leading zeros, so it is imported as text.');
  expect(leadingZeros(['zip', 'sku'])).toBe(
    '“zip”, “sku” have numbers with leading zeros, so they are imported as text.',
  );
});
