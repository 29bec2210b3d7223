import type { DashboardState, EventNote, ModelSummary } from '@belvedere/api';
import { isChartTile } from '@belvedere/chart';
import type { Tile } from '@belvedere/document';
import type { DataType } from '@belvedere/model';
import {
  adjustTile,
  withEvents,
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
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import type { DashboardStore } from '../../live/dashboard-store.ts';
import { useSelection } from '../../live/use-live.ts';
import { isGuestPage } from '../../data/session/guest.ts';
import { ChartView } from '../chart/ChartView.tsx';
import { fieldLabel, measureFields, tileTitle } from './describe.ts';
import { markEntries } from './menu/mark-entries.tsx';
import { TileImage } from './text/TileImage.tsx';
import { LazyPart, TileBoundary } from './TileBoundaries.tsx';
import { TextTile } from './text/TextTile.tsx';
import { TileBody } from './TileBody.tsx';
import { TileHeader } from './TileHeader.tsx';
import { isOutdated } from './outdated-tile.ts';
import { Refreshing } from './TileStates.tsx';
import { TileTools } from './menu/TileTools.tsx';
import { moveTileFocus } from './tile-focus.ts';
import { useRowComments } from './table/use-row-comments.ts';
import { fewBars } from './phone-height.ts';
import { useTileDrill } from './use-tile-drill.ts';

// Only some dashboards have these, so their code loads when it is needed.
const DataTable = lazyComponent(() => import('./table/DataTable.tsx').then(module => module.DataTable));
const DrillBreadcrumb = lazyComponent(() =>
  import('../filters/DrillBreadcrumb.tsx').then(module => module.DrillBreadcrumb),
);

export interface TileViewProps {
  readonly id: string;
  /** As its file has it. */
  readonly tile: Tile;
  readonly live: DashboardStore;
  readonly models: readonly ModelSummary[];
  readonly dashboardModel: string | undefined;
  /** The user's changes to the tile. */
  readonly adjustment: Adjustment | undefined;
  readonly compare: DashboardState['compare'];
  /** Only tables need it: they ask for their own pages. */
  readonly state: DashboardState | undefined;
  readonly broken: string | undefined;
  readonly isLarge: boolean;
  /** Event notes, drawn on time charts. */
  readonly notes?: readonly EventNote[];
  /** Further events on its time axis, such as firings of an alert. */
  readonly events?: readonly NotedEvent[] | undefined;
  /** Whether the user may add and change event notes. */
  readonly canNote?: boolean;
  /** How many open threads of comments are about it. */
  readonly openThreads?: number;
  /** Begins a comment about the tile; undefined if the user cannot write one. */
  readonly onComment?: ((id: string, boxes: readonly Box[]) => void) | undefined;
  /** Marks in the header, such as of firing alerts; a stable node while they are the same. */
  readonly marks?: ReactNode;
  /** Begins an alert on the tile; undefined if the user cannot make one. */
  readonly onAlert?: ((id: string) => void) | undefined;
  /** Opens the tile in Explore; undefined if that is not offered. */
  readonly onExplore?: ((id: string) => void) | undefined;
  readonly onThreads?: (id: string, row?: Box) => void;
  /** The rows of a table that open threads are about. */
  readonly commentedRows?: readonly Box[] | undefined;
  /** The row of a table whose thread is shown. */
  readonly commentedRow?: Box | undefined;
  /** Whether the page works without a server, so that actions that need one are not offered. */
  readonly isOffline?: boolean;
  /** Shows the tile alone on its page; undefined if it cannot be. */
  readonly onLarge: ((id: string, isLarge: boolean) => void) | undefined;
  readonly onSelected: () => void;
  readonly onAdjust: (id: string, adjustment: Adjustment | undefined) => void;
  readonly onFilters: (filters: Readonly<Record<string, FieldFilter>>, withoutSelectionOf: string) => void;
  readonly onGo: (dashboard: string, filters: Readonly<Record<string, FieldFilter>>) => void;
  /**
   * Describes the active filters and selections, for a tile without rows; undefined if there cannot be any.
   */
  readonly boundBy?: () => string;
  readonly onReset: () => void;
  /** That the data is older than it should be, in words; the picture stays. */
  readonly staleness: string | undefined;
}

const noNotes: readonly EventNote[] = [];
const noEvents: readonly NotedEvent[] = [];
const noneHidden: ReadonlySet<number> = new Set();
/** Tiles with at most so many rows show a message and its action beside each other. */
const lowRows = 4;
/** Tiles with at most so many have room for a figure only if its padding is small. */
const flatRows = 2;

/** Renders controls that appear on hover after everything that is visible. */
function Soon({ children }: { readonly children: ReactNode }) {
  return useDeferredValue(true, false) ? children : null;
}

/**
 * Moves the focus between tiles, and turns a chart into a table.
 *
 * @param hasSelections whether Escape clears selections first, before it leaves the tile
 */
function onTileKey(
  event: KeyboardEvent<HTMLElement>,
  hasSelections: boolean,
  turn: (() => void) | undefined,
) {
  if ((event.key !== 'Escape' || !hasSelections) && !event.defaultPrevented && moveTileFocus(event))
    return event.preventDefault();
  const isText = event.target instanceof HTMLInputElement;
  if (event.key.toLowerCase() === 't' && !isText && !event.ctrlKey && !event.metaKey) turn?.();
}

/** A tile: its title, and its content or the reason why there is none. */
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
  const [hidden, setHidden] = useState(noneHidden);
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
  const isChart = isChartTile(tile);
  const picture = view.filtered?.main ?? view.base.main;
  const bars = asTable ? undefined : fewBars(tile, view.base.main);
  const turn = useCallback(() => setAsTable(before => !before), []);
  const adjust = useCallback((next: Adjustment | undefined) => onAdjust(id, next), [onAdjust, id]);
  const rowComments = useRowComments(props);
  const { open, zoomable } = useTileDrill(tile, model, typeOf, adjustment, adjust, isOffline);

  if (tile.kind === 'text')
    return <TextTile text={tile.text} live={liveTile} view={view} measures={measures} />;
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
      data-flat={!isLarge && tile.at && tile.at[3] <= flatRows ? '' : undefined}
      data-few-bars={isLarge ? undefined : bars}
      style={bars === undefined ? undefined : ({ '--bars': bars } as CSSProperties)}
      tabIndex={-1}
      className={`group/tile relative flex size-full min-w-0 flex-col rounded-tile border bg-surface px-3.5 py-3 md:data-flat:py-1.5 ${isSelected ? 'border-accent/60' : 'border-border'}`}
      onKeyDown={event =>
        onTileKey(event, Object.keys(live.state.selections).length > 0, isChart ? turn : undefined)
      }
    >
      {view.status === 'refreshing' || view.status === 'partial' ? <Refreshing /> : null}
      <TileHeader
        id={id}
        tile={tile}
        title={title}
        view={view}
        models={models}
        model={model}
        measures={measures}
        hidden={hidden}
        onHide={setHidden}
        staleness={staleness}
        marks={props.marks}
        openThreads={openThreads}
        onThreads={onThreads}
        onRetry={isOffline ? undefined : () => void live.load([id])}
      >
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
      </TileHeader>
      {adjustment?.drill || adjustment?.zoom ? (
        <LazyBoundary fallback={null}>
          <DrillBreadcrumb adjustment={adjustment} models={models} zoomable={zoomable} onAdjust={adjust} />
        </LazyBoundary>
      ) : null}
      <div
        className={`relative min-h-0 flex-1 ${isOutdated(view) ? 'opacity-55' : view.status === 'refreshing' && !view.isSliced ? 'opacity-55 transition-opacity delay-300' : ''}`}
      >
        <TileBoundary>
          <TileBody
            live={live}
            id={id}
            tile={tile}
            title={title}
            view={view}
            models={models}
            model={model}
            measures={measures}
            state={state}
            adjustment={adjustment}
            broken={broken}
            isOffline={isOffline}
            boundBy={boundBy}
            onReset={onReset}
            comments={rowComments}
            onAdjust={adjust}
            chart={chart}
          />
        </TileBoundary>
      </div>
    </section>
  );

  function chart(): ReactNode {
    if (!isChartTile(tile) || !picture) return null;
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
