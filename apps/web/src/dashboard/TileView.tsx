import type { DashboardState, ModelSummary, TileNote } from '@belvedere/api';
import { formatNumber, seriesOf } from '@belvedere/chart';
import type { Tile } from '@belvedere/document';
import type { DataType } from '@belvedere/model';
import type { Box } from '@belvedere/query';
import { Button, IconButton } from '@belvedere/ui';
import { ChartNoAxesColumn, Info, Maximize2, Minimize2, Table2 } from 'lucide-react';
import { Component, lazy, memo, Suspense, useCallback, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react';
import type { DashboardLive } from '../live/dashboard-live.ts';
import type { TileView as View } from '../live/live-tile.ts';
import { locale, t } from '../messages/messages.ts';
import { ChartView } from './ChartView.tsx';
import { fieldLabel, measureField, offAxis, tileTitle } from './describe.ts';
import { KpiView } from './KpiView.tsx';
import { RowsView } from './RowsView.tsx';
import { TwinTable } from './TwinTable.tsx';
import { useChartTheme } from './use-theme.ts';

// Markdown is fetched for those dashboards that have some.
const ExplainDialog = lazy(() => import('./ExplainDialog.tsx').then(module => ({ default: module.ExplainDialog })));
const TextView = lazy(() => import('./TextView.tsx').then(module => ({ default: module.TextView })));

interface TileViewProps {
  readonly id: string;
  readonly tile: Tile;
  readonly live: DashboardLive;
  readonly models: readonly ModelSummary[];
  readonly dashboardModel: string | undefined;
  /** Only tables need it: they ask for their own pages. */
  readonly state: DashboardState | undefined;
  readonly broken: string | undefined;
  readonly isLarge: boolean;
  readonly onLarge: (id: string, isLarge: boolean) => void;
  readonly onSelected: () => void;
  /** The filters and selections that are set, in words, for a tile that is left with nothing. */
  readonly boundBy: string;
  readonly onReset: () => void;
  /** That the data is older than it should be, in words; the picture stays. */
  readonly staleness: string | undefined;
}

/** One tile: its title, and its picture or the reason there is none. */
export const TileView = memo(function TileView({ id, tile, live, models, dashboardModel, state, broken, isLarge, onLarge, onSelected, boundBy, onReset, staleness }: TileViewProps) {
  const liveTile = live.tile(id);
  const view = useSyncExternalStore(liveTile.onView, liveTile.getView);
  const [asTable, setAsTable] = useState(false);
  // What was shown when somebody asked how it came to be.
  const [explained, setExplained] = useState<DashboardState>();
  const model = models.find(candidate => candidate.name === (tile.model ?? dashboardModel));
  const measure = useMemo(() => measureField(tile, model), [tile, model]);
  const title = tileTitle(tile, model);
  const boxes = useBoxes(live, id);
  const typeOf = useCallback((field: string) => (model?.dimensions.find(dimension => dimension.name === field)?.type ?? 'text') as DataType, [model]);
  const isChart = tile.kind !== 'kpi' && tile.kind !== 'table' && tile.kind !== 'text';
  const picture = view.filtered?.main ?? view.base.main;
  const notes = [...(staleness ? [staleness] : []), ...tileNotes(view, models, isChart)];
  // Said beside the title, where it takes no room from the picture: nothing moves when the exact one takes its place.
  const sampled = view.status === 'partial' ? picture?.header.sampled : undefined;
  const count = (value: number) => formatNumber(value, 'integer', locale, 'label');
  const theme = useChartTheme();
  const colourAxis = isChart ? (view.rows?.axes ?? picture?.axes)?.find(axis => axis.channel === 'color') : undefined;

  if (tile.kind === 'text') return <section className="size-full px-1 py-1.5"><Suspense fallback={null}><TextView text={tile.text} /></Suspense></section>;
  return (
    <section
      // A group, not a landmark: a page may have two tiles of one name, and sixty landmarks help nobody.
      role="group"
      aria-label={title}
      aria-busy={view.status === 'loading' || view.status === 'refreshing' || view.status === 'partial'}
      data-tile={id}
      data-status={broken ? 'broken' : view.status}
      data-stale={staleness !== undefined}
      className={`group/tile relative flex size-full min-w-0 flex-col rounded-tile border bg-surface px-3.5 py-3 ${boxes.length > 0 ? 'border-accent/60' : 'border-border'}`}
      onKeyDown={event => {
        if (event.key.toLowerCase() === 't' && isChart && !(event.target instanceof HTMLInputElement) && !event.ctrlKey && !event.metaKey) setAsTable(!asTable);
      }}
    >
      {view.status === 'refreshing' || view.status === 'partial' ? <Refreshing /> : null}
      <header className="flex min-h-[18px] items-start gap-2 pb-1">
        <div className="min-w-0 flex-1">
          <h2 className={`truncate ${tile.kind === 'kpi' ? 'text-13 text-text-2' : 'text-13 leading-[18px] font-semibold'}`} title={tile.description ?? title}>{title}</h2>
          {tile.subtitle || notes.length > 0 ? <p className="truncate text-12 text-text-3" title={[tile.subtitle, ...notes].filter(Boolean).join(' · ')}>{[tile.subtitle, ...notes].filter(Boolean).join(' · ')}</p> : null}
        </div>
        {sampled ? <p className="max-w-[70%] truncate text-11 leading-[18px] text-text-2">{t.tile.sampled(count(sampled.rows), count(sampled.of))}</p> : null}
        {colourAxis ? <Legend series={seriesOf(colourAxis, theme, locale)} /> : null}
        {explained ? <Suspense fallback={null}><ExplainDialog dashboard={live.id} tile={id} title={title} state={explained} mark={boxes[0]} onClose={() => setExplained(undefined)} /></Suspense> : null}
        {tile.kind === 'kpi' && !broken ? (
          <div className="no-print absolute top-1.5 right-1.5 flex rounded-control bg-surface opacity-0 group-focus-within/tile:opacity-100 group-hover/tile:opacity-100">
            <IconButton label={t.explain.button} onPress={() => setExplained(live.state)}><Info size={15} aria-hidden /></IconButton>
          </div>
        ) : null}
        {isChart ? (
          <div className="no-print absolute top-1.5 right-1.5 flex rounded-control bg-surface opacity-0 group-focus-within/tile:opacity-100 group-hover/tile:opacity-100">
            <IconButton label={t.explain.button} onPress={() => setExplained(live.state)}><Info size={15} aria-hidden /></IconButton>
            <IconButton label={asTable ? t.tile.asChart : t.tile.asTable} onPress={() => setAsTable(!asTable)}>{asTable ? <ChartNoAxesColumn size={15} aria-hidden /> : <Table2 size={15} aria-hidden />}</IconButton>
            <IconButton label={isLarge ? t.tile.small : t.tile.large} onPress={() => onLarge(id, !isLarge)}>{isLarge ? <Minimize2 size={15} aria-hidden /> : <Maximize2 size={15} aria-hidden />}</IconButton>
          </div>
        ) : null}
      </header>
      <div className={`relative min-h-0 flex-1 ${view.status === 'refreshing' && !view.isSliced ? 'opacity-55 transition-opacity delay-300' : ''}`}>
        <Boundary>{body()}</Boundary>
      </div>
    </section>
  );

  function body(): ReactNode {
    if (broken) return <Message title={t.tile.failed} text={broken} />;
    if (view.status === 'failed') return <Message title={view.problem?.title ?? t.tile.failed} text={view.problem?.detail ?? ''} action={t.tile.retry} onAction={() => void live.load([id])} />;
    if (tile.kind === 'table') return state && (view.rows || view.filteredRows) ? <RowsView key={JSON.stringify(state)} dashboard={live.id} tile={id} title={title} state={state} view={view} formats={Object.fromEntries((model?.dimensions ?? []).map(dimension => [dimension.name, dimension.format]))} /> : <Skeleton kind="table" />;
    if (!picture) return <Skeleton kind={tile.kind} />;
    if (tile.kind === 'kpi') return <KpiView live={liveTile} view={view} tile={tile} measure={measure} />;
    if (tile.kind === 'text') return null;
    if (isEmpty(view)) return boundBy === '' ? <Message title={t.tile.emptyTitle} text={t.tile.noRows} /> : <Message title={t.tile.emptyTitle} text={t.tile.emptyUnder(boundBy)} action={t.filters.reset} onAction={onReset} />;
    if (asTable) return <TwinTable picture={picture} measure={measure} title={title} labelOf={field => fieldLabel(models, field)} />;
    return (
      <ChartView
        live={liveTile}
        view={view}
        tile={tile}
        title={title}
        measure={measure}
        typeOf={typeOf}
        boxes={boxes}
        onApproach={() => live.prepare(id)}
        onSelect={next => live.brush(id, next)}
        onSelected={onSelected}
      />
    );
  }
});

/** What is selected on this tile; the others are told by their canvases, not by React. */
function useBoxes(live: DashboardLive, id: string): readonly Box[] {
  return useSyncExternalStore(
    listener => live.store.subscribe(listener),
    () => live.state.selections[id] ?? nothing,
  );
}
const nothing: readonly Box[] = [];

function isEmpty(view: View): boolean {
  const picture = view.filtered?.main ?? view.base.main;
  return !view.isSliced && picture !== undefined && picture.values.every(value => Number.isNaN(value) || value === 0);
}

function tileNotes(view: View, models: readonly ModelSummary[], isChart: boolean): string[] {
  const said = view.notes.flatMap((note: TileNote) => (note.kind === 'coarser' ? [t.tile.coarser(note.unit)] : note.kind === 'last-answer' ? [t.tile.lastAnswer(new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(note.at))] : []));
  const missed = view.notes.flatMap(note => (note.kind === 'not-applied' ? [fieldLabel(models, note.field)] : []));
  const picture = view.filtered?.main ?? view.base.main;
  const off = picture && isChart && picture.isAdditive ? offAxis(picture.axes, picture.values) : { outside: 0, none: 0 };
  const share = (value: number) => formatNumber(value, 'percent', locale, 'label');
  return [...said, ...(missed.length > 0 ? [t.tile.notApplied(missed.join(', '))] : []), ...(off.outside >= 0.0005 ? [t.tile.outside(share(off.outside))] : []), ...(off.none >= 0.0005 ? [t.tile.noValue(share(off.none))] : [])];
}

function Legend({ series }: { readonly series: readonly { readonly label: string; readonly colour: string }[] }) {
  return (
    <ul className="flex max-w-[60%] flex-wrap justify-end gap-x-3 text-12 text-text-2">
      {series.map(({ label, colour }) => (
        <li key={label} className="flex items-center gap-1.5">
          <span aria-hidden className="h-[3px] w-2.5 rounded-full" style={{ background: colour }} />
          {label}
        </li>
      ))}
    </ul>
  );
}

/** A line that runs along the top while a newer answer is fetched; it shows itself only when that takes longer than a moment. */
function Refreshing() {
  return (
    <div aria-hidden className="late absolute inset-x-0 top-0 h-0.5 overflow-hidden rounded-t-tile">
      <div className="sweep h-full w-1/3 bg-accent" />
    </div>
  );
}

const bars = [40, 65, 50, 80, 60, 90, 70, 55, 75, 45];

/** The shape of what is to come, after a moment only. */
function Skeleton({ kind }: { readonly kind: Tile['kind'] }) {
  if (kind === 'kpi') return <div role="status" aria-label={t.tile.loading} className="soon h-8 w-28 rounded bg-hover" />;
  return (
    <div role="status" aria-label={t.tile.loading} className="soon flex size-full items-end gap-2 px-2 pb-4">
      {bars.map(height => <div key={height} className="flex-1 rounded-t bg-hover" style={{ height: `${height}%` }} />)}
    </div>
  );
}

/** Why there is no picture, and what to do. */
export function Message({ title, text, action, onAction }: { readonly title: string; readonly text: string; readonly action?: string; readonly onAction?: () => void }) {
  return (
    <div role="status" className="flex size-full flex-col items-center justify-center gap-1 overflow-auto p-2 text-center">
      <p className="text-13 font-medium">{title}</p>
      <p className="max-w-prose text-12 text-text-2">{text}</p>
      {action ? <Button className="mt-1.5" onPress={() => onAction?.()}>{action}</Button> : null}
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
    return this.state.failed ? <Message title={t.tile.failed} text={t.errors.brokenText} action={t.tile.retry} onAction={() => this.setState({ failed: false })} /> : this.props.children;
  }
}
