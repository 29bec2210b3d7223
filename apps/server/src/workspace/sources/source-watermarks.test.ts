import { expect, test } from 'vitest';
import type { SourceState } from './source.ts';
import { withWatermark, type WatermarkPlans } from './source-watermarks.ts';

const plans = new Map(['orders', 'visits'].map(model => [model, {}])) as unknown as WatermarkPlans;
const before: SourceState['watermarks'] = new Map([
  ['orders', { value: 5, type: 'integer', since: '2026-01-01T00:00:00.000Z' }],
  ['dropped', { value: 1, type: 'integer', since: '2026-01-01T00:00:00.000Z' }],
]);

test('an unchanged watermark keeps the time at which it was first seen', () => {
  const after = withWatermark(before, plans, 'orders', { value: 5, type: 'integer' });
  expect(after.get('orders')).toBe(before.get('orders'));
});

test('a changed watermark has a new time, and those of removed models are dropped', () => {
  const after = withWatermark(before, plans, 'orders', { value: 6, type: 'integer' });
  expect([...after.keys()]).toEqual(['orders']);
  expect(after.get('orders')).toMatchObject({ value: 6 });
  expect(after.get('orders')!.since > before.get('orders')!.since).toBe(true);
});

test('a watermark that could not be queried is not known any more', () => {
  expect([...withWatermark(before, plans, 'orders', undefined).keys()]).toEqual([]);
});
