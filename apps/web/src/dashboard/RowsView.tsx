import type { DashboardState, RowsPage } from '@belvedere/api';
import { formatNumber, formatTime } from '@belvedere/chart';
import { IconButton } from '@belvedere/ui';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { client } from '../data/server.ts';
import type { TileView } from '../live/live-tile.ts';
import { locale, t } from '../messages/messages.ts';

interface RowsViewProps {
  readonly dashboard: string;
  readonly tile: string;
  readonly title: string;
  readonly state: DashboardState;
  readonly view: TileView;
  readonly formats: Readonly<Record<string, string | undefined>>;
}

const pageSize = 100;

/** The rows themselves, a page at a time, sorted by the server. */
export function RowsView({ dashboard, tile, title, state, view, formats }: RowsViewProps) {
  const [sort, setSort] = useState<{ by: string; descending: boolean }>();
  const [offset, setOffset] = useState(0);
  const first = view.filteredRows ?? view.rows;
  const isFirst = sort === undefined && offset === 0;
  const { data } = useQuery({
    queryKey: ['rows', dashboard, tile, state, sort, offset],
    queryFn: ({ signal }) => client.postTileRows({ params: { id: dashboard, tile }, body: { state, offset, limit: pageSize, ...(sort && { sort }) } }, { signal }),
    placeholderData: keepPreviousData,
    enabled: !isFirst,
  });
  const page: RowsPage | undefined = isFirst ? (first && { columns: first.columns.map(column => ({ ...column, label: (column as { label?: string }).label ?? column.name })), rows: first.rows as RowsPage['rows'], total: first.total }) : data;
  if (!page) return null;
  const from = Math.min(offset, Math.max(0, page.total - 1));
  const count = (value: number) => formatNumber(value, 'integer', locale, 'full');
  return (
    <div className="flex size-full min-h-0 flex-col">
      <div className="min-h-0 flex-1 overflow-auto" tabIndex={0} role="region" aria-label={t.table.region(title)}>
        <table className="w-full border-separate border-spacing-0 text-12">
          <thead className="sticky top-0 z-10 bg-surface">
            <tr>
              {page.columns.map(column => {
                const isSorted = sort?.by === column.name;
                return (
                  <th key={column.name} aria-sort={isSorted ? (sort.descending ? 'descending' : 'ascending') : 'none'} className={`border-b border-border p-0 font-medium whitespace-nowrap ${isNumber(column.type) ? 'text-right' : 'text-left'}`}>
                    <button
                      type="button"
                      aria-label={t.table.sort(column.label)}
                      className="inline-flex h-7 items-center gap-1 px-2 text-text-2 hover:text-text pointer-coarse:h-11"
                      onClick={() => {
                        setOffset(0);
                        setSort(isSorted && sort.descending ? undefined : { by: column.name, descending: isSorted });
                      }}
                    >
                      {column.label}
                      {isSorted ? sort.descending ? <ArrowDown size={12} aria-hidden /> : <ArrowUp size={12} aria-hidden /> : null}
                    </button>
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {page.rows.map((row, i) => (
              <tr key={from + i} className="hover:bg-hover">
                {row.map((value, j) => (
                  <td key={page.columns[j]!.name} className={`tabular h-7 max-w-72 truncate border-b border-border px-2 ${isNumber(page.columns[j]!.type) ? 'text-right' : ''}`}>
                    <Cell value={value} type={page.columns[j]!.type} format={formats[page.columns[j]!.name]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="flex items-center justify-between pt-1.5 text-12 text-text-3">
        <span className="tabular">{page.total === 0 ? t.tile.emptyText : t.table.page(count(from + 1), count(from + page.rows.length), count(page.total))}</span>
        <span className="flex">
          <IconButton label={t.table.previous} isDisabled={offset === 0} onPress={() => setOffset(Math.max(0, offset - pageSize))}><ChevronLeft size={15} aria-hidden /></IconButton>
          <IconButton label={t.table.next} isDisabled={offset + pageSize >= page.total} onPress={() => setOffset(offset + pageSize)}><ChevronRight size={15} aria-hidden /></IconButton>
        </span>
      </div>
    </div>
  );
}

const isNumber = (type: string) => ['integer', 'decimal', 'number'].includes(type);

/** A value as it is: null and empty text are two things, whole numbers and decimals keep every digit. */
export function Cell({ value, type, format }: { readonly value: string | number | boolean | null; readonly type: string; readonly format?: string | undefined }) {
  if (value === null) return <span className="text-text-3">–</span>;
  if (value === '') return <span className="text-text-3">(empty)</span>;
  if (typeof value === 'number' && ['date', 'time', 'instant'].includes(type)) return type === 'date' ? formatTime(value, 'day', locale).replace(/^\w{3},? /, '') : formatTime(value, 'minute', locale).replace(/,/, ` ${new Date(value).getUTCFullYear()},`);
  if (typeof value === 'number') return format ? formatNumber(value, format, locale, 'full') : String(value).replace('-', '−');
  return String(value);
}
