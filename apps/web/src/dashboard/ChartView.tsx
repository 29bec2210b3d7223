import type { Field, NamedAxis, RowsHeader } from '@belvedere/api';
import { drawChart, paintCanvas, placeName, summarize, type Chart, type ChartInput, type ChartTile, type ScatterPoint } from '@belvedere/chart';
import { selectedPlaces, toggle } from '@belvedere/crossfilter';
import type { DataType } from '@belvedere/model';
import type { Box } from '@belvedere/query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { LiveTile, TileView } from '../live/live-tile.ts';
import { locale, t } from '../messages/messages.ts';
import { boxBetween, boxOfPlaces, brushChannels, pixelsOf, type BrushChannel } from './brush-gesture.ts';
import { describeBoxes, full } from './describe.ts';
import { prepareCanvas } from './prepare-canvas.ts';
import { Tooltip, type TooltipContent } from './Tooltip.tsx';
import { useFrames } from './use-frames.ts';
import { useSize } from './use-size.ts';
import { useChartTheme } from './use-theme.ts';

export interface ChartViewProps {
  readonly live: LiveTile;
  readonly view: TileView;
  readonly tile: ChartTile;
  readonly title: string;
  readonly measure: Field;
  readonly typeOf: (field: string) => DataType;
  /** What is selected on this tile. */
  readonly boxes: readonly Box[];
  /** The pointer or the focus has come: a brush may follow. */
  readonly onApproach: () => void;
  /** Called while selecting, at most once a frame. */
  readonly onSelect: (boxes: readonly Box[]) => void;
  /** The gesture has ended. */
  readonly onSelected: () => void;
}

/** One chart on two canvases: what stays, and what moves with every frame of a brush. */
export function ChartView(props: ChartViewProps) {
  const { live, view, tile, title, measure, typeOf, boxes } = props;
  const frame = useRef<HTMLDivElement>(null);
  const back = useRef<HTMLCanvasElement>(null);
  const front = useRef<HTMLCanvasElement>(null);
  const size = useSize(frame);
  const theme = useChartTheme();
  const base = view.base.main;
  const filtered = view.filtered?.main;

  const points = useMemo(() => scatterPoints(tile, view.rows), [tile, view.rows]);
  const filteredPoints = useMemo(() => scatterPoints(tile, view.filteredRows ?? view.rows), [tile, view.filteredRows, view.rows]);
  const input = useMemo((): ChartInput | undefined => {
    if (!base || !size || size.width < 40 || size.height < 40) return undefined;
    const colour = points && (view.rows?.axes ?? []);
    return {
      tile, axes: colour ? [...base.axes, ...colour] : base.axes, base: base.values, size, theme, locale,
      measure: { label: measure.label, isAdditive: base.isAdditive, ...(measure.format && { format: measure.format }), ...(measure.unit && { unit: measure.unit }) },
      ...(filtered && { filtered: filtered.values }),
      ...(points && { points }),
    };
  }, [base, filtered, size, theme, tile, measure, points, view.rows]);
  const chart = useMemo(() => input && drawChart(input), [input]);
  const brushes = useMemo(() => (chart && base ? brushChannels(chart, base.axes, typeOf) : []), [chart, base, typeOf]);
  const isFollowing = view.isSliced || filtered !== undefined || view.filteredRows !== undefined;

  // What stays: guides, and behind a selection all that was there before it.
  useEffect(() => {
    const context = back.current && size && prepareCanvas(back.current, size);
    if (!context || !chart || !base) return;
    paintCanvas(context, chart.guides);
    if (isFollowing) paintCanvas(context, chart.marks(base.values, { isMuted: true }));
  }, [chart, base, size, isFollowing]);

  // What moves.
  const draw = useCallback(() => {
    const values = live.current('main');
    const context = front.current && size && prepareCanvas(front.current, size);
    if (!context || !values || !chart) return;
    const isSelected = selectedPlaces({ ...(chart.x && { x: chart.x.axis }), ...(chart.y && { y: chart.y.axis }) }, boxes);
    paintCanvas(context, chart.marks(values, { isSelected, ...(filteredPoints && { points: filteredPoints }) }));
  }, [chart, size, live, boxes, filteredPoints]);
  useFrames(live, draw);

  const summary = useMemo(() => (input ? summarize(input) : ''), [input]);
  return (
    <div ref={frame} className="relative size-full min-h-0 overflow-hidden">
      <canvas ref={back} className="absolute inset-0 size-full" aria-hidden />
      <canvas ref={front} className="absolute inset-0 size-full" aria-hidden />
      {chart && base ? <Surface {...props} chart={chart} brushes={brushes} axes={base.axes} title={title} summary={summary} /> : null}
    </div>
  );
}

