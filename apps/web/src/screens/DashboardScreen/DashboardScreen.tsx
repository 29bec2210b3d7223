import {
  ApiError,
  isViewable,
  searchFromState,
  stateFromSearch,
  type DashboardState,
  type OpenDashboard,
  type Search,
} from '@belvedere/api';
import type { DataType } from '@belvedere/model';
import type { FieldFilter } from '@belvedere/query';
import { formatDay, hasParts } from '@belvedere/chart';
import { adjustTile, parseCalendarTime } from '@belvedere/query';
import { Button, IconButton, LazyBoundary, lazyComponent, Menu, StateChip, Tabs } from '@belvedere/ui';
import { Bookmark, Download, Ellipsis, Eye, MessageSquare, Pencil, Printer, Star } from 'lucide-react';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState, type CSSProperties } from 'react';
import { lazyWithWords } from '../../accounts/lazy-with-words.ts';
import { CommentsButton, LazyCommentsPanel } from '../../comments/CommentsButton.tsx';
import { useDashboardAlerts } from '../../alerts/use-dashboard-alerts.tsx';
import { useCommentPanel } from '../../comments/use-comment-panel.ts';
import { useDashboardActions } from '../../dashboard/actions/use-dashboard-actions.tsx';
import { chartKeys, tileKeys } from '../../dashboard/gestures/chart-keys.ts';
import { describeBounds, describeStaleness } from '../../dashboard/tiles/describe.ts';
import { PrintHeader } from '../../dashboard/tiles/PrintHeader.tsx';
import { FilterBar, FilterPill } from '../../dashboard/filters/FilterBar.tsx';
import { LastTime, useViews } from '../../dashboard/dialogs/SavedViews.tsx';
import { downloadDashboard } from '../../downloads/download-dashboard.ts';
import { useResolvedDashboard } from '../../dashboard/tiles/resolved-dashboard.ts';
import { exploreSearch } from '../../dashboard/tiles/explore-search.ts';
import { TileView } from '../../dashboard/tiles/TileView.tsx';
import { CalendarContext } from '../../dashboard/chart/calendar.ts';
import { useTableTheme } from '../../dashboard/chart/use-theme.ts';
import { markFavourite, recordVisit, useMe } from '../../data/user-preferences.ts';
import { isAllowed, isEditable, isShareable } from '../../data/permissions.ts';
import { usePermissions } from '../../data/use-permissions.ts';
import { viewAs, viewedAs } from '../../data/view-as.ts';
import { useDashboard, useSession } from '../../data/server.ts';
import { connection } from '../../data/connection.ts';
import { useLiveDashboard } from '../../live/use-live-dashboard.ts';
import { useSettled } from '../../live/use-live.ts';
import { useKeys } from '../../keys/keys.ts';
import { locale, t } from '../../messages/messages.ts';
import { SubscribeButton, useSubscribe } from '../../reports/SubscribeButton.tsx';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { ShareButton } from '../../shell/ShareButton.tsx';
import { VerifiedBadge } from '../../shell/VerifiedBadge.tsx';
import { useIsCurrentPage } from '../../shell/use-is-current-page.ts';
import { ErrorScreen, NotFoundScreen } from '../ErrorScreens.tsx';
import { kioskSeconds, rowsOnWall, useKiosk } from './kiosk.ts';
import { DeferredTile, tilesAtOnce } from './DeferredTile.tsx';
import { Problems } from './Problems.tsx';
import { positionIn, topmost } from './tile-positions.ts';
import { UnreadableDashboard } from './UnreadableDashboard.tsx';
import { useDashboardChanges } from './use-dashboard-changes.ts';
import { useRecordedState } from './use-recorded-state.ts';

const AskForAccess = lazyWithWords(() =>
  import('../../accounts/requests/AskForAccess.tsx').then(module => module.AskForAccess),
);
const SaveDialog = lazyComponent(() => import('./SaveDialog.tsx').then(module => module.SaveDialog));

