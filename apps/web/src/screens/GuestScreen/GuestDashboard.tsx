import {
  isViewable,
  searchFromState,
  stateFromSearch,
  withParameter,
  type DashboardState,
  type OpenDashboard,
  type Search,
} from '@belvedere/api';
import { clear } from '@belvedere/crossfilter';
import type { ParameterValue, Tile } from '@belvedere/document';
import type { Adjustment, Box, FieldFilter } from '@belvedere/query';
import { IconButton, Menu, Tabs } from '@belvedere/ui';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download, SunMoon } from 'lucide-react';
import { Fragment, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { words } from '../../accounts/messages/words.ts';
import { CalendarContext } from '../../dashboard/chart/calendar.ts';
import { switchTheme, useTableTheme } from '../../dashboard/chart/use-theme.ts';
import { FilterBar, FilterPill } from '../../dashboard/filters/FilterBar.tsx';
import { describeStaleness } from '../../dashboard/tiles/describe.ts';
import { DashboardGrid } from '../../dashboard/tiles/DashboardGrid.tsx';
import { useResolvedDashboard } from '../../dashboard/tiles/resolved-dashboard.ts';
import { TileView } from '../../dashboard/tiles/TileView.tsx';
import { mayDownload } from '../../data/session/guest.ts';
import { inOwnZone, shownZone } from '../../data/session/own-zone.ts';
import { DownloadToasts } from '../../downloads/DownloadToasts.tsx';
import { downloadDashboard } from '../../downloads/download-dashboard.ts';
import type { DashboardStore } from '../../live/dashboard-store.ts';
import { useLiveDashboard } from '../../live/use-live-dashboard.ts';
import { useLoadUnreached } from '../../live/use-load-unreached.ts';
import { useSettled } from '../../live/use-live.ts';
import { t } from '../../messages/messages.ts';
import { Freshness } from './Freshness.tsx';

interface GuestDashboardProps {
  readonly dashboard: OpenDashboard;
  /** Shown below the title. */
  readonly notice?: ReactNode;
  /** In another site's frame: without a header, and the history of the site stays as it is. */
  readonly frame?: {
    /** The only tile, as large as the frame. */
    readonly tile: string | undefined;
    /** Called once the dashboard is there. @returns what ends it */
    readonly attach: (shown: ShownDashboard) => () => void;
  };
}

/** A dashboard in a frame, as the site around it sees and changes it. */
export interface ShownDashboard {
  readonly live: DashboardStore;
  readonly setFilters: (filters: DashboardState['filters']) => void;
}

const nothing = () => {};

/** A dashboard as a public link shows it, without links to other pages. */
export function GuestDashboard({ dashboard, notice, frame }: GuestDashboardProps) {
  useEffect(() => {
    document.title = `${dashboard.title} · ${t.product}`;
  }, [dashboard.title]);
  return (
    <CalendarContext value={dashboard.calendar}>
      {isViewable(dashboard) ? (
        <Shown dashboard={dashboard} notice={notice} {...(frame && { frame })} />
      ) : (
        <p role="status" className="p-6 text-text-2">
          {dashboard.state === 'importing' ? words.guest.importing : words.guest.broken}
        </p>
      )}
      <DownloadToasts />
    </CalendarContext>
  );
}

function Shown({ dashboard, notice, frame }: GuestDashboardProps) {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const requested = useMemo(() => {
    const { state, isWhole } = stateFromSearch(search);
    return { state: inOwnZone(dashboard, state), isWhole };
  }, [dashboard, search]);
  const live = useLiveDashboard(dashboard, requested.state);
  useLoadUnreached(live);
  const { state, applied, dataTime } = useSettled(live);
  useTableTheme(dashboard.look);
  const seen = useResolvedDashboard(dashboard, state);
  const document = seen.document!;
  const large = search['tile'];
  const [openedAt] = useState(() => Date.now());
  const staleness = describeStaleness(document.staleAfter, dataTime, openedAt, dashboard.calendar);
  const freshness = { dashboard, dataTime, staleness };
  const isFramed = frame !== undefined;
  useEffect(() => live.setState(requested.state), [live, requested.state]);

  const go = useCallback(
    (next: DashboardState, tile: string | undefined) => {
      const nextSearch = searchFromState(next);
      live.setState(inOwnZone(dashboard, stateFromSearch(nextSearch).state));
      void navigate({
        to: '.',
        replace: isFramed,
        search: { ...nextSearch, ...(tile !== undefined && { tile }) },
        // A preview's fragment names the link that it shows.
        hash: true,
        resetScroll: next.page !== requested.state.page,
      });
    },
    [dashboard, live, navigate, requested.state.page, isFramed],
  );
  const onSelected = useCallback(() => {
    void live.settle();
    go(live.state, large);
  }, [live, go, large]);
  const onLarge = useCallback(
    (id: string, isLarge: boolean) => go(live.state, isLarge ? id : undefined),
    [live, go],
  );
  const onReset = useCallback(
    () => go({ page: live.state.page, filters: {}, selections: {} }, large),
    [live, go, large],
  );
  const onFilter = useCallback(
    (field: string, condition: FieldFilter | null | undefined) => {
      const { [field]: _, ...others } = live.state.filters;
      const filters = condition === undefined ? others : { ...others, [field]: condition };
      go({ ...live.state, filters }, large);
    },
    [live, go, large],
  );
  const onParameter = useCallback(
    (name: string, value: ParameterValue | undefined) => go(withParameter(live.state, name, value), large),
    [live, go, large],
  );
  const onAdjust = useCallback(
    (id: string, adjustment: Adjustment | undefined) => {
      const { [id]: _, ...others } = live.state.tiles ?? {};
      const tiles = { ...others, ...(adjustment && { [id]: adjustment }) } as DashboardState['tiles'];
      // The selection is cleared, because it may no longer fit.
      const selections = clear(live.state.selections, id) as Record<string, Box[]>;
      go({ ...live.state, selections, tiles }, large);
    },
    [live, go, large],
  );
  const onClearSelection = useCallback(
    (tile: string) =>
      go({ ...live.state, selections: clear(live.state.selections, tile) as Record<string, Box[]> }, large),
    [live, go, large],
  );
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && Object.keys(live.state.selections).length > 0)
        go({ ...live.state, selections: {} }, large);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [live, go, large]);

  const attach = frame?.attach;
  const setFilters = useCallback(
    (filters: DashboardState['filters']) => go({ ...live.state, filters }, large),
    [live, go, large],
  );
  const latest = useRef(setFilters);
  useEffect(() => {
    latest.current = setFilters;
  }, [setFilters]);
  useEffect(() => attach?.({ live, setFilters: filters => latest.current(filters) }), [attach, live]);

  const page = document.pages[Math.min(state.page, document.pages.length - 1)]!;
  const filtering = { dashboard: seen, state, applied, dataTime, onFilter };
  const tileOf = (id: string, tile: Tile) =>
    tile.kind === 'control' ? (
      <Control field={tile.field} {...filtering} />
    ) : (
      <TileView
        id={id}
        tile={tile}
        live={live}
        models={dashboard.models}
        dashboardModel={document.model}
        adjustment={state.tiles?.[id]}
        compare={state.compare}
        state={tile.kind === 'table' ? state : undefined}
        broken={dashboard.brokenTiles[id]}
        isLarge={large === id}
        onLarge={frame?.tile === undefined ? onLarge : undefined}
        onSelected={onSelected}
        onAdjust={onAdjust}
        onFilters={nothing}
        onGo={nothing}
        onReset={onReset}
        staleness={staleness}
      />
    );
  if (frame?.tile !== undefined)
    return (
      // There is no room above the tile for its tools.
      <main className="h-dvh [&_[data-tile-tools]]:top-1 [&_[data-tile-tools]]:end-1">
        <h1 className="sr-only">{seen.title}</h1>
        {Object.entries(page.tiles).map(([id, tile]) => (
          <Fragment key={id}>{tileOf(id, tile)}</Fragment>
        ))}
      </main>
    );
  return (
    <main className={frame ? 'overflow-hidden px-0.5 pb-1' : 'mx-auto max-w-[1600px] px-5 pb-6 max-sm:px-3'}>
      {frame ? (
        <h1 className="sr-only">{seen.title}</h1>
      ) : (
        <Header title={seen.title} live={live} {...freshness} />
      )}
      {document.description && !frame ? (
        <p className="pb-2 text-13 text-text-2">{document.description}</p>
      ) : null}
      {notice}
      {requested.isWhole ? null : (
        <p role="status" className="mb-2 rounded-control bg-warn-weak px-3 py-1.5 text-warn">
          {t.dashboard.staleLink}
        </p>
      )}
      {document.pages.length > 1 ? (
        <div className="border-b border-border">
          <Tabs
            label={t.dashboard.pages}
            titles={document.pages.map(one => one.title)}
            selected={Math.min(state.page, document.pages.length - 1)}
            onSelect={index => go({ ...live.state, page: index }, undefined)}
          />
        </div>
      ) : null}
      <FilterBar
        {...filtering}
        live={live}
        isDataTimeElsewhere
        // Only the link's own filters are offered.
        selecting="nothing"
        onReset={onReset}
        onParameter={onParameter}
        onClearSelection={onClearSelection}
      />
      <DashboardGrid tiles={page.tiles} large={large} tileOf={tileOf} />
      {frame ? (
        <Freshness {...freshness} zone={shownZone(dashboard, live.state)} className="justify-end px-2 pt-1" />
      ) : null}
    </main>
  );
}