interface SurfaceProps extends ChartViewProps {
  readonly chart: Chart;
  readonly brushes: readonly BrushChannel[];
  readonly axes: readonly NamedAxis[];
  readonly summary: string;
}

interface Gesture {
  readonly kind: 'new' | 'move' | 'resize';
  readonly start: { x: number; y: number };
  /** The corner that stays while resizing, or the box's corners while moving. */
  readonly anchor?: { x: number; y: number };
  readonly origin?: Partial<Record<'x' | 'y', readonly [number, number]>>;
  readonly lock?: 'x' | 'y';
  readonly adds: boolean;
  readonly before: readonly Box[];
  hasMoved: boolean;
}

const dragThreshold = 4;

/** The part of a chart that is touched: brush, click, hover, keys. */
function Surface({ live, chart, brushes, axes, title, summary, measure, boxes, onApproach, onSelect, onSelected }: SurfaceProps) {
  const gesture = useRef<Gesture | undefined>(undefined);
  const [tooltip, setTooltip] = useState<TooltipContent>();
  const [cursor, setCursor] = useState<{ x: number; y: number; from?: { x: number; y: number } }>();
  const [said, setSaid] = useState('');
  const box = boxes.length === 1 ? boxes[0] : undefined;
  const spans = box && pixelsOf(brushes, box);
  const canBrush = brushes.length > 0;

  // A tile does not move while one drags on it, and asking where it is makes the browser lay out the page.
  const dragged = useRef<DOMRect | undefined>(undefined);
  const point = useCallback((event: React.PointerEvent<HTMLElement>) => {
    const bounds = dragged.current ?? event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - bounds.left, y: event.clientY - bounds.top };
  }, []);
  const placesAt = useCallback((at: { x: number; y: number }) => ({ x: chart.x?.placeAt(at.x) ?? -1, y: chart.y?.placeAt(at.y) ?? -1 }), [chart]);

  const begin = (event: React.PointerEvent<HTMLElement>) => {
    if (!canBrush || event.button !== 0) return;
    const start = point(event);
    const handle = (event.target as HTMLElement).dataset['handle'];
    event.currentTarget.setPointerCapture(event.pointerId);
    dragged.current = event.currentTarget.getBoundingClientRect();
    onApproach();
    setTooltip(undefined);
    if (handle === 'move' && spans) gesture.current = { kind: 'move', start, origin: spans, adds: false, before: [], hasMoved: false };
    else if (handle && spans) {
      const [channel, end] = handle.split('-') as ['x' | 'y', 'from' | 'below'];
      const anchor = { x: spans.x?.[channel === 'x' && end === 'from' ? 1 : 0] ?? 0, y: spans.y?.[channel === 'y' && end === 'from' ? 1 : 0] ?? 0 };
      gesture.current = { kind: 'resize', start, anchor, origin: spans, lock: channel, adds: false, before: [], hasMoved: false };
    } else gesture.current = { kind: 'new', start, adds: event.shiftKey, before: event.shiftKey ? boxes : [], hasMoved: false };
  };

  const move = (event: React.PointerEvent<HTMLElement>) => {
    const at = point(event);
    const now = gesture.current;
    if (!now) return setTooltip(hoverContent(chart, axes, live, placesAt(at), at, measure));
    if (!now.hasMoved && Math.hypot(at.x - now.start.x, at.y - now.start.y) < dragThreshold) return undefined;
    now.hasMoved = true;
    onSelect([...now.before, boxAt(now, at)]);
    return undefined;
  };

  const boxAt = (now: Gesture, at: { x: number; y: number }): Box => {
    if (now.kind === 'new') return boxBetween(brushes, now.start, at);
    const origin = now.origin!;
    if (now.kind === 'resize') {
      const other = now.lock === 'x' ? 'y' : 'x';
      const [a, b] = [{ ...now.anchor! }, { ...at }];
      const kept = origin[other];
      if (kept) [a[other], b[other]] = kept;
      return boxBetween(brushes, a, b);
    }
    const moved = (channel: 'x' | 'y') => {
      const span = origin[channel] ?? [0, 0];
      const [low, high] = channel === 'x' ? [chart.plot.x, chart.plot.x + chart.plot.width] : [chart.plot.y, chart.plot.y + chart.plot.height];
      const shift = Math.max(low - span[0], Math.min(high - span[1], at[channel] - now.start[channel]));
      return [span[0] + shift, span[1] + shift] as const;
    };
    const [x, y] = [moved('x'), moved('y')];
    return boxBetween(brushes, { x: x[0], y: y[0] }, { x: x[1], y: y[1] });
  };

  const end = (event: React.PointerEvent<HTMLElement>) => {
    const now = gesture.current;
    gesture.current = undefined;
    dragged.current = undefined;
    if (!now) return;
    if (!now.hasMoved && now.kind === 'new') {
      const places = placesAt(point(event));
      const clicked = boxOfPlaces(brushes, { x: [places.x, places.x + 1], y: [places.y, places.y + 1] });
      if (!clicked) return;
      const isOnly = boxes.length === 1 && JSON.stringify(boxes[0]) === JSON.stringify(clicked);
      onSelect(now.adds ? (toggle({ tile: boxes }, 'tile', clicked)['tile'] ?? []) : isOnly || (boxes.length > 0 && box && isInside(spans, now.start)) ? [] : [clicked]);
    }
    onSelected();
  };

  const keys = (event: React.KeyboardEvent) => {
    if (event.key === 'Escape' && boxes.length > 0) {
      event.stopPropagation();
      onSelect([]);
      onSelected();
      setSaid(t.tile.cleared);
      return;
    }
    if (!canBrush) return;
    const step = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (step) {
      event.preventDefault();
      event.stopPropagation();
      onApproach();
      const next = walk(chart, cursor, step as [number, number]);
      const from = event.shiftKey ? (cursor?.from ?? cursor ?? next) : undefined;
      setCursor({ ...next, ...(from && { from: { x: from.x, y: from.y } }) });
      const at = { x: chart.x?.middle(next.x) ?? 0, y: chart.y?.middle(next.y) ?? 0 };
      const content = hoverContent(chart, axes, live, next, at, measure);
      setTooltip(content);
      if (content) setSaid(`${content.title}: ${content.rows.map(row => `${row.label} ${row.value}`).join(', ')}`);
      if (from) {
        const range = (channel: 'x' | 'y') => [Math.min(from[channel], next[channel]), Math.max(from[channel], next[channel]) + 1] as const;
        const brushed = boxOfPlaces(brushes, { x: range('x'), y: range('y') });
        if (brushed) {
          onSelect([brushed]);
          onSelected();
          setSaid(t.tile.selectedRange(describeBoxes([brushed])));
        }
      }
    } else if ((event.key === 'Enter' || event.key === ' ') && cursor) {
      event.preventDefault();
      event.stopPropagation();
      const chosen = boxOfPlaces(brushes, { x: [cursor.x, cursor.x + 1], y: [cursor.y, cursor.y + 1] });
      if (!chosen) return;
      const next = toggle({ tile: event.shiftKey ? boxes : boxes.filter(other => JSON.stringify(other) === JSON.stringify(chosen)) }, 'tile', chosen)['tile'] ?? [];
      onSelect(next);
      onSelected();
      setSaid(next.length > 0 ? t.tile.selectedRange(describeBoxes(next)) : t.tile.cleared);
    }
  };

  const { plot } = chart;
  return (
    <>
      <div
        role="application"
        aria-roledescription="chart"
        aria-label={`${title}. ${summary} ${t.tile.chartHelp}`}
        tabIndex={0}
        className={`absolute inset-0 touch-pan-y rounded select-none ${canBrush ? 'cursor-crosshair' : ''}`}
        onPointerEnter={onApproach}
        onFocus={onApproach}
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={end}
        onPointerLeave={() => setTooltip(undefined)}
        onBlur={() => {
          setCursor(undefined);
          setTooltip(undefined);
        }}
        onKeyDown={keys}
      >
        {spans ? <BrushFrame spans={spans} plot={plot} isContinuous={brushes.some(brush => brush.edges !== undefined)} /> : null}
        {cursor ? <CursorFrame chart={chart} cursor={cursor} /> : null}
      </div>
      <span className="sr-only" aria-live="polite">{said}</span>
      {tooltip ? <Tooltip {...tooltip} /> : null}
    </>
  );
}