/** A dashboard: its filters, pages and tiles, and an address that always says what is seen. */
export function DashboardScreen() {
  const { dashboard: id } = useParams({ from: '/d/$dashboard' });
  const { data, error } = useDashboard(id);
  if (error instanceof ApiError && error.problem.status === 404)
    return (
      <NotFoundScreen>
        <LazyBoundary fallback={null}>
          <AskForAccess dashboard={id} />
        </LazyBoundary>
      </NotFoundScreen>
    );
  if (error) return <ErrorScreen error={error} />;
  if (!data)
    return (
      <HeaderTitle title={id}>
        <span />
      </HeaderTitle>
    );
  // As long as nothing of it can be shown yet, it says what is being read and how far that is.
  if (!isViewable(data)) return <UnreadableDashboard dashboard={data} />;
  return <LoadedDashboard key={data.id} dashboard={data} />;
}

function LoadedDashboard({ dashboard }: { readonly dashboard: OpenDashboard }) {
  const search = useSearch({ from: '/d/$dashboard' }) as Search;
  const navigate = useNavigate({ from: '/d/$dashboard' });
  const isHere = useIsCurrentPage('/d/$dashboard');
  const requested = useMemo(() => stateFromSearch(search), [search]);
  const live = useLiveDashboard(dashboard, requested.state);
  useEffect(() => connection.onAnswer(() => live.loadUnreached()), [live]);
  const { state, applied, dataTime } = useSettled(live);
  useTableTheme(dashboard.look);
  const seen = useResolvedDashboard(dashboard, state);
  const document = seen.document!;
  const [isSaving, setIsSaving] = useState(false);
  const large = search['tile'];
  const kiosk = search['kiosk'];
  const isKiosk = kiosk !== undefined;

  // Back, forward and a changed link: the address is what counts.
  useEffect(() => live.setState(requested.state), [live, requested.state]);
  // What was touched stays under the eye; another page begins at its top.
  const go = useCallback(
    (
      next: DashboardState,
      extra: Record<string, string> = {},
      options: { readonly replace?: boolean } = {},
    ) => {
      if (!isHere()) return;
      const search = searchFromState(next);
      // At once: what is changed next is changed of this, whether the address has it by then or not.
      live.setState(stateFromSearch(search).state);
      void navigate({
        search: { ...search, ...(kiosk !== undefined && { kiosk }), ...extra },
        resetScroll: next.page !== requested.state.page,
        ...options,
      });
    },
    [isHere, live, navigate, requested.state.page, kiosk],
  );
  const onSelected = useCallback(() => {
    void live.settle();
    go(live.state, large ? { tile: large } : {});
  }, [live, go, large]);
  const { onLarge, onReset, onParameter, onAdjust, onFilters, onCompare, onFilter, onClearSelection } =
    useDashboardChanges(live, go, large);
  const actions = useDashboardActions(
    moved => void navigate({ to: '/d/$dashboard', params: { dashboard: moved }, search: {}, replace: true }),
  );
  const { edit } = actions;
  const permissions = usePermissions();
  const canEdit = isEditable(dashboard, permissions);
  const onEdit = useCallback(() => edit(dashboard), [edit, dashboard]);
  const onGo = useCallback(
    (target: string, filters: Readonly<Record<string, FieldFilter>>) =>
      void navigate({
        to: '/d/$dashboard',
        params: { dashboard: target },
        search: searchFromState({ page: 0, filters: { ...filters }, selections: {} }),
      }),
    [navigate],
  );
  const onExplore = useCallback(
    (id: string) => {
      const tile = document.pages.map(page => page.tiles[id]).find(one => one !== undefined);
      const model = seen.models.find(({ name }) => name === (tile?.model ?? document.model));
      if (!tile || !model) return;
      const typeOf = (field: string) => model.dimensions.find(({ name }) => name === field)?.type as DataType;
      const adjusted = adjustTile(tile, live.state.tiles?.[id], typeOf, model.hierarchies);
      void navigate({
        to: '/explore/$model',
        params: { model: model.name },
        search: exploreSearch(id, adjusted, document.filters ?? [], live.state),
      });
    },
    [document, seen.models, live, navigate],
  );
  const hasComments = viewedAs === undefined && !isKiosk;
  const canComment = hasComments && isAllowed(dashboard, 'explore');
  const alerts = useDashboardAlerts(live);
  const comments = useCommentPanel(dashboard.id, hasComments, search['comment']);
  const { writeAbout, showTile } = comments;
  const onTileOfComment = useCallback(
    (tile: string, page: number) => {
      if (page !== live.state.page) return go({ ...live.state, page });
      window.document.querySelector(`[data-tile="${CSS.escape(tile)}"]`)?.scrollIntoView({ block: 'center' });
    },
    [live, go],
  );
  const pages = document.pages.length;
  useKiosk(
    kioskSeconds(search),
    useMemo(
      () =>
        pages > 1
          ? () =>
              go({ ...live.state, page: (live.state.page + 1) % pages }, large ? { tile: large } : {}, {
                replace: true,
              })
          : undefined,
      [go, live, pages, large],
    ),
  );
  const onKiosk = useCallback(() => {
    const { kiosk: _, ...others } = search;
    void navigate({ search: isKiosk ? others : { ...others, kiosk: '' } });
    void (
      isKiosk
        ? window.document.fullscreenElement && window.document.exitFullscreen()
        : window.document.documentElement.requestFullscreen()
    )?.catch(() => {});
  }, [navigate, search, isKiosk]);
  useKeys(
    t.keys.dashboard,
    useMemo(
      () => [
        ...(canEdit ? [{ press: 'e', label: t.dashboard.edit, does: onEdit }] : []),
        { press: 'r', label: t.keys.refresh, does: () => void live.load() },
        {
          press: 'f',
          label: t.keys.fullScreen,
          does: () =>
            void (
              window.document.fullscreenElement
                ? window.document.exitFullscreen()
                : window.document.documentElement.requestFullscreen()
            ).catch(() => {}),
        },
        { press: 'k', label: t.keys.kiosk, does: onKiosk },
        {
          press: 'Escape',
          label: t.keys.clearSelections,
          does: () => Object.keys(live.state.selections).length > 0 && go({ ...live.state, selections: {} }),
        },
        {
          press: 'Shift+X',
          label: t.palette.clear,
          does: () => go({ page: live.state.page, filters: {}, selections: {} }),
        },
      ],
      [live, go, canEdit, onEdit, onKiosk],
    ),
  );
  useKeys(
    t.keys.chart,
    useMemo(() => chartKeys(), []),
  );
  useKeys(
    t.keys.tile,
    useMemo(() => tileKeys(), []),
  );

  useEffect(() => recordVisit(dashboard.id), [dashboard.id]);
  // States that the user set here are recorded; those of a link are not.
  const [openedWith] = useState(search);
  const isAsOpened = search === openedWith;
  useRecordedState(dashboard.id, requested.state, !isAsOpened && !isKiosk);
  const [openedAt] = useState(() => Date.now());
  const staleness = describeStaleness(document.staleAfter, dataTime, openedAt, dashboard.calendar);
  const boundBy = useCallback(() => describeBounds(seen, live.state), [seen, live]);

  const views = useViews({ dashboard, state: requested.state, onState: go });
  const people = (useSession().data?.people ?? []).map(person => ({
    id: `as ${person}`,
    label: t.viewAs.person(person),
    icon: <Eye size={15} aria-hidden />,
    onAction: () => viewAs(person),
  }));
  const files = () => [
    (['pdf', 'png', 'svg', 'xlsx', 'html'] as const).map(format => ({
      id: format,
      label: t.formats[format],
      onAction: () => downloadDashboard(dashboard.id, format, live.state),
    })),
    [
      {
        id: 'print',
        label: t.dashboard.print,
        icon: <Printer size={15} aria-hidden />,
        onAction: () => window.print(),
      },
    ],
  ];

  const isFavourite = useMe()?.favourites.includes(dashboard.id) ?? false;
  const star = (
    <IconButton
      label={t.home.favourite(dashboard.title)}
      aria-pressed={isFavourite}
      onPress={() => markFavourite(dashboard.id, !isFavourite)}
      className={isFavourite ? 'text-warn!' : ''}
    >
      <Star size={15} fill={isFavourite ? 'currentColor' : 'none'} aria-hidden />
    </IconButton>
  );
  const changes = [
    dashboard.origin === 'overview' ? [] : [...actions.changesOf(dashboard)],
    [...actions.record(dashboard)],
    [...actions.remove(dashboard, () => void navigate({ to: '/' }))],
  ];
  const shares = actions.share(dashboard);
  const subscribe = useSubscribe(dashboard, () => live.state);

  const page = document.pages[Math.min(state.page, document.pages.length - 1)]!;
  const tiles = Object.entries(page.tiles);
  const shown = large && Object.hasOwn(page.tiles, large) ? tiles.filter(([id]) => id === large) : tiles;
  const first = useMemo(() => topmost(page.tiles, tilesAtOnce), [page]);
  return (
    <CalendarContext value={dashboard.calendar}>
      <LazyCommentsPanel
        dashboard={seen}
        panel={comments}
        page={state.page}
        stateNow={() => live.state}
        onTile={onTileOfComment}
      />
      <HeaderTitle title={dashboard.title}>
        <h1 className="truncate text-14 font-semibold">{dashboard.title}</h1>
        <VerifiedBadge record={dashboard.record} />
        {viewedAs === undefined ? <span className="no-print max-sm:hidden">{star}</span> : null}
        {dataTime ? (
          <span
            className="shrink-0 text-12 text-text-2 max-md:hidden"
            title={t.dashboard.zone(dashboard.timezone)}
          >
            {t.dashboard.dataTime(formatDay(parseCalendarTime(dataTime.slice(0, 10)), locale))}
          </span>
        ) : null}
        {staleness ? (
          <span className="max-sm:hidden">
            <StateChip tone="warn">{staleness}</StateChip>
          </span>
        ) : null}
        {dashboard.origin === 'overview' ? (
          <span className="max-sm:hidden">
            <StateChip tone="accent">{t.states.overview}</StateChip>
          </span>
        ) : null}
        <span className="no-print ms-auto flex max-sm:hidden">
          {people.length > 0 ? (
            <Menu label={t.viewAs.label} icon={<Eye size={16} aria-hidden />} groups={() => [people]} />
          ) : null}
          {viewedAs === undefined ? (
            <Menu
              label={t.views.label}
              icon={<Bookmark size={15} fill={views.isOnOne ? 'currentColor' : 'none'} aria-hidden />}
              groups={() => views.groups}
            />
          ) : null}
          <CommentsButton panel={comments} />
          {subscribe.action ? <SubscribeButton action={subscribe.action} /> : null}
          <Menu label={t.dashboard.takeAway} icon={<Download size={15} aria-hidden />} groups={files} />
          {changes.some(group => group.length > 0) ? (
            <Menu
              label={t.actions.more}
              icon={<Ellipsis size={16} aria-hidden />}
              groups={() => changes.filter(group => group.length > 0)}
            />
          ) : null}
        </span>
        {/* Where there is no room for two, one has both. */}
        <span className="no-print ms-auto flex sm:hidden">
          <Menu
            label={t.tile.menu}
            icon={<Ellipsis size={17} aria-hidden />}
            groups={() =>
              [
                comments.isOffered
                  ? [
                      {
                        id: 'comments',
                        label: t.comments.button(comments.unread),
                        icon: <MessageSquare size={15} aria-hidden />,
                        onAction: comments.toggle,
                      },
                    ]
                  : [],
                subscribe.action ? [subscribe.action] : [],
                shares,
                ...views.groups,
                people,
                ...files(),
                ...changes,
              ].filter(group => group.length > 0)
            }
          />
        </span>
        {views.dialog}
        {actions.dialog}
        {subscribe.dialog}
        {isShareable(dashboard, permissions) ? (
          <span className="no-print max-sm:hidden">
            <ShareButton
              shared={{ kind: 'dashboard', id: dashboard.id, label: dashboard.title }}
              address={`/d/${encodeURIComponent(dashboard.id)}`}
            />
          </span>
        ) : null}
        {canEdit ? (
          <span className={dashboard.origin === 'overview' ? 'max-sm:hidden' : ''}>
            <Button onPress={onEdit}>
              <Pencil size={14} aria-hidden />
              {t.dashboard.edit}
            </Button>
          </span>
        ) : null}
        {permissions.create && dashboard.origin === 'overview' ? (
          <Button look="primary" onPress={() => setIsSaving(true)}>
            {t.dashboard.save}
          </Button>
        ) : null}
      </HeaderTitle>
      {dashboard.problems.length > 0 ? <Problems problems={dashboard.problems} /> : null}
      {dashboard.waitsFor.map(({ source, label }) => (
        <p key={source} role="status" className="mt-3 rounded-control bg-warn-weak px-3 py-1.5 text-warn">
          {t.dashboard.waitsFor(label)}{' '}
          <Link to="/data/sources/$source" params={{ source }} className="font-medium underline">
            {t.dashboard.confirmSource}
          </Link>
        </p>
      ))}
      {requested.isWhole ? null : (
        <p role="status" className="mt-3 rounded-control bg-warn-weak px-3 py-1.5 text-warn">
          {t.dashboard.staleLink}
        </p>
      )}
      <PrintHeader
        document={document}
        models={dashboard.models}
        state={state}
        dataTime={dataTime}
        zone={dashboard.timezone}
      />
      {isKiosk ? (
        <div className="group no-print flex flex-wrap items-baseline gap-x-3 pt-3 pb-1">
          <h1 className="truncate text-20 font-semibold">{dashboard.title}</h1>
          {pages > 1 ? <span className="shrink-0 text-14 text-text-2">{page.title}</span> : null}
          {staleness ? <StateChip tone="warn">{staleness}</StateChip> : null}
          <span className="ms-auto shrink-0 opacity-0 group-hover:opacity-100 focus-within:opacity-100 pointer-coarse:opacity-100">
            <Button look="quiet" onPress={onKiosk}>
              {t.keys.leaveKiosk}
            </Button>
          </span>
          {dataTime ? (
            <span className="shrink-0 text-12 text-text-2">
              {t.dashboard.dataTime(formatDay(parseCalendarTime(dataTime.slice(0, 10)), locale))}
            </span>
          ) : null}
        </div>
      ) : null}
      {pages > 1 && !isKiosk ? (
        <div className="no-print border-b border-border">
          <Tabs
            label={t.dashboard.pages}
            titles={document.pages.map(one => one.title)}
            selected={Math.min(state.page, document.pages.length - 1)}
            onSelect={index => go({ ...live.state, page: index })}
          />
        </div>
      ) : null}
      <FilterBar
        live={live}
        selecting={
          isKiosk || !tiles.some(([, tile]) => hasParts(tile) && tile.selects !== false)
            ? 'nothing'
            : tiles.length > 1
              ? 'linked'
              : 'alone'
        }
        offer={
          isAsOpened && Object.keys(search).length === 0 ? (
            <LastTime dashboard={dashboard} onState={go} />
          ) : null
        }
        onCompare={
          Object.values(page.tiles).some(
            tile =>
              tile.kind === 'kpi' &&
              dashboard.models.some(
                ({ name, time }) => time !== undefined && name === (tile.model ?? document.model),
              ),
          )
            ? onCompare
            : undefined
        }
        dashboard={seen}
        onParameter={onParameter}
        state={state}
        applied={applied}
        dataTime={dataTime}
        onFilter={onFilter}
        onReset={onReset}
        onClearSelection={onClearSelection}
      />
      <div
        data-grid
        className={
          shown.length < tiles.length
            ? `${isKiosk ? 'min-h-0 flex-1' : 'h-[calc(100dvh-140px)]'} print:h-[640px]`
            : `grid grid-cols-24 gap-3 pt-1 max-md:auto-rows-auto max-md:grid-cols-2 ${isKiosk ? 'min-h-0 flex-1 md:gap-y-0 md:[grid-template-rows:var(--rows)]' : 'auto-rows-[28px]'}`
        }
        style={
          isKiosk
            ? ({
                '--rows': rowsOnWall(
                  tiles.map(([, tile], i) => ({ isFigure: tile.kind === 'kpi', at: positionIn(tile, i) })),
                ),
              } as CSSProperties)
            : undefined
        }
      >
        {shown.map(([id, tile], i) => {
          const at = positionIn(tile, i);
          const position =
            shown.length < tiles.length
              ? undefined
              : {
                  gridColumn: `${at[0] + 1} / span ${Math.min(at[2], 24 - at[0])}`,
                  gridRow: `${at[1] + 1} / span ${at[3]}`,
                };
          return (
            <div
              key={id}
              style={position}
              className={`min-w-0 ${isKiosk ? 'md:pb-3' : ''} ${shown.length < tiles.length ? 'h-full' : tile.kind === 'kpi' ? 'tile-kpi' : tile.kind === 'text' || tile.kind === 'control' ? 'tile-text' : 'tile-chart'}`}
            >
              {tile.kind === 'control' ? (
                <div className="flex size-full items-center">
                  <FilterPill
                    dashboard={seen}
                    state={state}
                    applied={applied}
                    dataTime={dataTime}
                    onFilter={onFilter}
                    filter={
                      document.filters?.find(filter => filter.field === tile.field) ?? {
                        field: tile.field,
                        ...(tile.control && { control: tile.control }),
                        ...(tile.title && { label: tile.title }),
                      }
                    }
                  />
                </div>
              ) : (
                <DeferredTile id={id} comesFirst={first.has(id)}>
                  <TileView
                    id={id}
                    tile={tile}
                    live={live}
                    models={dashboard.models}
                    dashboardModel={document.model}
                    adjustment={state.tiles?.[id]}
                    notes={dashboard.notes}
                    events={alerts.events.get(id)}
                    canNote={isAllowed(dashboard, 'edit')}
                    compare={state.compare}
                    openThreads={comments.byTile.get(id) ?? 0}
                    onComment={canComment ? writeAbout : undefined}
                    marks={alerts.marks.get(id)}
                    onAlert={alerts.begin}
                    onExplore={permissions.explore ? onExplore : undefined}
                    onThreads={showTile}
                    onAdjust={onAdjust}
                    onFilters={onFilters}
                    onGo={onGo}
                    state={tile.kind === 'table' ? state : undefined}
                    broken={dashboard.brokenTiles[id]}
                    isLarge={large === id}
                    onLarge={onLarge}
                    onSelected={onSelected}
                    boundBy={boundBy}
                    staleness={staleness}
                    onReset={onReset}
                  />
                </DeferredTile>
              )}
            </div>
          );
        })}
      </div>
      {isSaving ? (
        <LazyBoundary fallback={null}>
          <SaveDialog dashboard={dashboard} isOpen onOpenChange={setIsSaving} />
        </LazyBoundary>
      ) : null}
    </CalendarContext>
  );
}
