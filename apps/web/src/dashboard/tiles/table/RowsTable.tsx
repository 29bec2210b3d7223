import type { DashboardState, RowsPage } from '@belvedere/api';
import {
  colourScale,
  drawSpark,
  extentOf,
  formatDay,
  formatNumber,
  paintGroup,
  type ChartTheme,
  type ColourScale,
} from '@belvedere/chart';
import type { Tile } from '@belvedere/document';
import { isNumeric, isTemporal, type DataType } from '@belvedere/model';
import { cellHighlight, type Adjustment, type Box } from '@belvedere/query';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type CSSProperties } from 'react';
import { client } from '../../../data/server.ts';
import { locale, t } from '../../../messages/messages.ts';
import { Cell } from './Cell.tsx';
import { RowCommentCell, type RowComments } from './RowCommentCell.tsx';
import { heatStyle } from './heat-style.ts';
import { useChartTheme } from '../../chart/use-theme.ts';
import { isRowNamed, rowName } from './row-name.ts';
import { useShownRow } from './use-shown-row.ts';
import { shownTypes } from './shown-types.ts';
import { usePinnedTooltip } from '../../gestures/use-pinned-tooltip.ts';
import { ColumnHeader } from './ColumnHeader.tsx';
import { TablePager } from './TablePager.tsx';
import { TotalRow } from './TotalRow.tsx';

type Column = RowsPage['columns'][number];

/** How cells look: formats by column, columns with bars, and highlighted values. */
export interface TableTheme {
  readonly formats: Readonly<Record<string, string | undefined>>;
  /** The labels of columns that differ from the server's. */
  readonly labelOf?: (column: Column) => string;
  /** The descriptions of columns. */
  readonly noteOf?: (column: Column) => string | undefined;
  readonly bars?: readonly string[];
  /** The columns whose cells are shaded by value. */
  readonly heat?: readonly string[];
  /** How many columns stay while the others are scrolled. */
  readonly pinned?: number;
  readonly highlights?: (Tile & { kind: 'table' })['highlights'];
}

interface RowsTableProps {
  readonly dashboard: string;
  readonly tile: string;
  readonly title: string;
  readonly state: DashboardState;
  /** The rows behind a tile's mark, in place of a table's own. */
  readonly mark?: Box | undefined;
  /** The first page, if it has been fetched. */
  readonly first: RowsPage | undefined;
  readonly look: TableTheme;
  readonly isOffline?: boolean;
  readonly comments?: RowComments | undefined;
  /** Where the sort order and the hidden columns are kept; in the table itself by default. */
  readonly kept?: TableView & { readonly onChange: (change: (view: TableView) => TableView) => void };
}

/** The user's settings of a table: the sort order that replaces its own, and hidden columns. */
export interface TableView {
  readonly sort?: Adjustment['sort'];
  readonly without?: readonly string[] | undefined;
}

const pageSize = 100;
/** Pixels. */
const widestColumn = 280;
type Value = RowsPage['rows'][number][number];

/**
 * Rows in pages, sorted by the server. A change of the rows begins with the first page; hiding a column does
 * not.
 */
