import {
  emptyReasonOf,
  problemMessage,
  type DashboardState,
  type EventNote,
  type Field,
  type ModelSummary,
  type RowsHeader,
  type RowsPage,
  type ProblemMessage,
} from '@belvedere/api';
import {
  formatNumber,
  hasLegend,
  isChartTile,
  legendEntries,
  legendTitle,
  seriesOf,
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
import { Button, LazyBoundary, lazyComponent } from '@belvedere/ui';
import {
  Component,
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
import type { TileView as View } from '../../live/live-tile.ts';
import { useSelection } from '../../live/use-live.ts';
import { isGuestPage } from '../../data/guest.ts';
import { locale, t } from '../../messages/messages.ts';
import { useCalendar } from '../chart/calendar.ts';
import { ChartView } from '../chart/ChartView.tsx';
import { fieldLabel, measureField, measureFields, tileTitle, titleNote } from './describe.ts';
import { KpiView } from './KpiView.tsx';
import { Legend } from '../chart/Legend.tsx';
import type { TableTheme, TableView } from './RowsTable.tsx';
import { markEntries } from './TileMenu.tsx';
import { TileImage } from './TileImage.tsx';
import { TileTools } from './TileTools.tsx';
import { useChartTheme } from '../chart/use-theme.ts';
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
const RowsTable = lazyComponent(() => import('./RowsTable.tsx').then(module => module.RowsTable));

export interface TileViewProps {
  readonly id: string;
  /** As its file has it. */
  readonly tile: Tile;
  readonly live: DashboardStore;
  readonly models: readonly ModelSummary[];
  readonly dashboardModel: string | undefined;
  /** What the reader has changed about it. */
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
  readonly onThreads?: (id: string) => void;
  /** There is no server to ask: what needs one is not offered. */
  readonly isOffline?: boolean;
  readonly onLarge: (id: string, isLarge: boolean) => void;
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

/** What nobody sees before they come near: rendered after what they do. */
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
  const count = (value: number) => formatNumber(value, 'integer', locale, 'label');
  const series = useSeries(tile, view, measures);
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
      // A group, not a landmark: a page may have two tiles of one name, and sixty landmarks help nobody.
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
        className={`relative min-h-0 flex-1 ${view.status === 'refreshing' && !view.isSliced ? 'opacity-55 transition-opacity delay-300' : ''}`}
      >
        <Boundary>{body()}</Boundary>
      </div>
    </section>
  );

  function failure(): ProblemMessage {
    return view.problem
      ? problemMessage(view.problem, t.problems)
      : { title: t.errors.unreachable, text: '' };
  }

  function body(): ReactNode {
    if (broken) return <Message title={t.tile.failed} text={broken} />;
    if (view.problem?.type === 'not-allowed')
      return <Message title={t.tile.forbidden} text={t.tile.forbiddenText} />;
    if (view.status === 'failed') {
      const retry = { action: t.tile.retry, onAction: () => void live.load([id]) };
      return (
        <Message {...failure()} {...(!isOffline && view.problem?.type !== 'source-unconfirmed' && retry)} />
      );
    }
    if (tile.kind === 'table') {
      const rows = view.filteredRows ?? view.rows;
      const look: TableTheme = {
        noteOf: ({ name }) =>
          [...(model?.dimensions ?? []), ...(model?.measures ?? [])].find(field => field.name === name)
            ?.description,
        labelOf: column =>
          model?.dimensions.some(({ name }) => name === column.name)
            ? column.label
            : measureField(column.name, model).label,
        formats: Object.fromEntries(
          (model?.dimensions ?? []).map(dimension => [dimension.name, dimension.format]),
        ),
        ...(tile.bars && { bars: tile.bars }),
        ...(tile.pinned !== undefined && { pinned: tile.pinned }),
        ...(tile.highlights && { highlights: tile.highlights }),
      };
      return state && rows ? (
        <Part>
          <TileRows
            dashboard={live.id}
            id={id}
            title={title}
            state={state}
            first={pageOf(rows)}
            look={look}
            adjustment={isOffline ? undefined : adjustment}
            onAdjust={isOffline ? undefined : change => adjust(change(live.state.tiles?.[id]))}
          />
        </Part>
      ) : (
        <Skeleton kind="table" />
      );
    }
    if (!picture) return <Skeleton kind={tile.kind} />;
    if (tile.kind === 'kpi')
      return <KpiView live={liveTile} view={view} tile={tile} measure={measures[0]!} />;
    // A brush may leave nothing for a moment; the picture stays.
    const lacking = view.isSliced ? undefined : emptyReasonOf(tile, picture.header, picture.values);
    if (lacking === 'values' || lacking === 'parts')
      return <Message title={t.tile.emptyTitle} text={chartMessagesIn(locale).lacking[lacking]} />;
    if (lacking === 'rows') {
      const bounds = boundBy?.() ?? '';
      return bounds === '' ? (
        <Message title={t.tile.emptyTitle} text={t.tile.noRows} />
      ) : (
        <Message
          title={t.tile.emptyTitle}
          text={t.tile.emptyUnder(bounds)}
          action={t.filters.reset}
          onAction={onReset}
        />
      );
    }
    if (tile.kind === 'pivot')
      return (
        <Part>
          <PivotView
            live={liveTile}
            view={view}
            tile={tile}
            title={title}
            measures={measures}
            labelOf={field => fieldLabel(models, field)}
          />
        </Part>
      );
    if (!isChartTile(tile)) return null;
    if (asTable)
      return (
        <Part>
          <DataTable
            picture={picture}
            measures={measures}
            title={title}
            labelOf={field => fieldLabel(models, field)}
          />
        </Part>
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

interface TileRowsProps {
  readonly dashboard: string;
  readonly id: string;
  readonly title: string;
  readonly state: DashboardState;
  readonly first: RowsPage;
  readonly look: TableTheme;
  readonly adjustment: Adjustment | undefined;
  /** Changes how the tile is adjusted by now, which may be newer than what was drawn. */
  readonly onAdjust:
    | ((change: (before: Adjustment | undefined) => Adjustment | undefined) => void)
    | undefined;
}

/** A table tile's rows. */
function TileRows({ id, state, adjustment, onAdjust, ...table }: TileRowsProps) {
  const { without = [], ...seen } = adjustment ?? {};
  // How other tiles are adjusted is nothing to this one.
  const asked = { ...state, tiles: { [id]: seen } } as DashboardState;
  const keep = (change: (view: TableView) => TableView) =>
    onAdjust?.(before => {
      const { sort, without: left, ...others } = before ?? {};
      const view = change({ sort, without: left });
      const next = {
        ...others,
        ...(view.sort && { sort: view.sort }),
        ...(view.without && view.without.length > 0 && { without: view.without }),
      };
      return Object.keys(next).length > 0 ? next : undefined;
    });
  return (
    <RowsTable
      tile={id}
      state={asked}
      isOffline={onAdjust === undefined}
      {...table}
      {...(onAdjust && { kept: { sort: seen.sort, without, onChange: keep } })}
    />
  );
}

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

/** The series that a legend names; charts that write names on their marks need none. */
function useSeries(tile: Tile, view: View, measures: readonly Field[]) {
  const theme = useChartTheme();
  const axes = view.rows?.axes ?? (view.filtered?.main ?? view.base.main)?.axes;
  const colour = axes?.find(axis => axis.channel === 'color');
  return useMemo(() => {
    if (tile.kind === 'combo')
      return {
        series: measures
          .slice(0, tile.layers.length)
          .map(({ label }, i) => ({ label, colour: theme.series[i]! })),
        choices: tile.layers.length,
      };
    const own =
      colour && ['bar', 'line', 'area', 'scatter', 'radar'].includes(tile.kind)
        ? seriesOf(colour, theme, locale).slice(0, colour.kind === 'categories' ? undefined : colour.count)
        : [];
    const entries = legendEntries(axes ?? [], own, theme, locale);
    return entries.length > 0 ? { series: entries, choices: own.length } : undefined;
  }, [tile, axes, colour, theme, measures]);
}

function pageOf(header: RowsHeader): RowsPage {
  return {
    columns: header.columns.map(column => ({ ...column, label: column.label ?? column.name })),
    rows: header.rows.map(row => [...row]),
    total: header.total,
    ...(header.totals && { totals: [...header.totals] }),
    ...(header.sparklines && { sparklines: header.sparklines }),
  };
}

/**
 * A line that runs along the top while a newer answer is fetched; it shows itself only when that takes longer
 * than a moment.
 */
function Refreshing() {
  return (
    <div aria-hidden className="late absolute inset-x-0 top-0 h-0.5 overflow-hidden rounded-t-tile">
      <div className="sweep h-full w-1/3 bg-accent" />
    </div>
  );
}

/** What only some tiles have. */
function Part({ children }: { readonly children: ReactNode }) {
  const lacking = (isWaiting: boolean) =>
    isWaiting ? (
      <Message title={t.tile.failed} text={t.errors.unreachable} />
    ) : (
      <Message
        title={t.tile.failed}
        text={t.connection.lacking}
        action={t.errors.reload}
        onAction={() => location.reload()}
      />
    );
  return (
    <LazyBoundary fallback={<Skeleton kind="table" />} lacking={lacking}>
      {children}
    </LazyBoundary>
  );
}

const bars = [40, 65, 50, 80, 60, 90, 70, 55, 75, 45];

/** The shape of what is to come, after a moment only. */
function Skeleton({ kind }: { readonly kind: Tile['kind'] }) {
  if (kind === 'kpi')
    return <div role="status" aria-label={t.tile.loading} className="soon h-8 w-28 rounded bg-hover" />;
  return (
    <div role="status" aria-label={t.tile.loading} className="soon flex size-full items-end gap-2 px-2 pb-4">
      {bars.map(height => (
        <div key={height} className="flex-1 rounded-t bg-hover" style={{ height: `${height}%` }} />
      ))}
    </div>
  );
}

/** Why there is no picture, and what to do. */
function Message({
  title,
  text,
  original,
  action,
  onAction,
}: {
  readonly title: string;
  readonly text: string;
  readonly original?: string | undefined;
  readonly action?: string;
  readonly onAction?: () => void;
}) {
  return (
    <div
      role="status"
      className="flex size-full flex-col items-center items-center-safe justify-center justify-center-safe gap-x-3 gap-y-1 overflow-auto p-2 text-center md:in-data-low:flex-row md:in-data-low:p-0 md:in-data-low:text-start"
    >
      <div className="flex min-w-0 flex-col items-center gap-1 md:in-data-low:items-start md:in-data-low:gap-0">
        <p className="text-13 font-medium">{title}</p>
        <p className="max-w-prose text-12 text-text-2">{text}</p>
        {original ? (
          <p lang="en" className="max-w-prose text-12 text-text-3">
            {original}
          </p>
        ) : null}
      </div>
      {action ? (
        <Button className="mt-1.5 shrink-0 md:in-data-low:mt-0" onPress={() => onAction?.()}>
          {action}
        </Button>
      ) : null}
    </div>
  );
}

/** A tile that fails to draw does not take its page with it. */
class Boundary extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override render() {
    return this.state.failed ? (
      <Message
        title={t.tile.failed}
        text={t.errors.brokenText}
        action={t.tile.retry}
        onAction={() => this.setState({ failed: false })}
      />
    ) : (
      this.props.children
    );
  }
}
