import type { RowsPage } from '@belvedere/api';
import { formatNumber } from '@belvedere/chart';
import { Checkbox, IconButton, Popover } from '@belvedere/ui';
import { ChevronLeft, ChevronRight, Columns3 } from 'lucide-react';
import { locale, t } from '../../../messages/messages.ts';

interface TablePagerProps {
  readonly page: RowsPage;
  /** The number of rows before the page. */
  readonly offset: number;
  readonly pageSize: number;
  /** The names of hidden columns. */
  readonly without: readonly string[];
  /** Whether only one column is shown, which cannot be hidden. */
  readonly isLastShown: boolean;
  readonly isOffline: boolean;
  readonly onTurn: (offset: number) => void;
  readonly onShow: (column: string, isShown: boolean) => void;
}

const count = (value: number) => formatNumber(value, 'integer', locale, 'full');

/** Below a table: which rows are shown, buttons for other pages, and the menu of its columns. */
export function TablePager({
  page,
  offset,
  pageSize,
  without,
  isLastShown,
  isOffline,
  onTurn,
  onShow,
}: TablePagerProps) {
  const from = Math.min(offset, Math.max(0, page.total - 1));
  return (
    <div className="flex items-center justify-between pt-1.5 text-12 text-text-3">
      <span className="tabular">
        {page.total === 0
          ? t.tile.emptyText
          : t.table.page(count(from + 1), count(from + page.rows.length), count(page.total))}
      </span>
      <span className="no-print flex">
        <Popover
          label={t.table.columns}
          trigger={
            <>
              <Columns3 size={15} aria-hidden />
              <span className="sr-only">{t.table.columns}</span>
            </>
          }
          triggerClassName="inline-flex h-[30px] w-[30px] items-center justify-center rounded-control text-text-2 hover:bg-hover pointer-coarse:h-11 pointer-coarse:w-11"
          width="w-56"
        >
          <div className="flex flex-col">
            {page.columns.map(column => (
              <Checkbox
                key={column.name}
                isSelected={!without.includes(column.name)}
                isDisabled={isLastShown && !without.includes(column.name)}
                onChange={isShown => onShow(column.name, isShown)}
              >
                {column.label}
              </Checkbox>
            ))}
          </div>
        </Popover>
        <IconButton
          label={t.table.previous}
          isDisabled={offset === 0}
          onPress={() => onTurn(Math.max(0, offset - pageSize))}
        >
          <ChevronLeft size={15} aria-hidden />
        </IconButton>
        <IconButton
          label={t.table.next}
          isDisabled={isOffline || offset + pageSize >= page.total}
          onPress={() => onTurn(offset + pageSize)}
        >
          <ChevronRight size={15} aria-hidden />
        </IconButton>
      </span>
    </div>
  );
}