export function RowsTable({
  dashboard,
  tile,
  title,
  state,
  mark,
  first,
  look,
  isOffline = false,
  comments,
  kept,
}: RowsTableProps) {
  const theme = useChartTheme();
  const [own, setOwn] = useState<TableView>({});
  const { sort, without = [] } = kept ?? own;
  const change = kept?.onChange ?? setOwn;
  const requested = JSON.stringify(state);
  const [turned, setTurned] = useState({ requested, offset: 0 });
  if (turned.requested !== requested) setTurned({ requested, offset: 0 });
  const { offset } = turned;
  const turnTo = (to: number) => setTurned({ requested, offset: to });
  const region = useRef<HTMLDivElement>(null);
  const isScrolled = useRef(false);
  // Other rows start at the first one. Reading the scroll position would force a layout.
  useEffect(() => {
    if (isScrolled.current) region.current?.scrollTo({ top: 0 });
  }, [requested, offset, sort?.by, sort?.descending]);
  const isFirst = first !== undefined && own.sort === undefined && offset === 0;
  const { data, error } = useRows({ dashboard, tile, state, mark, sort: own.sort, offset, isFirst });
  const found: RowsPage | undefined = isFirst ? first : data;
  const page = found && {
    ...found,
    columns: found.columns.map(column => ({ ...column, label: look.labelOf?.(column) ?? column.label })),
  };
  const { listed, ahead, shownAt } = useShownRow({
    dashboard,
    tile,
    state,
    page,
    region,
    shown: comments?.shown,
  });
  const { head, pinned } = usePinnedTooltip(
    look.pinned ?? 1,
    [...(page?.columns ?? []).map(column => column.name), '', ...without].join(),
  );
  if (error)
    return (
      <p role="alert" className="text-12 text-bad">
        {error.message}
      </p>
    );
  if (!page)
    return (
      <p role="status" className="soon text-12 text-text-2">
        {t.tile.loading}
      </p>
    );
  const from = Math.min(offset, Math.max(0, page.total - 1));
  const all = page.columns.map((column, position) => ({ column, position }));
  const left = all.filter(({ column }) => !without.includes(column.name));
  // A table with all columns hidden shows all.
  const shown = left.length > 0 ? left : all;
  const types = shownTypes(page.columns, page.rows);
  const reach = barReach(page, look.bars ?? []);
  const scales = heatScales(page, look.heat ?? [], theme);
  const hasComments = comments !== undefined && page.key !== undefined && !isOffline;
  return (
    <div className="flex size-full min-h-0 flex-col">
      <div
        ref={region}
        onScroll={event => (isScrolled.current = event.currentTarget.scrollTop > 0)}
        className="min-h-0 flex-1 overflow-auto"
        tabIndex={0}
        role="region"
        aria-label={t.table.region(title)}
      >
        <table
          className="w-full border-separate border-spacing-0 text-12"
          // A few columns stay near each other: a number at the far end is not read with its name.
          style={{ maxWidth: `${shown.length * widestColumn}px` }}
        >
          <thead className="sticky top-0 z-10 bg-surface">
            <tr ref={head}>
              {shown.map(({ column }, i) => (
                <ColumnHeader
                  key={column.name}
                  column={column}
                  note={look.noteOf?.(column)}
                  direction={sort?.by !== column.name ? 'none' : sort.descending ? 'descending' : 'ascending'}
                  pinnedAt={pinned[i]}
                  isDisabled={isOffline}
                  onSort={() => {
                    turnTo(0);
                    change(view => ({ ...view, sort: nextSort(view.sort, column.name) }));
                  }}
                />
              ))}
              {hasComments ? (
                <th
                  data-row-comment
                  className={`no-print end-0 w-8 border-b border-border bg-surface ${pinned.length > 0 ? 'sticky' : ''}`}
                >
                  <span className="sr-only">{t.comments.ofRows}</span>
                </th>
              ) : null}
            </tr>
          </thead>
          <tbody>
            {listed.map((row, i) => (
              <tr
                key={from + i - ahead}
                data-shown={i < ahead || i - ahead === shownAt || undefined}
                className="group/row hover:bg-hover data-shown:bg-accent-weak"
              >
                {shown.map(({ column, position }, j) => (
                  <td
                    key={column.name}
                    className={`tabular h-7 border-b border-border px-2 whitespace-nowrap ${isLong(row[position]!, column.type) ? 'max-w-72 truncate' : ''} ${isNumeric(column.type as DataType) ? 'text-end' : ''} ${j < pinned.length ? 'sticky bg-surface group-data-shown/row:bg-accent-weak' : ''} ${highlightOf(look.highlights, column, row[position]!)}`}
                    style={{
                      insetInlineStart: pinned[j],
                      ...heatOf(scales, look.highlights, column, row[position]!),
                    }}
                  >
                    <div
                      className={
                        page.sparklines?.of[column.name]
                          ? 'flex items-center justify-between gap-2'
                          : 'contents'
                      }
                    >
                      <Sparkline
                        sparklines={page.sparklines}
                        name={column.name}
                        row={i - ahead}
                        format={column.format ?? look.formats[column.name]}
                      />
                      <Bar value={row[position]!} reach={reach.get(column.name)} />
                      <span>
                        <Cell
                          value={row[position]!}
                          type={types[position]!}
                          format={column.format ?? look.formats[column.name]}
                          link={column.link}
                        />
                      </span>
                    </div>
                  </td>
                ))}
                {hasComments ? (
                  <RowCommentCell
                    comments={comments}
                    name={rowName(page.columns, row, page.key)}
                    isCounted={name => isRowNamed(page.columns, row, name)}
                    isFirst={i === 0}
                    stays={pinned.length > 0}
                  />
                ) : null}
              </tr>
            ))}
          </tbody>
          {page.totals ? (
            <TotalRow
              shown={shown}
              totals={page.totals}
              formats={look.formats}
              pinned={pinned}
              hasComments={hasComments}
            />
          ) : null}
        </table>
      </div>
      <TablePager
        page={page}
        offset={offset}
        pageSize={pageSize}
        without={without}
        isLastShown={shown.length === 1}
        isOffline={isOffline}
        onTurn={turnTo}
        onShow={(name, isShown) =>
          change(view => ({
            ...view,
            without: isShown ? view.without?.filter(one => one !== name) : [...(view.without ?? []), name],
          }))
        }
      />
    </div>
  );
}

