import type { Comment } from '@belvedere/api';
import { describe, expect, test } from 'vitest';
import { isUnread, openThreadsByTile, threadsOf } from './threads.ts';

const comment = (id: number, more: Partial<Comment> = {}): Comment => ({
  id,
  author: { id: 'ana', name: 'Ana' },
  body: 'x',
  mentions: [],
  createdAt: '2026-01-01T00:00:00.000Z',
  isDeleted: false,
  isOwn: false,
  isWithheld: false,
  ...more,
});
const resolved = { at: '2026-01-02T00:00:00.000Z', by: { id: 'ben' } };

describe('threads of comments', () => {
  const comments = [
    comment(1, { tile: 'cities' }),
    comment(2),
    comment(3, { parent: 1 }),
    comment(4, { parent: 2 }),
    comment(5, { parent: 1 }),
    comment(6, { tile: 'cities', resolved }),
    comment(7, { tile: 'cities' }),
  ];

  test('begin with the newest, and replies with the oldest', () => {
    expect(threadsOf(comments).map(({ root, replies }) => [root.id, replies.map(({ id }) => id)])).toEqual([
      [7, []],
      [6, []],
      [2, [4]],
      [1, [3, 5]],
    ]);
  });

  test('are counted by tile while they are open', () => {
    expect([...openThreadsByTile(comments)]).toEqual([['cities', 2]]);
  });

  test('are unread if others wrote something since', () => {
    const given = [comment(1), comment(2), comment(3, { isOwn: true }), comment(4, { isDeleted: true })];
    expect(given.filter(one => isUnread(one, 1)).map(({ id }) => id)).toEqual([2]);
  });
});
