import { ApiError, isViewable, searchFromState, type OpenDashboard } from '@belvedere/api';
import type { FieldFilter } from '@belvedere/query';
import { hasParts } from '@belvedere/chart';
import { LazyBoundary, lazyComponent, Tabs } from '@belvedere/ui';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { LazyCommentsPanel } from '../../comments/CommentsButton.tsx';
import { useDashboardAlerts } from '../../alerts/use-dashboard-alerts.tsx';
import { useCommentPanel } from '../../comments/use-comment-panel.ts';
import { useDashboardActions } from '../../dashboard/actions/use-dashboard-actions.tsx';
import { describeBounds, describeStaleness } from '../../dashboard/tiles/describe.ts';
import { PrintHeader } from '../../dashboard/printing/PrintHeader.tsx';
import { FilterBar } from '../../dashboard/filters/FilterBar.tsx';
import { LastTime, useViews } from '../../dashboard/dialogs/SavedViews.tsx';
import { useResolvedDashboard } from '../../dashboard/tiles/resolved-dashboard.ts';
import { TileView } from '../../dashboard/tiles/TileView.tsx';
import { CalendarContext } from '../../dashboard/chart/calendar.ts';
import { useTableTheme } from '../../dashboard/chart/use-theme.ts';
import { recordVisit } from '../../data/session/user-preferences.ts';
import { describeRefresh } from '../../data/dashboards/refresh-interval.ts';
import { isAllowed, isEditable } from '../../data/session/permissions.ts';
import { usePermissions } from '../../data/session/use-permissions.ts';
import { viewedAs } from '../../data/session/view-as.ts';
import { shownZone } from '../../data/session/own-zone.ts';
import { useRefreshedDashboard } from '../../data/server.ts';
import { useLoadUnreached } from '../../live/use-load-unreached.ts';
import { useSettled } from '../../live/use-live.ts';
import { t } from '../../messages/messages.ts';
import { HeaderTitle } from '../../shell/HeaderTitle.tsx';
import { ErrorScreen } from '../ErrorScreens.tsx';
import { ControlTile } from './ControlTile.tsx';
import { DashboardHeader } from './DashboardHeader.tsx';
import { MissingDashboard } from './MissingDashboard.tsx';
import { KioskHeader } from './KioskHeader.tsx';
import { PageGrid } from './PageGrid.tsx';
import { DeferredTile, tilesAtOnce } from './DeferredTile.tsx';
import { DashboardNotices } from './DashboardNotices.tsx';
import { topmost } from './tile-positions.ts';
import { UnreadableDashboard } from './UnreadableDashboard.tsx';
import { ZoneNotice } from './ZoneNotice.tsx';
import { useDashboardAddress } from './use-dashboard-address.ts';
import { useDashboardKeys } from './use-dashboard-keys.ts';
import { useOpenInExplore } from './use-open-in-explore.ts';
import { useDashboardChanges } from './use-dashboard-changes.ts';
import { useRecordedState } from './use-recorded-state.ts';

const SaveDialog = lazyComponent(() => import('./SaveDialog.tsx').then(module => module.SaveDialog));

/** A dashboard with its filters, pages and tiles. The page's address holds its state. */
export function DashboardScreen() {
  const { dashboard: id } = useParams({ from: '/d/$dashboard' });
  const { data, error } = useRefreshedDashboard(id);
  if (error instanceof ApiError && error.problem.status === 404) return <MissingDashboard id={id} />;
  // An attempt to refresh may fail while the server restarts; the page stays then.
  if (error && !data) return <ErrorScreen error={error} />;
  if (!data)
    return (
      <HeaderTitle title={id}>
        <span />
      </HeaderTitle>
    );
  // Shows the progress of the import until there is something to show.
  if (!isViewable(data)) return <UnreadableDashboard dashboard={data} />;
  return <LoadedDashboard key={data.id} dashboard={data} />;
}