/** The rows from an offset on. Those before stay until they arrive. */
function useRows({
  dashboard,
  tile,
  state,
  mark,
  sort,
  offset,
  isFirst,
}: Pick<RowsTableProps, 'dashboard' | 'tile' | 'state' | 'mark'> & {
  readonly sort: TableView['sort'];
  readonly offset: number;
  readonly isFirst: boolean;
}) {
  return useQuery({
    queryKey: ['workspace', 'rows', dashboard, tile, state, mark, sort, offset],
    queryFn: ({ signal }) =>
      client.getTileRows(
        {
          params: { id: dashboard, tile },
          body: { state, offset, limit: pageSize, ...(mark && { mark }), ...(sort && { sort }) },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
    enabled: !isFirst,
  });
}

/** A column's name pressed: up, down, and as the table was made. */
function nextSort(sort: Adjustment['sort'], by: string): Adjustment['sort'] {
  if (sort?.by !== by) return { by, descending: false };
  return sort.descending ? undefined : { by, descending: true };
}

/** Wide texts are not clipped: clipping would composite the layers of each cell again in every frame. */
const isLong = (value: Value, type: string) =>
  typeof value === 'string' && value.length > 20 && !isTemporal(type as DataType);

/** How far the bars of each column reach on this page: to its largest magnitude. */
function barReach(page: RowsPage, names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(
    names.flatMap(name => {
      const position = page.columns.findIndex(column => column.name === name);
      const largest = Math.max(...page.rows.map(row => Math.abs(Number(row[position] ?? 0))), 0);
      return position >= 0 && largest > 0 ? [[name, largest] as const] : [];
    }),
  );
}

/** The colour scales of columns, over the values of this page. */
function heatScales(
  page: RowsPage,
  names: readonly string[],
  theme: ChartTheme,
): ReadonlyMap<string, ColourScale> {
  return new Map(
    page.columns.flatMap(({ name, label }, position) => {
      if (!names.includes(name)) return [];
      const values = page.rows.map(row => numberIn(row[position]!));
      const measure = { label, isAdditive: false };
      return [[name, colourScale(extentOf(values), measure, { theme, locale })] as const];
    }),
  );
}

/** A cell's number; NaN for one without a value. */
const numberIn = (value: Value) => (value === null ? Number.NaN : Number(value));

function heatOf(
  scales: ReadonlyMap<string, ColourScale>,
  highlights: TableTheme['highlights'],
  column: Column,
  value: Value,
): CSSProperties | undefined {
  const scale = scales.get(column.name);
  const number = numberIn(value);
  return scale && !Number.isNaN(number) && highlightOf(highlights, column, value) === ''
    ? heatStyle(scale, number)
    : undefined;
}

function Bar({ value, reach }: { readonly value: Value; readonly reach: number | undefined }) {
  if (reach === undefined || value === null) return null;
  const share = Number(value) / reach;
  return (
    <span aria-hidden className="float-start me-2 mt-[3px] block h-2.5 w-20 max-w-[40%] bg-hover">
      <span
        className={`block h-full ${share < 0 ? 'bg-bad' : 'bg-accent'}`}
        style={{ width: `${Math.min(1, Math.abs(share)) * 100}%` }}
      />
    </span>
  );
}

const sparklineSize = { width: 72, height: 16 };

/** The points of a row's measure in time, beside its number. */
function Sparkline({
  sparklines,
  name,
  row,
  format,
}: {
  readonly sparklines: RowsPage['sparklines'];
  readonly name: string;
  readonly row: number;
  readonly format: string | undefined;
}) {
  const points = sparklines?.of[name]?.[row];
  if (!sparklines || !points) return null;
  const values = points.map(value => value ?? Number.NaN);
  const known = values.filter(value => !Number.isNaN(value));
  const say = (value: number | undefined) =>
    value === undefined ? '–' : formatNumber(value, format, locale, 'full');
  const label = t.table.sparkline(
    t.units[sparklines.unit],
    formatDay(sparklines.from, locale),
    formatDay(sparklines.to, locale),
    say(known.length > 0 ? Math.min(...known) : undefined),
    say(known.length > 0 ? Math.max(...known) : undefined),
    say(known.at(-1)),
  );
  return (
    <svg role="img" aria-label={label} {...sparklineSize} className="shrink-0 text-accent">
      <title>{label}</title>
      <g dangerouslySetInnerHTML={{ __html: paintGroup(drawSpark(values, sparklineSize, 'currentColor')) }} />
    </svg>
  );
}

const looks = {
  good: 'bg-good-weak text-good',
  warn: 'bg-warn-weak text-warn',
  bad: 'bg-bad-weak text-bad',
  accent: 'bg-accent-weak text-accent-text',
} as const;

function highlightOf(highlights: TableTheme['highlights'], column: Column, value: Value): string {
  const found = cellHighlight(
    highlights?.filter(({ field }) => field === column.name),
    value,
  );
  return found ? looks[found] : '';
}
