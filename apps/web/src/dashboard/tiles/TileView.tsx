import {
  emptyReasonOf,
  problemMessage,
  type DashboardState,
  type EventNote,
  type ModelSummary,
  type ProblemMessage,
} from '@belvedere/api';
import {
  formatNumber,
  hasLegend,
  isChartTile,
  legendTitle,
  tileNotes,
  chartMessagesIn,
} from '@belvedere/chart';
import type { Tile } from '@belvedere/document';
import type { DataType } from '@belvedere/model';
import {
  adjustTile,
  canDrill,
  withEvents,
  zoomChannel,
  type Adjustment,
  type Box,
  type FieldFilter,
  type NotedEvent,
} from '@belvedere/query';
import { LazyBoundary, lazyComponent } from '@belvedere/ui';
import {
  memo,
  useCallback,
  useDeferredValue,
  useMemo,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import { ThreadMark } from '../../comments/ThreadMark.tsx';
import type { DashboardStore } from '../../live/dashboard-store.ts';
import { useSelection } from '../../live/use-live.ts';
import { isGuestPage } from '../../data/guest.ts';
import { locale, t } from '../../messages/messages.ts';
import { useCalendar } from '../chart/calendar.ts';
import { ChartView } from '../chart/ChartView.tsx';
import { fieldLabel, measureFields, tileTitle, titleNote } from './describe.ts';
import { KpiView } from './KpiView.tsx';
import { Legend } from '../chart/Legend.tsx';
import { markEntries } from './TileMenu.tsx';
import { TileImage } from './TileImage.tsx';
import { LazyPart, TileBoundary } from './TileBoundaries.tsx';
import { tableLook, TileRows } from './TileRows.tsx';
import { Outdated, Refreshing, TileMessage, TileSkeleton } from './TileStates.tsx';
import { TileTools } from './TileTools.tsx';
import { useTileSeries } from './use-tile-series.ts';
import { moveTileFocus } from './tile-focus.ts';
import type { Zoomable } from '../gestures/use-zoom.ts';
import { withZoom } from '../gestures/zoom.ts';

// What only some dashboards have is fetched for those.
const DataTable = lazyComponent(() => import('./DataTable.tsx').then(module => module.DataTable));
const DrillBreadcrumb = lazyComponent(() =>
  import('../filters/DrillBreadcrumb.tsx').then(module => module.DrillBreadcrumb),
);
const TextView = lazyComponent(() => import('./TextView.tsx').then(module => module.TextView));
const PivotView = lazyComponent(() => import('./PivotView.tsx').then(module => module.PivotView));

export interface TileViewProps {
  readonly id: string;
  /** As its file has it. */
  readonly tile: Tile;
  readonly live: DashboardStore;
  readonly models: readonly ModelSummary[];
  readonly dashboardModel: string | undefined;
  /** What the viewer has changed about it. */
  readonly adjustment: Adjustment | undefined;
  readonly compare: DashboardState['compare'];
  /** Only tables need it: they ask for their own pages. */
  readonly state: DashboardState | undefined;
  readonly broken: string | undefined;
  readonly isLarge: boolean;
  /** What happened, drawn on charts of time. */
  readonly notes?: readonly EventNote[];
  /** Further events that its time axis shows, such as the firings of an alert. */
  readonly events?: readonly NotedEvent[] | undefined;
  /** Whether the user may add and change event notes. */
  readonly canNote?: boolean;
  /** How many open threads of comments are about it. */
  readonly openThreads?: number;
  /** Begins a comment about it; undefined where none can be written. */
  readonly onComment?: ((id: string, boxes: readonly Box[]) => void) | undefined;
  /** Marks in its header, such as of alerts that fire; the same node as long as they say the same. */
  readonly marks?: ReactNode;
  /** Begins an alert on it; undefined where none can be made. */
  readonly onAlert?: ((id: string) => void) | undefined;
  /** Opens it in Explore; undefined where that is not offered. */
  readonly onExplore?: ((id: string) => void) | undefined;
  readonly onThreads?: (id: string) => void;
  /** There is no server to ask: what needs one is not offered. */
  readonly isOffline?: boolean;
  /** Shows it alone on its page; undefined where it is. */
  readonly onLarge: ((id: string, isLarge: boolean) => void) | undefined;
  readonly onSelected: () => void;
  readonly onAdjust: (id: string, adjustment: Adjustment | undefined) => void;
  readonly onFilters: (filters: Readonly<Record<string, FieldFilter>>, withoutSelectionOf: string) => void;
  readonly onGo: (dashboard: string, filters: Readonly<Record<string, FieldFilter>>) => void;
  /**
   * The filters and selections that are set, in words, for a tile that is left with nothing; undefined where
   * none can be.
   */
  readonly boundBy?: () => string;
  readonly onReset: () => void;
  /** That the data is older than it should be, in words; the picture stays. */
  readonly staleness: string | undefined;
}

const noNotes: readonly EventNote[] = [];
const noEvents: readonly NotedEvent[] = [];
const nobodyHidden: ReadonlySet<number> = new Set();
/** In tiles of so few rows what there is to say, and to do about it, stands side by side. */
const lowRows = 4;

/** Renders controls that appear on hover after everything that is visible. */
function Soon({ children }: { readonly children: ReactNode }) {
  return useDeferredValue(true, false) ? children : null;
}

/** One tile: its title, and its picture or the reason there is none. */
export const TileView = memo(function TileView(props: TileViewProps) {
  const {
    id,
    live,
    models,
    dashboardModel,
    adjustment,
    compare,
    state,
    broken,
    isLarge,
    isOffline = false,
    notes = noNotes,
    events = noEvents,
    openThreads = 0,
    onThreads,
    onLarge,
    onSelected,
    onAdjust,
    boundBy,
    onReset,
    staleness,
  } = props;
  const liveTile = live.tile(id);
  const view = useSyncExternalStore(liveTile.onView, liveTile.getView);
  const [asTable, setAsTable] = useState(false);
  const [hidden, setHidden] = useState(nobodyHidden);
  const [rowsOf, setRowsOf] = useState<DashboardState>();
  const model = models.find(candidate => candidate.name === (props.tile.model ?? dashboardModel));
  const tile = useMemo(
    () => asSeen(props.tile, adjustment, compare, [...notes, ...events], model),
    [props.tile, adjustment, compare, notes, events, model],
  );
  const measures = useMemo(() => measureFields(tile, model), [tile, model]);
  const title = tileTitle(tile, model);
  const selection = useSelection(live, id, tile.selects !== false);
  const isSelected = useSyncExternalStore(selection.onChange, () => selection.now().length > 0);
  const typeOf = useCallback(
    (field: string) =>
      (model?.dimensions.find(dimension => dimension.name === field)?.type ?? 'text') as DataType,
    [model],
  );
  const calendar = useCalendar();
  const isChart = isChartTile(tile);
  const picture = view.filtered?.main ?? view.base.main;
  const remarks = [
    ...(staleness ? [staleness] : []),
    ...tileNotes(tile, view.notes, picture, field => fieldLabel(models, field), locale),
    ...(view.isSliced && view.isNear ? [t.tile.nearBrush] : []),
  ];
  // Said beside the title, where it takes no room from the picture: nothing moves when the exact one takes
  // its place.
  const sampled = view.status === 'partial' ? picture?.header.sampled : undefined;
  // A lost connection leaves what was drawn, so that a click during it does not empty the page.
  const isOutdated =
    view.status === 'failed' &&
    view.problem === undefined &&
    (picture ?? view.filteredRows ?? view.rows) !== undefined;
  const retry = () => void live.load([id]);
  const count = (value: number) => formatNumber(value, 'integer', locale, 'label');
  const series = useTileSeries(tile, view, measures);
  const turn = useCallback(() => setAsTable(before => !before), []);
  const adjust = useCallback((next: Adjustment | undefined) => onAdjust(id, next), [onAdjust, id]);
  const isDrillable = canDrill(tile, typeOf, model?.hierarchies) !== undefined;
  const open = useMemo(
    () =>
      isDrillable && !isOffline
        ? (mark: Box) => onAdjust(id, { ...adjustment, drill: [...(adjustment?.drill ?? []), mark] })
        : undefined,
    [isDrillable, isOffline, onAdjust, id, adjustment],
  );
  const zoomable = useMemo((): Zoomable | undefined => {
    const along = isOffline ? undefined : zoomChannel(tile, typeOf);
    if (!along) return undefined;
    return {
      channel: along.channel,
      type: typeOf(along.encoding.field),
      unit: adjustment?.timeUnit,
      calendar,
      zoom: adjustment?.zoom,
      onZoom: zoom => onAdjust(id, withZoom(adjustment, zoom)),
    };
  }, [isOffline, tile, typeOf, calendar, adjustment, onAdjust, id]);

  if (tile.kind === 'text')
    return (
      <section
        title={view.status === 'failed' && measures.length > 0 ? failure().title : undefined}
        className="size-full px-1 py-1.5"
      >
        <LazyBoundary fallback={null}>
          <TextView
            text={tile.text}
            live={liveTile}
            measures={measures}
            isFailed={view.status === 'failed'}
          />
        </LazyBoundary>
      </section>
    );
  if (tile.kind === 'image') return <TileImage file={tile.file} alt={tile.alt} />;
  return (
    <section
      // A group, not a landmark: a page may have two tiles of one name, and sixty landmarks are no help.
      role="group"
      aria-label={title}
      aria-busy={view.status === 'loading' || view.status === 'refreshing' || view.status === 'partial'}
      data-tile={id}
      data-status={broken ? 'broken' : view.status}
      data-stale={staleness !== undefined}
      data-low={!isLarge && tile.at && tile.at[3] <= lowRows ? '' : undefined}
      tabIndex={-1}
      className={`group/tile relative flex size-full min-w-0 flex-col rounded-tile border bg-surface px-3.5 py-3 ${isSelected ? 'border-accent/60' : 'border-border'}`}
      onKeyDown={event => {
        // What is selected somewhere is cleared before anything is left.
        if (
          (event.key !== 'Escape' || Object.keys(live.state.selections).length === 0) &&
          !event.defaultPrevented &&
          moveTileFocus(event)
        )
          return event.preventDefault();
        if (
          event.key.toLowerCase() === 't' &&
          isChart &&
          !(event.target instanceof HTMLInputElement) &&
          !event.ctrlKey &&
          !event.metaKey
        )
          turn();
      }}
    >
      {view.status === 'refreshing' || view.status === 'partial' ? <Refreshing /> : null}
      <header className="flex min-h-[18px] items-start gap-2 pb-1 pointer-coarse:pe-10">
        <div className="min-w-0 flex-1">
          <h2
            className={`truncate ${tile.kind === 'kpi' ? 'text-13 text-text-2' : 'text-13 leading-[18px] font-semibold'}`}
            title={titleNote(tile, title, measures, model)}
          >
            {title}
          </h2>
          {tile.subtitle || remarks.length > 0 ? (
            <p
              className="truncate text-12 text-text-3"
              title={[tile.subtitle, ...remarks].filter(Boolean).join(' · ')}
            >
              {[tile.subtitle, ...remarks].filter(Boolean).join(' · ')}
            </p>
          ) : null}
        </div>
        {sampled ? (
          <p className="max-w-[70%] truncate text-11 leading-[18px] text-text-2">
            {t.tile.sampled(count(sampled.rows), count(sampled.of))}
          </p>
        ) : null}
        {isOutdated ? <Outdated onRetry={isOffline ? undefined : retry} /> : null}
        {series && isChartTile(tile) && hasLegend(tile) ? (
          <Legend title={legendTitle(tile)} {...series} hidden={hidden} onChange={setHidden} />
        ) : null}
        {props.marks}
        {openThreads > 0 && onThreads ? (
          <ThreadMark count={openThreads} onPress={() => onThreads(id)} />
        ) : null}
        {broken || tile.kind === 'control' ? null : (
          <Soon>
            <TileTools
              live={live}
              id={id}
              tile={tile}
              title={title}
              models={models}
              model={model}
              measures={measures}
              adjustment={adjustment}
              asTable={asTable}
              isLarge={isLarge}
              isOffline={isOffline}
              hasPicture={picture !== undefined}
              notes={props.canNote ? props.notes : undefined}
              onComment={props.onComment}
              onAlert={props.onAlert}
              onExplore={props.onExplore}
              rowsOf={rowsOf}
              onRows={setRowsOf}
              onAsTable={turn}
              onLarge={onLarge}
              onAdjust={adjust}
              onFilters={props.onFilters}
              onGo={props.onGo}
            />
          </Soon>
        )}
      </header>
      {adjustment?.drill || adjustment?.zoom ? (
        <LazyBoundary fallback={null}>
          <DrillBreadcrumb adjustment={adjustment} models={models} zoomable={zoomable} onAdjust={adjust} />
        </LazyBoundary>
      ) : null}
      <div
        className={`relative min-h-0 flex-1 ${isOutdated ? 'opacity-55' : view.status === 'refreshing' && !view.isSliced ? 'opacity-55 transition-opacity delay-300' : ''}`}
      >
        <TileBoundary>{body()}</TileBoundary>
      </div>
    </section>
  );

  function failure(): ProblemMessage {
    return view.problem
      ? problemMessage(view.problem, t.problems)
      : { title: t.errors.unreachable, text: '' };
  }

  function body(): ReactNode {
    if (broken) return <TileMessage title={t.tile.failed} text={broken} />;
    if (view.problem?.type === 'not-allowed')
      return <TileMessage title={t.tile.forbidden} text={t.tile.forbiddenText} />;
    if (view.status === 'failed' && !isOutdated) {
      const canRetry = !isOffline && view.problem?.type !== 'source-unconfirmed';
      return <TileMessage {...failure()} {...(canRetry && { action: t.tile.retry, onAction: retry })} />;
    }
    if (tile.kind === 'table') {
      const rows = view.filteredRows ?? view.rows;
      return state && rows ? (
        <LazyPart>
          <TileRows
            dashboard={live.id}
            id={id}
            title={title}
            state={state}
            first={rows}
            look={tableLook(tile, model)}
            adjustment={isOffline ? undefined : adjustment}
            onAdjust={isOffline ? undefined : change => adjust(change(live.state.tiles?.[id]))}
          />
        </LazyPart>
      ) : (
        <TileSkeleton kind="table" />
      );
    }
    if (!picture) return <TileSkeleton kind={tile.kind} />;
    if (tile.kind === 'kpi')
      return <KpiView live={liveTile} view={view} tile={tile} measure={measures[0]!} />;
    // A brush may leave nothing for a moment; the picture stays.
    const lacking = view.isSliced ? undefined : emptyReasonOf(tile, picture.header, picture.values);
    if (lacking === 'values' || lacking === 'parts')
      return <TileMessage title={t.tile.emptyTitle} text={chartMessagesIn(locale).lacking[lacking]} />;
    if (lacking === 'rows') {
      const bounds = boundBy?.() ?? '';
      return bounds === '' ? (
        <TileMessage title={t.tile.emptyTitle} text={t.tile.noRows} />
      ) : (
        <TileMessage
          title={t.tile.emptyTitle}
          text={t.tile.emptyUnder(bounds)}
          action={t.filters.reset}
          onAction={onReset}
        />
      );
    }
    if (tile.kind === 'pivot')
      return (
        <LazyPart>
          <PivotView
            live={liveTile}
            view={view}
            tile={tile}
            title={title}
            measures={measures}
            labelOf={field => fieldLabel(models, field)}
          />
        </LazyPart>
      );
    if (!isChartTile(tile)) return null;
    if (asTable)
      return (
        <LazyPart>
          <DataTable
            picture={picture}
            measures={measures}
            title={title}
            labelOf={field => fieldLabel(models, field)}
          />
        </LazyPart>
      );
    return (
      <ChartView
        live={liveTile}
        view={view}
        tile={tile}
        title={title}
        measures={measures}
        typeOf={typeOf}
        hidden={hidden}
        selection={selection}
        onApproach={() => live.prepare(id)}
        onSelect={next => live.brush(id, next)}
        onSelected={onSelected}
        onOpen={open}
        {...(!isOffline &&
          !isGuestPage && {
            entriesOf: (mark: Box) =>
              markEntries(mark, {
                tile,
                model,
                adjustment,
                onAdjust: adjust,
                onFilters: filters => props.onFilters(filters, id),
                onRows: () => setRowsOf(live.state),
              }),
          })}
        zoomable={zoomable}
        notes={notes}
      />
    );
  }
});

/** A tile as its user sees it: adjusted, with events on its time axis, and compared as selected. */
function asSeen(
  tile: Tile,
  adjustment: Adjustment | undefined,
  compare: DashboardState['compare'],
  notes: readonly NotedEvent[],
  model: ModelSummary | undefined,
): Tile {
  const typeOf = (field: string) =>
    model?.dimensions.find(dimension => dimension.name === field)?.type as DataType | undefined;
  const adjusted = withEvents(adjustTile(tile, adjustment, typeOf, model?.hierarchies), notes, typeOf);
  if (adjusted.kind !== 'kpi' || compare === undefined) return adjusted;
  const { compare: _, ...plain } = adjusted;
  return compare === 'nothing' ? plain : { ...plain, compare };
}
