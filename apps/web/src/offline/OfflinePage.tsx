import type { DashboardState } from '@belvedere/api';
import { isChartTile } from '@belvedere/chart';
import { clear } from '@belvedere/crossfilter';
import type { DashboardFilter, Tile } from '@belvedere/document';
import type { FieldFilter } from '@belvedere/query';
import { Button, Tabs } from '@belvedere/ui';
import { RotateCcw } from 'lucide-react';
import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { DashboardGrid } from '../dashboard/tiles/DashboardGrid.tsx';
import { tileTitle } from '../dashboard/tiles/describe.ts';
import { useResolvedDashboard } from '../dashboard/tiles/resolved-dashboard.ts';
import { SelectionChip } from '../dashboard/filters/SelectionChip.tsx';
import { useTableTheme } from '../dashboard/chart/use-theme.ts';
import { TileView } from '../dashboard/tiles/TileView.tsx';
import { DashboardStore } from '../live/dashboard-store.ts';
import { useSelectedTiles, useSettled } from '../live/use-live.ts';
import { t } from '../messages/messages.ts';
import { filterOf } from '../dashboard/filters/FilterBar.tsx';
import { OfflineFilterPill, type OfflineFilters } from './OfflineFilterPill.tsx';
import { offlineClient } from './offline-client.ts';
import type { OfflineData } from './offline-data.ts';

const nothing = () => {};

/** The page of an exported HTML file. Its state lives as long as its window. */
export function OfflinePage({ data }: { readonly data: OfflineData }) {
  const [live] = useState(
    () => new DashboardStore(offlineClient(data), data.dashboard, data.state, { selectsOne: true }),
  );
  return <OfflineDashboard data={data} live={live} onState={nothing} />;
}

interface OfflineDashboardProps {
  readonly data: Pick<OfflineData, 'dashboard' | 'about' | 'images'>;
  readonly live: DashboardStore;
  /** Called when a gesture ends, another page is chosen or the selection is cleared. */
  readonly onState: (state: DashboardState) => void;
  /** The filters that can be changed; without them, the filters are described. */
  readonly filters?: OfflineFilters;
  /** Shown below the title. */
  readonly notice?: ReactNode;
}

