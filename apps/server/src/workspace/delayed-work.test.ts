import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DelayedWork } from './delayed-work.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

test('delayed work is done once, after a pause in its requests', () => {
  const delayed = new DelayedWork();
  const work = vi.fn(async () => {});
  delayed.soon('tables', 100, work);
  vi.advanceTimersByTime(80);
  delayed.soon('tables', 100, work);
  vi.advanceTimersByTime(99);
  expect(work).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(work).toHaveBeenCalledOnce();
});

test('delayed work is done after four times its delay, however many requests follow one another', () => {
  const delayed = new DelayedWork();
  const work = vi.fn(async () => {});
  for (let ms = 0; ms < 400; ms += 50) {
    delayed.soon('tables', 100, work);
    vi.advanceTimersByTime(50);
  }
  expect(work).toHaveBeenCalledOnce();
});

test('delayed work of another name keeps its own time, and a failure prevents none that follows', async () => {
  const delayed = new DelayedWork();
  const [failing, other] = [vi.fn(() => Promise.reject(new Error('disk full'))), vi.fn(async () => {})];
  delayed.soon('tables', 100, failing);
  vi.advanceTimersByTime(60);
  delayed.soon('documents', 100, other);
  await vi.advanceTimersByTimeAsync(40);
  expect([failing.mock.calls.length, other.mock.calls.length]).toEqual([1, 0]);
  delayed.soon('tables', 100, failing);
  await vi.advanceTimersByTimeAsync(100);
  expect([failing.mock.calls.length, other.mock.calls.length]).toEqual([2, 1]);
});

test('delayed work that waits is dropped at the end', () => {
  const delayed = new DelayedWork();
  const work = vi.fn(async () => {});
  delayed.soon('tables', 100, work);
  delayed.close();
  vi.advanceTimersByTime(1000);
  expect(work).not.toHaveBeenCalled();
});
