import type { Comment } from '@belvedere/api';
import type { Box } from '@belvedere/query';
import { useCallback, useMemo, useState } from 'react';
import { useComments } from './comment-data.ts';
import { isUnread, openAnchorsByTile, openThreadsByTile } from './threads/threads.ts';

const noComments: readonly Comment[] = [];

/** The subject of a new comment: a tile, and the marks selected on it. */
interface CommentTarget {
  readonly tile: string;
  readonly boxes: readonly Box[];
}

/** A tile, or a row of a table. */
interface CommentPlace {
  readonly tile: string;
  readonly row?: Box;
}

/** A dashboard's comments, and whether the panel that lists them is open. */
export interface CommentPanel {
  readonly isOffered: boolean;
  readonly isOpen: boolean;
  /** Whether the user may write comments. */
  readonly canWrite: boolean;
  readonly unread: number;
  /** How many open threads each tile has. */
  readonly byTile: ReadonlyMap<string, number>;
  /** The thread that the address names. */
  readonly shown: number | undefined;
  readonly target: CommentTarget | undefined;
  /** What the open threads of each tile are about, such as rows of a table. */
  readonly rowsByTile: ReadonlyMap<string, readonly Box[]>;
  /** The row of a table whose thread is shown. */
  readonly shownRow: Required<CommentPlace> | undefined;
  readonly showRow: (tile: string, row: Box) => void;
  /** The tile, or the row, whose threads alone are listed. */
  readonly only: CommentPlace | undefined;
  /** A text that was not sent yet. */
  readonly draft: string;
  readonly onDraft: (text: string) => void;
  readonly toggle: () => void;
  /** Closes the panel if it covers the tile that is to be seen. */
  readonly uncover: () => void;
  readonly writeAbout: (tile: string, boxes: readonly Box[]) => void;
  readonly showTile: (tile: string | undefined, row?: Box) => void;
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
  const [only, setOnly] = useState<CommentPlace>();
  const [pressedRow, setPressedRow] = useState<Required<CommentPlace>>();
  const [draft, setDraft] = useState('');
  if (requested !== lastRequested) {
    setLastRequested(requested);
    // A change of the page or of a filter leaves the comment out of the address, and the pressed row stays.
    if (requested !== undefined) {
      setPressedRow(undefined);
      setIsOpen(true);
    }
  }
  const comments = data?.comments ?? noComments;
  const readTo = data?.readTo ?? 0;
  const showTile = useCallback((tile: string | undefined, row?: Box) => {
    setOnly(tile === undefined ? undefined : { tile, ...(row && { row }) });
    setPressedRow(tile !== undefined && row ? { tile, row } : undefined);
    if (tile !== undefined) setIsOpen(true);
  }, []);
  const writeAbout = useCallback((tile: string, boxes: readonly Box[]) => {
    setTarget({ tile, boxes });
    setIsOpen(true);
  }, []);
  const showRow = useCallback((tile: string, row: Box) => setPressedRow({ tile, row }), []);
  const rowsByTile = useMemo(() => openAnchorsByTile(comments), [comments]);
  const requestedRow = useMemo(() => rowOf(comments, requested), [comments, requested]);
  const byTile = useMemo(() => openThreadsByTile(comments), [comments]);
  return {
    isOffered: isOffered && data !== undefined,
    isOpen: isOpen && isOffered && data !== undefined,
    canWrite: data?.canWrite ?? false,
    unread: comments.filter(comment => isUnread(comment, readTo)).length,
    byTile,
    shown: requested === undefined ? undefined : Number(requested),
    target,
    rowsByTile,
    shownRow: isOpen || coversPage() ? (pressedRow ?? requestedRow) : undefined,
    showRow,
    only,
    draft,
    onDraft: setDraft,
    toggle: useCallback(() => setIsOpen(before => !before), []),
    uncover: useCallback(() => {
      if (coversPage()) setIsOpen(false);
    }, []),
    writeAbout,
    showTile,
    clearTarget: useCallback(() => setTarget(undefined), []),
  };
}

/** On phones the panel takes the whole screen. */
const coversPage = () => window.matchMedia('(width < 640px)').matches;

/** What the thread of a comment is about, if that is a single row or mark. */
function rowOf(
  comments: readonly Comment[],
  requested: string | undefined,
): Required<CommentPlace> | undefined {
  const shown = comments.find(({ id }) => String(id) === requested);
  const root = shown?.parent === undefined ? shown : comments.find(({ id }) => id === shown.parent);
  const [row, ...others] = root?.anchor ?? [];
  return root?.tile !== undefined && row && others.length === 0 ? { tile: root.tile, row } : undefined;
}