/** A dashboard that can be brushed without a server. */
export function OfflineDashboard({ data, live, onState, filters, notice }: OfflineDashboardProps) {
  const { state } = useSettled(live);
  useTableTheme(data.dashboard.look);
  const dashboard = useResolvedDashboard(data.dashboard, state);
  const document = dashboard.document!;
  const [large, setLarge] = useState<string>();
  useEffect(() => void live.load(), [live]);
  const go = useCallback(
    (next: DashboardState) => {
      live.setState(next);
      onState(next);
    },
    [live, onState],
  );
  const onSelected = useCallback(() => {
    void live.settle();
    onState(live.state);
  }, [live, onState]);
  const onReset = useCallback(
    () => go({ ...live.state, ...(filters && { filters: {} }), selections: {} }),
    [go, live, filters],
  );
  const onClearSelection = useCallback(
    (tile: string) => go({ ...live.state, selections: clear(live.state.selections, tile) } as DashboardState),
    [go, live],
  );
  // Where a combination was not computed, a filter takes the place of the others, and of selections.
  const onFilter = useCallback(
    (field: string, condition: FieldFilter | null | undefined) => {
      const { filters: set, selections, page: at } = live.state;
      const { [field]: _, ...others } = set;
      const fields = Object.keys(others);
      const may = (kept: readonly string[]) => filters?.mayCombine([...kept, field], at) === true;
      const kept =
        condition === undefined || may(fields) ? fields : fields.filter(one => may([one])).slice(-1);
      const next = {
        ...Object.fromEntries(kept.map(one => [one, others[one]])),
        ...(condition !== undefined && { [field]: condition }),
      };
      const isKept = Object.keys(selections).every(tile => filters?.maySelect(tile, Object.keys(next), at));
      go({ ...live.state, filters: next, selections: isKept ? selections : {} } as DashboardState);
    },
    [go, live, filters],
  );
  const set = Object.keys(state.filters);
  const isFiltered = filters !== undefined && set.length > 0;
  const isSelectable = (id: string, tile: Tile) =>
    isChartTile(tile) && tile.selects !== false && (!isFiltered || filters.maySelect(id, set, state.page));
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && Object.keys(live.state.selections).length > 0)
        go({ ...live.state, selections: {} });
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [go, live]);
  const page = document.pages[state.page] ?? document.pages[0]!;
  const selected = useSelectedTiles(live).filter(tile => tile in page.tiles);
  const limits = isFiltered
    ? limitsOf(filters, state.page, Object.entries(page.tiles), isSelectable)
    : undefined;
  const onLarge = useCallback((tile: string, isLarge: boolean) => setLarge(isLarge ? tile : undefined), []);
  const filterPill = (filter: DashboardFilter) =>
    filters ? (
      <OfflineFilterPill
        key={filter.field}
        filters={filters}
        filter={filter}
        dashboard={dashboard}
        state={state}
        onFilter={onFilter}
      />
    ) : null;
  return (
    <main className="mx-auto max-w-[1600px] px-5 pb-6 max-sm:px-3">
      <header className="flex flex-wrap items-baseline gap-x-3 gap-y-1 py-3">
        <h1 className="text-14 font-semibold">{dashboard.title}</h1>
        <p className="text-12 text-text-2">
          {(filters ? data.about.slice(1) : data.about)
            .map(([name, value]) => `${name}: ${value}`)
            .join(' · ')}
        </p>
        {selected.map(tile => (
          <SelectionChip
            key={tile}
            live={live}
            models={dashboard.models}
            tile={tile}
            title={tileTitle(
              page.tiles[tile]!,
              dashboard.models.find(model => model.name === (page.tiles[tile]!.model ?? document.model)),
            )}
            onClear={onClearSelection}
          />
        ))}
      </header>
      {filters && (document.filters ?? []).some(({ hidden }) => !hidden) ? (
        <div role="group" aria-label={t.filters.label} className="mb-2 flex flex-wrap items-center gap-2">
          {(document.filters ?? []).filter(({ hidden }) => !hidden).map(filterPill)}
          {isFiltered ? (
            <>
              <Button look="quiet" onPress={onReset}>
                <RotateCcw size={14} aria-hidden />
                {t.filters.reset}
              </Button>
              {limits === undefined ? null : (
                <p role="status" className="text-12 text-text-2">
                  {limits}
                </p>
              )}
            </>
          ) : null}
        </div>
      ) : null}
      {notice}
      {document.pages.length > 1 ? (
        <div className="mb-2 border-b border-border">
          <Tabs
            label={t.dashboard.pages}
            titles={document.pages.map(one => one.title)}
            selected={state.page}
            onSelect={index => go({ ...live.state, page: index, selections: {} })}
          />
        </div>
      ) : null}
      <DashboardGrid
        tiles={page.tiles}
        large={large}
        tileOf={(id, tile) =>
          tile.kind === 'control' ? (
            <div className="flex size-full items-center">{filterPill(filterOf(tile, document.filters))}</div>
          ) : tile.kind === 'image' ? (
            <OfflineImage address={data.images[tile.file]} alt={tile.alt} />
          ) : (
            <TileView
              id={id}
              tile={isChartTile(tile) && !isSelectable(id, tile) ? { ...tile, selects: false } : tile}
              live={live}
              models={dashboard.models}
              dashboardModel={document.model}
              adjustment={state.tiles?.[id]}
              compare={state.compare}
              state={tile.kind === 'table' ? state : undefined}
              broken={dashboard.brokenTiles[id]}
              isLarge={large === id}
              isOffline
              notes={dashboard.notes}
              onLarge={onLarge}
              onSelected={onSelected}
              onAdjust={nothing}
              onFilters={nothing}
              onGo={nothing}
              onReset={onReset}
              staleness={undefined}
            />
          )
        }
      />
    </main>
  );
}

/** Says how filters can be combined; undefined if that is in any way, and with a selection on any chart. */
function limitsOf(
  { fields, mayCombine }: OfflineFilters,
  page: number,
  tiles: readonly (readonly [string, Tile])[],
  isSelectable: (id: string, tile: Tile) => boolean,
): string | undefined {
  const charts = tiles.filter(([, tile]) => isChartTile(tile) && tile.selects !== false);
  const selectable = charts.filter(([id, tile]) => isSelectable(id, tile));
  if (mayCombine(fields, page))
    return selectable.length === charts.length
      ? undefined
      : selectable.length > 0
        ? t.site.someSelections
        : t.site.noSelections;
  const others = (of: readonly string[]) =>
    fields
      .filter(field => !of.includes(field) && mayCombine([...of, field], page))
      .map(field => [...of, field]);
  const pairs = fields.flatMap(field => others([field]));
  if (selectable.length > 0 || pairs.some(pair => others(pair).length > 0)) return t.site.someTogether;
  return pairs.length > 0 ? t.site.twoFilters : t.site.oneFilter;
}

/** An embedded image, or its alternative text if it could not be embedded. */
function OfflineImage({ address, alt }: { readonly address: string | undefined; readonly alt: string }) {
  return address === undefined ? (
    <p className="p-2 text-12 text-text-2">{alt}</p>
  ) : (
    <img src={address} alt={alt} className="size-full rounded-tile object-contain" />
  );
}
