import type { Field, NamedAxis, TilePart } from '@belvedere/api';
import {
  colourScale,
  extentOf,
  isThere,
  pivotColumns,
  pivotLines,
  pivotValues,
  positionName,
  type PivotColumn,
  type PivotLine,
} from '@belvedere/chart';
import type { Tile } from '@belvedere/document';
import { groupsOf } from '@belvedere/query';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { LiveTile, Picture, TileView } from '../../../live/live-tile.ts';
import { locale, t } from '../../../messages/messages.ts';
import { exactDigits, full } from '../describe.ts';
import { heatStyle } from './heat-style.ts';
import { useChartTheme } from '../../chart/use-theme.ts';
import { useLiveValues } from '../use-live-values.ts';
import { usePinnedTooltip } from '../../gestures/use-pinned-tooltip.ts';

interface PivotViewProps {
  readonly live: LiveTile;
  readonly view: TileView;
  readonly tile: Tile & { kind: 'pivot' };
  readonly title: string;
  readonly measures: readonly Field[];
  readonly labelOf: (field: string) => string;
}

/** Rows by columns with totals for each level. Each total is queried, not added up from others. */
export function PivotView({ live, view, tile, title, measures, labelOf }: PivotViewProps) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [sort, setSort] = useState<{ column: number; measure: number; isDescending: boolean }>();
  const theme = useChartTheme();
  useLiveValues(live);
  const axes = view.base.main!.axes;
  const rowAxes = axes.filter(axis => axis.channel === 'row');
  const columnAxes = axes.filter(axis => axis.channel === 'column');
  const pictureOf = (part: TilePart): Picture | undefined => {
    const picture = view.filtered?.[part] ?? view.base[part];
    const values = live.current(part);
    return picture && values ? { ...picture, values } : picture;
  };
  const valueAt = pivotValues((rows, columns) =>
    pictureOf(rows === rowAxes.length && columns === columnAxes.length ? 'main' : `r${rows}c${columns}`),
  );
  const columns = useMemo(() => pivotColumns(columnAxes), [columnAxes]);
  const order =
    sort && ((rows: readonly number[]) => valueAt(rows, columns[sort.column]!.positions, sort.measure));
  const lines = pivotLines(
    rowAxes,
    closed,
    positions => measures.some((_, m) => isThere(valueAt(positions, [], m))),
    order && { valueOf: order, isDescending: sort!.isDescending },
  );
  const main = pictureOf('main')!;
  const heat = tile.heat
    ? measures.map((measure, m) =>
        colourScale(
          extentOf(main.values.subarray(m * groupsOf(main.axes), (m + 1) * groupsOf(main.axes))),
          { label: measure.label, isAdditive: main.additive[m] ?? false },
          { theme, locale },
        ),
      )
    : undefined;
  const depth = rowAxes.length;
  const { head, pinned } = usePinnedTooltip(1, axes.map(axis => axis.field).join());
  const stays = pinned.length > 0 ? 'sticky start-0' : '';
  return (
    <div className="size-full overflow-auto" tabIndex={0} role="region" aria-label={t.table.region(title)}>
      <table className="border-separate border-spacing-0 text-12">
        <thead className="sticky top-0 z-10 bg-surface text-text-2">
          {columnAxes.map((axis, level) => (
            <tr key={axis.field} ref={level === 0 ? head : undefined}>
              <th className={`${stays} bg-surface px-2 text-start font-medium text-text-3`}>
                {level === columnAxes.length - 1 && measures.length === 1
                  ? rowAxes.map(one => labelOf(one.field)).join(' › ')
                  : labelOf(axis.field)}
              </th>
              {headerCells(columns, columnAxes, level).map(cell => (
                <th
                  key={cell.key}
                  colSpan={cell.span * measures.length}
                  scope="col"
                  className="h-7 border-b border-border px-2 text-end font-medium whitespace-nowrap"
                >
                  {level === columnAxes.length - 1 && measures.length === 1 ? (
                    <SortButton
                      label={cell.label}
                      column={cell.at}
                      measure={0}
                      sort={sort}
                      onSort={setSort}
                    />
                  ) : (
                    cell.label
                  )}
                </th>
              ))}
            </tr>
          ))}
          {measures.length > 1 || columnAxes.length === 0 ? (
            <tr ref={columnAxes.length === 0 ? head : undefined}>
              <th className={`${stays} bg-surface px-2 text-start font-medium text-text-3`}>
                {rowAxes.map(one => labelOf(one.field)).join(' › ')}
              </th>
              {columns.flatMap((column, c) =>
                measures.map((measure, m) => (
                  <th
                    key={`${column.key}:${measure.name}`}
                    scope="col"
                    className="h-7 border-b border-border px-2 text-end font-medium whitespace-nowrap"
                  >
                    <SortButton label={measure.label} column={c} measure={m} sort={sort} onSort={setSort} />
                  </th>
                )),
              )}
            </tr>
          ) : null}
        </thead>
        <tbody>
          {lines.map(line => (
            <tr
              key={line.key}
              className={
                line.isTotal
                  ? 'font-semibold'
                  : line.positions.length < depth
                    ? 'bg-hover/60 font-medium'
                    : 'hover:bg-hover'
              }
            >
              <th
                scope="row"
                className={`${stays} h-7 max-w-64 truncate border-b border-border bg-surface px-2 text-start whitespace-nowrap`}
                style={{
                  fontWeight: 'inherit',
                  paddingInlineStart: 8 + Math.max(0, line.positions.length - 1) * 16,
                }}
              >
                <RowName
                  line={line}
                  axes={rowAxes}
                  depth={depth}
                  onToggle={() => setClosed(toggled(closed, line.key))}
                />
              </th>
              {columns.flatMap(column =>
                measures.map((measure, m) => {
                  const value = valueAt(line.positions, column.positions, m);
                  const isLeaf =
                    line.positions.length === depth && column.positions.length === columnAxes.length;
                  return (
                    <td
                      key={`${column.key}:${measure.name}`}
                      className="tabular h-7 border-b border-border px-2 text-end whitespace-nowrap"
                      title={isThere(value) ? exactDigits(value, measure) : undefined}
                      style={heat && isLeaf && isThere(value) ? heatStyle(heat[m]!, value) : undefined}
                    >
                      {isThere(value) ? full(value, measure) : ''}
                    </td>
                  );
                }),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function headerCells(
  columns: readonly PivotColumn[],
  axes: readonly NamedAxis[],
  level: number,
): { key: string; label: string; span: number; at: number }[] {
  const cells: { key: string; label: string; span: number; at: number }[] = [];
  columns.forEach((column, at) => {
    const prefix = column.positions.slice(0, level + 1).join('.');
    const last = cells.at(-1);
    const key = column.positions.length > level ? prefix : `${column.key}:total`;
    if (last?.key === key) last.span++;
    else
      cells.push({
        key,
        label:
          column.positions.length > level
            ? positionName(axes[level]!, column.positions[level]!, locale)
            : column.positions.length === level
              ? t.pivot.total
              : '',
        span: 1,
        at,
      });
  });
  return cells;
}

function RowName({
  line,
  axes,
  depth,
  onToggle,
}: {
  readonly line: PivotLine;
  readonly axes: readonly NamedAxis[];
  readonly depth: number;
  readonly onToggle: () => void;
}) {
  if (line.isTotal) return t.pivot.total;
  const name = positionName(axes[line.positions.length - 1]!, line.positions.at(-1)!, locale);
  if (line.positions.length === depth) return name;
  return (
    <button
      type="button"
      aria-expanded={!line.isClosed}
      className="inline-flex items-center gap-1 hover:text-accent-text"
      onClick={onToggle}
    >
      {line.isClosed ? <ChevronRight size={13} aria-hidden /> : <ChevronDown size={13} aria-hidden />}
      {name}
    </button>
  );
}

interface SortButtonProps {
  readonly label: string;
  readonly column: number;
  readonly measure: number;
  readonly sort:
    | { readonly column: number; readonly measure: number; readonly isDescending: boolean }
    | undefined;
  readonly onSort: (sort: { column: number; measure: number; isDescending: boolean } | undefined) => void;
}

function SortButton({ label, column, measure, sort, onSort }: SortButtonProps) {
  const isSorted = sort?.column === column && sort.measure === measure;
  return (
    <button
      type="button"
      aria-label={t.table.sort(label)}
      className="hover:text-text"
      onClick={() =>
        onSort(isSorted && !sort.isDescending ? undefined : { column, measure, isDescending: !isSorted })
      }
    >
      {label}
      {isSorted ? (sort.isDescending ? ' ↓' : ' ↑') : ''}
    </button>
  );
}

function toggled(closed: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(closed);
  if (!next.delete(key)) next.add(key);
  return next;
}
