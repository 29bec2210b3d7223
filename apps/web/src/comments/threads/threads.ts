import type { Comment } from '@belvedere/api';
import { isSameBox } from '@belvedere/crossfilter';
import type { Box } from '@belvedere/query';

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

/** What the open threads of each tile are about: selections, and rows of tables; one for each thread. */
export function openAnchorsByTile(comments: readonly Comment[]): ReadonlyMap<string, readonly Box[]> {
  const anchors = new Map<string, Box[]>();
  for (const { parent, resolved, tile, anchor } of comments)
    if (parent === undefined && !resolved && tile !== undefined && anchor)
      anchors.set(tile, [...(anchors.get(tile) ?? []), ...anchor]);
  return anchors;
}

/** Whether a thread is about a tile and, if one is given, a row of it. */
export function isThreadOn(
  { tile, anchor }: Comment,
  on: { readonly tile: string; readonly row?: Box },
): boolean {
  return tile === on.tile && (on.row === undefined || (anchor ?? []).some(box => isSameBox(box, on.row!)));
}
