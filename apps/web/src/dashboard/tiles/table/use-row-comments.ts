import type { Box } from '@belvedere/query';
import { useMemo } from 'react';
import type { RowComments } from './RowCommentCell.tsx';

const noRows: readonly Box[] = [];

interface CommentsOfTile {
  readonly id: string;
  readonly onThreads?: ((id: string, row?: Box) => void) | undefined;
  readonly onComment?: ((id: string, boxes: readonly Box[]) => void) | undefined;
  readonly commentedRows?: readonly Box[] | undefined;
  readonly commentedRow?: Box | undefined;
}

/** What the rows of a table need for their comments; undefined where there are no comments. */
export function useRowComments({
  id,
  onThreads,
  onComment,
  commentedRows = noRows,
  commentedRow,
}: CommentsOfTile): RowComments | undefined {
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
