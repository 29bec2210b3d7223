import type { Comment } from '@belvedere/api';
import type { Box } from '@belvedere/query';
import { useCallback, useMemo, useState } from 'react';
import { useComments } from './comment-data.ts';
import { isUnread, openThreadsByTile } from './threads.ts';

const noComments: readonly Comment[] = [];

/** The subject of a new comment: a tile, and the marks selected on it. */
interface CommentTarget {
  readonly tile: string;
  readonly boxes: readonly Box[];
}

/** A dashboard's comments, and whether the panel that lists them is open. */
export interface CommentPanel {
  readonly isOffered: boolean;
  readonly isOpen: boolean;
  readonly unread: number;
  /** How many open threads each tile has. */
  readonly byTile: ReadonlyMap<string, number>;
  /** The thread that the address names. */
  readonly shown: number | undefined;
  readonly target: CommentTarget | undefined;
  /** The tile whose threads alone are listed. */
  readonly onlyTile: string | undefined;
  /** A text that was not sent yet. */
  readonly draft: string;
  readonly onDraft: (text: string) => void;
  readonly toggle: () => void;
  readonly writeAbout: (tile: string, boxes: readonly Box[]) => void;
  readonly showTile: (tile: string | undefined) => void;
  readonly clearTarget: () => void;
}

/** @param asked the ID of a comment, from the URL */
export function useCommentPanel(
  dashboard: string,
  isOffered: boolean,
  requested: string | undefined,
): CommentPanel {
  const { data } = useComments(dashboard, isOffered);
  const [isOpen, setIsOpen] = useState(requested !== undefined);
  const [lastRequested, setLastRequested] = useState(requested);
  const [target, setTarget] = useState<CommentTarget>();
  const [onlyTile, setOnlyTile] = useState<string>();
  const [draft, setDraft] = useState('');
  if (requested !== lastRequested) {
    setLastRequested(requested);
    if (requested !== undefined) setIsOpen(true);
  }
  const comments = data?.comments ?? noComments;
  const readTo = data?.readTo ?? 0;
  const showTile = useCallback((tile: string | undefined) => {
    setOnlyTile(tile);
    if (tile !== undefined) setIsOpen(true);
  }, []);
  const writeAbout = useCallback((tile: string, boxes: readonly Box[]) => {
    setTarget({ tile, boxes });
    setIsOpen(true);
  }, []);
  const byTile = useMemo(() => openThreadsByTile(comments), [comments]);
  return {
    isOffered: isOffered && data !== undefined,
    isOpen: isOpen && isOffered && data !== undefined,
    unread: comments.filter(comment => isUnread(comment, readTo)).length,
    byTile,
    shown: requested === undefined ? undefined : Number(requested),
    target,
    onlyTile,
    draft,
    onDraft: setDraft,
    toggle: useCallback(() => setIsOpen(before => !before), []),
    writeAbout,
    showTile,
    clearTarget: useCallback(() => setTarget(undefined), []),
  };
}
