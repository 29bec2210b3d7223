import type { Comment } from '@belvedere/api';

/** A comment that begins a thread, with its replies. */
export interface Thread {
  readonly root: Comment;
  readonly replies: readonly Comment[];
}

/** The threads of a dashboard, the newest first; replies in the order of writing. */
export function threadsOf(comments: readonly Comment[]): Thread[] {
  const replies = Map.groupBy(comments, ({ parent }) => parent);
  return (replies.get(undefined) ?? [])
    .map(root => ({ root, replies: replies.get(root.id) ?? [] }))
    .toReversed();
}

export const isUnread = ({ id, isOwn, isDeleted }: Comment, readTo: number): boolean =>
  id > readTo && !isOwn && !isDeleted;

/** How many open threads each tile has. */
export function openThreadsByTile(comments: readonly Comment[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { parent, resolved, tile } of comments)
    if (parent === undefined && !resolved && tile !== undefined)
      counts.set(tile, (counts.get(tile) ?? 0) + 1);
  return counts;
}
