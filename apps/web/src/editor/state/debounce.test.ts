import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Debounce } from './debounce.ts';

let done: number[];
let timer: Debounce;
const began = () => performance.now();
let start: number;

beforeEach(() => {
  vi.useFakeTimers();
  done = [];
  start = began();
  timer = new Debounce(() => done.push(began() - start), { afterMs: 100, withinMs: 250 });
});
afterEach(() => vi.useRealTimers());

test('the callback runs once the calls pause', () => {
  timer.stir();
  vi.advanceTimersByTime(60);
  timer.stir();
  expect(timer.isWaiting).toBe(true);
  vi.advanceTimersByTime(500);
  expect(done).toEqual([160]);
  expect(timer.isWaiting).toBe(false);
});

test('endless calls do not delay it for ever', () => {
  for (let i = 0; i < 10; i++) {
    timer.stir();
    vi.advanceTimersByTime(60);
  }
  vi.advanceTimersByTime(500);
  expect(done).toEqual([250, 550]);
});

test('a longer delay is waited for in full; a stop cancels it', () => {
  timer.stir();
  vi.advanceTimersByTime(90);
  timer.stir(2000);
  vi.advanceTimersByTime(1999);
  expect(done).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(done).toEqual([2090]);
  timer.stir(0);
  timer.stop();
  vi.advanceTimersByTime(500);
  expect(done).toEqual([2090]);
});
