import { expect, test } from 'vitest';
import { Lookups, maxLookupBytes } from './lookups.ts';

test('lookups are the same object while they are cached, and never use more than their budget', () => {
  const lookups = new Lookups();
  const first = lookups.once('a', () => new Float64Array(10));
  expect(lookups.once('a', () => new Float64Array(10))).toBe(first);
  for (let i = 0; i < 400; i++) {
    lookups.once(`wide ${i}`, () => new Float64Array(65_536));
    expect(lookups.bytes).toBeLessThanOrEqual(maxLookupBytes);
  }
});
