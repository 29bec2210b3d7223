import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadUnreachedTiles } from './load-unreached.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function opened() {
  const loadUnreached = vi.fn();
  let [isAnswering, listener] = [false, () => {}];
  const end = loadUnreachedTiles(
    { loadUnreached },
    {
      isReachable: () => isAnswering,
      onReachable: next => {
        listener = next;
        return () => {
          listener = () => {};
        };
      },
    },
    5000,
  );
  const answer = (answers: boolean) => {
    isAnswering = answers;
    if (answers) listener();
  };
  return { loadUnreached, answer, end };
}

test('tiles are queried again at once when the server answers', () => {
  const { loadUnreached, answer } = opened();
  answer(true);
  expect(loadUnreached).toHaveBeenCalledTimes(1);
});

test('tiles whose query fails although the server answers are queried again later', () => {
  const { loadUnreached, answer } = opened();
  answer(true);
  vi.advanceTimersByTime(15_000);
  expect(loadUnreached).toHaveBeenCalledTimes(4);
});

test('nothing is queried while the server does not answer, and nothing after the end', () => {
  const { loadUnreached, answer, end } = opened();
  vi.advanceTimersByTime(60_000);
  expect(loadUnreached).not.toHaveBeenCalled();
  end();
  answer(true);
  vi.advanceTimersByTime(60_000);
  expect(loadUnreached).not.toHaveBeenCalled();
});
