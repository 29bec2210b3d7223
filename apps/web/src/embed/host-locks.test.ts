import type { FrameMessage } from '@belvedere/embed';
import { beforeEach, expect, test } from 'vitest';
import { HostLocks } from './host-locks.ts';

let told: FrameMessage[];
let locks: HostLocks;
beforeEach(() => {
  told = [];
  locks = new HostLocks(message => told.push(message));
});
const needed = (turn: number) => ({ kind: 'turn-needed', name: 'requests', turn });
const over = (turn: number) => ({ kind: 'turn-over', name: 'requests', turn });

test('a request waits for the page, and tells it when it is over', async () => {
  const result = locks.request('requests', async () => 'rows');
  expect(told).toEqual([needed(1)]);
  locks.begin({ kind: 'turn', turn: 1 });
  expect(await result).toBe('rows');
  expect(told).toEqual([needed(1), over(1)]);
});

test('a turn is over, too, when its request fails or no longer waits', async () => {
  const failing = locks.request('requests', () => Promise.reject(new Error('no network')));
  locks.begin({ kind: 'turn', turn: 1 });
  await expect(failing).rejects.toThrow('no network');
  const stop = new AbortController();
  const waiting = locks.request('requests', { signal: stop.signal }, async () => 'rows');
  stop.abort(new Error('given up'));
  await expect(waiting).rejects.toThrow('given up');
  expect(told).toEqual([needed(1), over(1), needed(2), over(2)]);
});
