import type { RowsPage } from '@belvedere/api';
import { isNumeric, type DataType } from '@belvedere/model';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { t } from '../../../messages/messages.ts';

interface ColumnHeaderProps {
  readonly column: RowsPage['columns'][number];
  /** The column's description. */
  readonly note: string | undefined;
  readonly direction: 'ascending' | 'descending' | 'none';
  /** Px from the start at which the column stays while others are scrolled. */
  readonly pinnedAt: number | undefined;
  readonly isDisabled: boolean;
  readonly onSort: () => void;
}

/** A column's name, which sorts the table by the column. */
export function ColumnHeader({ column, note, direction, pinnedAt, isDisabled, onSort }: ColumnHeaderProps) {
  return (
    <th
      aria-sort={direction}
      className={`border-b border-border bg-surface p-0 font-medium whitespace-nowrap ${isNumeric(column.type as DataType) ? 'text-end' : 'text-start'} ${pinnedAt !== undefined ? 'sticky z-10' : ''}`}
      style={{ insetInlineStart: pinnedAt }}
    >
      <button
        type="button"
        aria-label={t.table.sort(column.label)}
        disabled={isDisabled}
        className="inline-flex h-7 items-center gap-1 px-2 text-text-2 hover:text-text pointer-coarse:h-11"
        onClick={onSort}
      >
        <span className="max-w-72 truncate" title={[column.label, note].filter(Boolean).join('\n')}>
          {column.label}
        </span>
        {direction === 'descending' ? <ArrowDown size={12} aria-hidden /> : null}
        {direction === 'ascending' ? <ArrowUp size={12} aria-hidden /> : null}
      </button>
    </th>
  );
}