function isInside(spans: Partial<Record<'x' | 'y', readonly [number, number]>> | undefined, at: { x: number; y: number }): boolean {
  return spans !== undefined && (['x', 'y'] as const).every(channel => !spans[channel] || (at[channel] >= spans[channel][0] && at[channel] <= spans[channel][1]));
}

/** The brushed area with handles to move and resize it. */
function BrushFrame({ spans, plot, isContinuous }: { readonly spans: Partial<Record<'x' | 'y', readonly [number, number]>>; readonly plot: Chart['plot']; readonly isContinuous: boolean }) {
  const [left, right] = spans.x ?? [plot.x, plot.x + plot.width];
  const [top, bottom] = spans.y ?? [plot.y, plot.y + plot.height];
  if (!isContinuous) return null;
  const handle = 'absolute bg-transparent before:absolute before:rounded-full before:bg-surface before:border before:border-accent before:content-[""]';
  return (
    <div data-handle="move" data-testid="brush" className="absolute cursor-move border border-(--brush-edge) bg-(--brush)" style={{ left, top, width: right - left, height: bottom - top }}>
      {spans.x ? (
        <>
          <span data-handle="x-from" className={`${handle} inset-y-0 -left-1.5 w-3 cursor-ew-resize before:top-1/2 before:left-[3px] before:h-5 before:w-1.5 before:-translate-y-1/2`} />
          <span data-handle="x-below" className={`${handle} inset-y-0 -right-1.5 w-3 cursor-ew-resize before:top-1/2 before:left-[3px] before:h-5 before:w-1.5 before:-translate-y-1/2`} />
        </>
      ) : null}
      {spans.y ? (
        <>
          <span data-handle="y-from" className={`${handle} inset-x-0 -top-1.5 h-3 cursor-ns-resize before:top-[3px] before:left-1/2 before:h-1.5 before:w-5 before:-translate-x-1/2`} />
          <span data-handle="y-below" className={`${handle} inset-x-0 -bottom-1.5 h-3 cursor-ns-resize before:top-[3px] before:left-1/2 before:h-1.5 before:w-5 before:-translate-x-1/2`} />
        </>
      ) : null}
    </div>
  );
}

