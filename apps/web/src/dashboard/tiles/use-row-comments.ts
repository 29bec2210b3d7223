import type { Box } from '@belvedere/query';
import { useMemo } from 'react';
import type { RowComments } from './RowCommentCell.tsx';
import type { TileViewProps } from './TileView.tsx';

const noRows: readonly Box[] = [];

/** What the rows of a table need for their comments; undefined where there are no comments. */
export function useRowComments({
  id,
  onThreads,
  onComment,
  commentedRows = noRows,
  commentedRow,
}: Pick<TileViewProps, 'id' | 'onThreads' | 'onComment' | 'commentedRows' | 'commentedRow'>):
  | RowComments
  | undefined {
  return useMemo(
    () =>
      onThreads && {
        rows: commentedRows,
        shown: commentedRow,
        onWrite: onComment && (row => onComment(id, [row])),
        onThreads: row => onThreads(id, row),
      },
    [onThreads, commentedRows, commentedRow, onComment, id],
  );
}
