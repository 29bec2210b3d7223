import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Listener } from '../state/database/notifications.ts';
import { followOtherServers } from './follow-other-servers.ts';
import { Presence } from './presence.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A server that follows others, without a database. */
async function following(refresh: () => Promise<void> = async () => {}) {
  const sent: unknown[] = [];
  let listener: Listener | undefined;
  const presence = new Presence();
  const end = await followOtherServers({
    state: {
      notifications: {
        start: async (one: Listener) => void (listener = one),
        send: async (message: unknown) => void sent.push(message),
      },
      afterCommit: (next: () => void) => next(),
    },
    store: { subscribe: () => () => {}, tell: () => {} },
    presence,
    directory: { refresh },
    accounts: undefined,
    channels: {},
    runner: {},
  } as never);
  return { sent, presence, end, hear: listener!.onMessage };
}

test('a change that could not be read is read again, until it is', async () => {
  const refresh = vi
    .fn<() => Promise<void>>()
    .mockRejectedValueOnce(new Error('all connections are in use'))
    .mockRejectedValueOnce(new Error('all connections are in use'))
    .mockResolvedValue();
  const { hear, end } = await following(refresh);
  hear({ from: 'other', table: 'access_grant' });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(refresh).toHaveBeenCalledTimes(3);
  end();
});

test('a document whose last window left is sent again, in case the message was lost', async () => {
  const { sent, presence, end } = await following();
  presence.enter('w1', 'ana');
  presence.put('w1', { document: 'sales', isEditing: false });
  presence.leave('w1');
  sent.length = 0;
  await vi.advanceTimersByTimeAsync(4000);
  expect(sent).toEqual([{ document: 'sales', windows: [] }]);
  await vi.advanceTimersByTimeAsync(30_000);
  const count = sent.length;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(sent).toHaveLength(count);
  end();
});