function CursorFrame({ chart, cursor }: { readonly chart: Chart; readonly cursor: { x: number; y: number } }) {
  const [left, right] = chart.x?.span(cursor.x) ?? [chart.plot.x, chart.plot.x + chart.plot.width];
  const [top, bottom] = chart.y?.span(cursor.y) ?? [chart.plot.y, chart.plot.y + chart.plot.height];
  return <div aria-hidden className="pointer-events-none absolute rounded-sm border-2 border-accent" style={{ left: left - 1, top: top - 1, width: Math.max(4, right - left + 2), height: Math.max(4, bottom - top + 2) }} />;
}

/** The next place in a direction; up and down count on an upright axis as it is drawn. */
function walk(chart: Chart, cursor: { x: number; y: number } | undefined, [right, up]: [number, number]): { x: number; y: number } {
  if (!cursor) return { x: chart.x ? 0 : -1, y: chart.y ? 0 : -1 };
  const clamp = (place: number, places: number) => Math.max(0, Math.min(places - 1, place));
  const isDownward = chart.y !== undefined && chart.y.places > 1 && chart.y.middle(1) > chart.y.middle(0);
  // On a chart with one axis either pair of arrows walks it.
  const alongX = chart.x ? right + (chart.y ? 0 : up) : 0;
  const alongY = chart.y ? (isDownward ? -up : up) + (chart.x ? 0 : right) : 0;
  return { x: chart.x ? clamp(cursor.x + alongX, chart.x.places) : -1, y: chart.y ? clamp(cursor.y + alongY, chart.y.places) : -1 };
}