interface HeaderProps {
  readonly dashboard: OpenDashboard;
  readonly title: string;
  readonly dataTime: string | undefined;
  readonly staleness: string | undefined;
  readonly live: DashboardStore;
}

/** The title, the age of the data, and what a guest may do with the whole page. */
function Header({ title, live, ...freshness }: HeaderProps) {
  const { dashboard } = freshness;
  return (
    <header className="flex flex-wrap items-center gap-x-3 py-2 sm:flex-nowrap">
      <h1 className="truncate text-15 font-semibold max-sm:flex-1">{title}</h1>
      {/* On phones, a second line. */}
      <Freshness
        {...freshness}
        zone={shownZone(dashboard, live.state)}
        className="shrink-0 max-sm:order-last max-sm:w-full"
      />
      <span className="no-print ms-auto flex">
        {mayDownload() ? (
          <Menu
            label={t.dashboard.export}
            icon={<Download size={15} aria-hidden />}
            groups={() => [
              (['pdf', 'png', 'svg'] as const).map(format => ({
                id: format,
                label: t.formats[format],
                onAction: () => downloadDashboard(dashboard.id, format, live.state),
              })),
            ]}
          />
        ) : null}
        <IconButton label={t.header.theme} onPress={switchTheme}>
          <SunMoon size={16} aria-hidden />
        </IconButton>
      </span>
    </header>
  );
}

/** A filter's control among the tiles; only the link's own filters have one. */
function Control({
  field,
  ...filtering
}: { readonly field: string } & Omit<Parameters<typeof FilterPill>[0], 'filter'>) {
  const filter = filtering.dashboard.document?.filters?.find(one => one.field === field);
  return filter ? (
    <div className="flex size-full items-center">
      <FilterPill {...filtering} filter={filter} />
    </div>
  ) : null;
}