function LoadedDashboard({ dashboard }: { readonly dashboard: OpenDashboard }) {
  const { search, requested, live, go } = useDashboardAddress(dashboard);
  const navigate = useNavigate({ from: '/d/$dashboard' });
  useLoadUnreached(live);
  const { state, applied, dataTime } = useSettled(live);
  useTableTheme(dashboard.look);
  const seen = useResolvedDashboard(dashboard, state);
  const document = seen.document!;
  const [isSaving, setIsSaving] = useState(false);
  const large = search['tile'];
  const isKiosk = search['kiosk'] !== undefined;

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
  const onExplore = useOpenInExplore(seen, live);
  const hasComments = viewedAs === undefined && !isKiosk;
  const alerts = useDashboardAlerts(live);
  const comments = useCommentPanel(dashboard.id, hasComments, search['comment']);
  const { writeAbout, showTile } = comments;
  const onTileOfComment = useCallback(
    (tile: string, page: number) => {
      const isHidden = large !== undefined && large !== tile;
      if (page !== live.state.page || isHidden) return go({ ...live.state, page });
      window.document.querySelector(`[data-tile="${CSS.escape(tile)}"]`)?.scrollIntoView({ block: 'center' });
    },
    [live, go, large],
  );
  const pages = document.pages.length;
  const { onKiosk } = useDashboardKeys({ live, search, pages, go, canEdit, onEdit });

  useEffect(() => recordVisit(dashboard.id), [dashboard.id]);
  // States that the user set here are recorded; those of a link are not.
  const [openedWith] = useState(search);
  const isAsOpened = search === openedWith;
  useRecordedState(dashboard.id, requested.state, !isAsOpened && !isKiosk);
  const [openedAt] = useState(() => Date.now());
  const staleness = describeStaleness(document.staleAfter, dataTime, openedAt, dashboard.calendar);
  const boundBy = useCallback(() => describeBounds(seen, live.state), [seen, live]);

  const views = useViews({ dashboard, state: requested.state, onState: go });
  const page = document.pages[Math.min(state.page, document.pages.length - 1)]!;
  const tiles = Object.values(page.tiles);
  const first = useMemo(() => topmost(page.tiles, tilesAtOnce), [page]);
  return (
    <CalendarContext value={dashboard.calendar}>
      <LazyCommentsPanel
        dashboard={seen}
        panel={comments}
        state={state}
        stateNow={() => live.state}
        onState={go}
        onTile={onTileOfComment}
      />
      <DashboardHeader
        dashboard={dashboard}
        live={live}
        dataTime={dataTime}
        staleness={staleness}
        comments={comments}
        views={views}
        actions={actions}
        canEdit={canEdit}
        onEdit={onEdit}
        onSave={() => setIsSaving(true)}
      />
      <DashboardNotices dashboard={dashboard} isWhole={requested.isWhole} />
      <ZoneNotice live={live} zone={state.zone} large={large} go={go} />
      <PrintHeader
        document={document}
        models={dashboard.models}
        state={state}
        dataTime={dataTime}
        zone={shownZone(dashboard, state)}
      />
      {isKiosk ? (
        <KioskHeader
          title={dashboard.title}
          page={pages > 1 ? page.title : undefined}
          dataTime={dataTime}
          refreshes={describeRefresh(dashboard)}
          staleness={staleness}
          onLeave={onKiosk}
        />
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
          isKiosk || !tiles.some(tile => hasParts(tile) && tile.selects !== false)
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
          tiles.some(
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
      <PageGrid page={page} large={large} isKiosk={isKiosk}>
        {(id, tile) =>
          tile.kind === 'control' ? (
            <ControlTile
              tile={tile}
              dashboard={seen}
              state={state}
              applied={applied}
              dataTime={dataTime}
              onFilter={onFilter}
            />
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
                onComment={comments.canWrite ? writeAbout : undefined}
                marks={alerts.marks.get(id)}
                onAlert={alerts.begin}
                onExplore={permissions.explore ? onExplore : undefined}
                onThreads={hasComments ? showTile : undefined}
                commentedRows={comments.rowsByTile.get(id)}
                commentedRow={comments.shownRow?.tile === id ? comments.shownRow.row : undefined}
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
          )
        }
      </PageGrid>
      {isSaving ? (
        <LazyBoundary fallback={null}>
          <SaveDialog dashboard={dashboard} isOpen onOpenChange={setIsSaving} />
        </LazyBoundary>
      ) : null}
    </CalendarContext>
  );
}