function hoverContent(chart: Chart, axes: readonly NamedAxis[], live: LiveTile, places: { x: number; y: number }, at: { x: number; y: number }, measure: Field): TooltipContent | undefined {
  const values = live.current('main');
  const base = live.view.base.main;
  if (!values || !base || at.x < chart.plot.x - 40) return undefined;
  const slots = axes.map(axis => ({ axis, size: axis.kind === 'categories' ? axis.values.length + (axis.other ? 1 : 0) : axis.count + 2 }));
  const colour = slots.find(({ axis }) => axis.channel === 'color');
  const groupFor = (colourPlace: number) => slots.reduce((group, { axis, size }) => group * size + (axis.channel === 'x' ? places.x : axis.channel === 'y' ? places.y : colourPlace), 0);
  const title = slots.filter(({ axis }) => axis.channel !== 'color').map(({ axis }) => placeName(axis, axis.channel === 'x' ? places.x : places.y, locale)).join(' · ');
  const series = colour ? Array.from({ length: colour.size }, (_, place) => place).filter(place => place < (colour.axis.kind === 'categories' ? colour.size : colour.size - 2)) : [0];
  const rows = series
    .map(place => ({ place, value: values[groupFor(place)]!, all: base.values[groupFor(place)]! }))
    .filter(row => !Number.isNaN(row.value) && (series.length === 1 || row.value !== 0))
    .toSorted((a, b) => b.value - a.value)
    .map(({ place, value, all }) => ({
      label: colour ? placeName(colour.axis, place, locale) : measure.label,
      value: values === base.values || !base.isAdditive ? full(value, measure) : `${full(value, measure)} ${t.tile.of} ${full(all, measure)}`,
      colour: chart.series[place]?.colour ?? chart.series[0]?.colour,
    }));
  if (rows.length === 0) return undefined;
  const anchor = { x: chart.x ? chart.x.middle(places.x) : at.x, y: chart.y ? chart.y.middle(places.y) : at.y };
  return { title, rows, x: anchor.x, y: anchor.y, isBeside: chart.y !== undefined };
}

function scatterPoints(tile: ChartTile, rows: RowsHeader | undefined): ScatterPoint[] | undefined {
  if (tile.kind !== 'scatter' || !rows) return undefined;
  const axis = rows.axes?.[0];
  const places = new Map(axis?.kind === 'categories' ? axis.values.map((value, place) => [value, place]) : []);
  return rows.rows.flatMap(([x, y, colour]) => (typeof x === 'number' && typeof y === 'number' ? [{ x, y, colour: axis ? (places.get(colour ?? null) ?? places.size) : 0 }] : []));
}
