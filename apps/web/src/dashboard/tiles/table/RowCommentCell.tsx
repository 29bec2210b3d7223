import type { Box } from '@belvedere/query';
import { MessageSquarePlus } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { ThreadMark } from '../../../comments/threads/ThreadMark.tsx';
import { t } from '../../../messages/messages.ts';

/** The comments on a table's rows. Rows are named by their keys. */
export interface RowComments {
  /** The rows of open threads. */
  readonly rows: readonly Box[];
  /** The row of the thread that is shown. */
  readonly shown?: Box | undefined;
  /** Begins a comment; undefined where none can be written. */
  readonly onWrite?: ((row: Box) => void) | undefined;
  readonly onThreads: (row: Box) => void;
}

interface RowCommentCellProps {
  readonly comments: RowComments;
  /** Undefined for a row that has no key. */
  readonly name: Box | undefined;
  readonly isCounted: (name: Box) => boolean;
  readonly isFirst: boolean;
  /** Whether it stays in view while the columns are scrolled: only where they are, since it costs time. */
  readonly stays: boolean;
}

const cellLook =
  'no-print end-0 h-7 w-8 border-b border-border bg-surface px-1 text-end group-hover/row:bg-hover ' +
  'group-data-shown/row:bg-accent-weak';
/** On touch screens it is always seen, and takes more room than is seen. */
const buttonLook =
  'relative flex size-6 items-center justify-center rounded-control text-text-3 opacity-0 hover:text-text ' +
  'group-hover/row:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-60 ' +
  'pointer-coarse:after:absolute pointer-coarse:after:-inset-2';

/** The last cell of a row: its open threads, or the way to begin one. Up and Down go from row to row. */
export function RowCommentCell({
  comments: { rows, onWrite, onThreads },
  name,
  isCounted,
  isFirst,
  stays,
}: RowCommentCellProps) {
  const count = rows.filter(isCounted).length;
  return (
    <td data-row-comment onKeyDown={moveToRow} className={`${stays ? 'sticky' : ''} ${cellLook}`}>
      {name && count > 0 ? (
        <ThreadMark count={count} onPress={() => onThreads(name)} />
      ) : name && onWrite ? (
        <button
          type="button"
          aria-label={t.comments.aboutRow}
          title={t.comments.aboutRow}
          // The rest is reached by Up and Down: a hundred rows are no hundred stops of Tab.
          tabIndex={isFirst ? 0 : -1}
          onClick={() => onWrite(name)}
          className={buttonLook}
        >
          <MessageSquarePlus size={14} aria-hidden />
        </button>
      ) : null}
    </td>
  );
}

function moveToRow(event: KeyboardEvent<HTMLTableCellElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const buttons = [
    ...(event.currentTarget.closest('tbody')?.querySelectorAll<HTMLElement>('[data-row-comment] button') ??
      []),
  ];
  buttons[buttons.indexOf(event.target as HTMLElement) + step]?.focus();
  event.preventDefault();
  event.stopPropagation();
}
