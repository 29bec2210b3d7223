import type { Field, RowsHeader } from '@belvedere/api';
import type { Chart, ChartPoint, ChartTile, Panel, Size, Target } from '@belvedere/chart';
import type { DataType } from '@belvedere/model';
import { toggle } from '@belvedere/crossfilter';
import { isSelectable, toldBy, type Box, type NotedEvent } from '@belvedere/query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { LiveTile, Picture } from '../live/live-tile.ts';
import { t } from '../messages/messages.ts';
import { boxBetween, boxOfPlaces, brushChannels, pixelsOf, type BrushChannel } from './brush-gesture.ts';
import { BrushFrame, CursorFrame, WantedFrame, type Cursor } from './ChartFrames.tsx';
import { describeBoxes } from './describe.ts';
import { hoverPlace, hoverPoint, hoverTarget, withAnnotationsAt, withEventsAt } from './hover.ts';
import { boxesOfTargets, boxOfPanel, boxOfTarget, neighbour, panelAt, panelsOf, pointNear, targetsIn, type Point } from './pointing.ts';
import { Tooltip, type TooltipContent } from './Tooltip.tsx';
import { useZoom, type Zoomable } from './use-zoom.ts';

/** What a chart must be told to be selected on. */
export interface TouchedChart {
  readonly live: LiveTile;
  readonly tile: ChartTile;
  readonly title: string;
  readonly measures: readonly Field[];
  readonly typeOf: (field: string) => DataType;
  /** What is selected on this tile. */
  readonly boxes: readonly Box[];
  /** The pointer or the focus has come: a brush may follow. */
  readonly onApproach: () => void;
  /** Called while selecting, at most once a frame. */
  readonly onSelect: (boxes: readonly Box[]) => void;
  /** The gesture has ended. */
  readonly onSelected: () => void;
  /** A mark is opened: what lies below it is wanted. Undefined where nothing does. */
  readonly onOpen: ((mark: Box) => void) | undefined;
  /** What happened, said where it is pointed at. */
  readonly notes: readonly NotedEvent[];
  /** How a stretch of it is looked at closely. Undefined where that cannot be. */
  readonly zoomable: Zoomable | undefined;
}

interface ChartSurfaceProps extends TouchedChart {
  readonly chart: Chart;
  readonly size: Size;
  readonly picture: Picture;
  /** Single points, where they are drawn, and the rows they stand for. */
  readonly points: readonly ChartPoint[] | undefined;
  readonly rows: RowsHeader | undefined;
  readonly summary: string;
}

interface Gesture {
  readonly kind: 'new' | 'move' | 'resize';
  readonly panel: Panel;
  readonly start: Point;
  /** The corner that stays while resizing, or the box's corners while moving. */
  readonly anchor?: Point;
  readonly origin?: Partial<Record<'x' | 'y', readonly [number, number]>>;
  readonly lock?: 'x' | 'y';
  readonly adds: boolean;
  readonly before: readonly Box[];
  /** What was selected when it began: what it leaves where it turns out to be something else. */
  readonly selected: readonly Box[];
  hasMoved: boolean;
}

const dragThreshold = 4;
const arrows: Readonly<Record<string, readonly [number, number]>> = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** The part of a chart that is touched: brush, click, hover, keys. */
export function ChartSurface({ live, tile, chart, size, picture, points, rows, title, summary, measures, typeOf, boxes, onApproach, onSelect, onSelected, onOpen, zoomable, notes }: ChartSurfaceProps) {
  const surface = useRef<HTMLDivElement>(null);
  const gesture = useRef<Gesture | undefined>(undefined);
  const [tooltip, setTooltip] = useState<TooltipContent>();
  useEffect(() => {
    if (!tooltip) return undefined;
    // A finger that goes elsewhere leaves nothing behind; where nothing else takes the focus, no blur says so.
    const elsewhere = (event: PointerEvent) => {
      if (event.pointerType !== 'mouse' && !surface.current?.contains(event.target as Node)) setTooltip(undefined);
    };
    window.addEventListener('pointerdown', elsewhere, true);
    return () => window.removeEventListener('pointerdown', elsewhere, true);
  }, [tooltip]);
  const [cursor, setCursor] = useState<Cursor>();
  const [lasso, setLasso] = useState<readonly [Point, Point]>();
  const [said, setSaid] = useState('');
  const { axes } = picture;
  const panels = useMemo(() => panelsOf(chart, size), [chart, size]);
  const brushes = useMemo(() => new Map(panels.map(panel => [panel, brushChannels(panel.chart, axes, typeOf)])), [panels, axes, typeOf]);
  const zooming = useZoom(surface, panels.length === 1 ? panels[0] : undefined, axes, zoomable);
  const brushesOf = (panel: Panel): readonly BrushChannel[] => brushes.get(panel) ?? [];
  const canSelect = axes.some(axis => isSelectable(tile, axis.channel));
  const hovered = useCallback(() => ({ picture, values: live.current('main') ?? picture.values, measures, told: toldBy(tile).length }), [picture, live, measures, tile]);
  // A branch's children lie before it, so the first target that holds a point is the innermost.
  const targetsOf = useCallback((panel: Panel): readonly Target[] => targetsIn(panel, live.current('main') ?? picture.values, live.view.isSliced), [live, picture]);

  const box = boxes.length === 1 ? boxes[0] : undefined;
  const brushed = box && panels.map(panel => ({ panel, spans: panel.chart.targets ? undefined : pixelsOf(brushesOf(panel), box) })).find(({ panel, spans }) => spans && holds(boxOfPanel(panel, axes), box));

  // A tile does not move while one drags on it, and asking where it is makes the browser lay out the page.
  const dragged = useRef<DOMRect | undefined>(undefined);
  const point = useCallback((event: React.PointerEvent<HTMLElement> | React.MouseEvent<HTMLElement>) => {
    const bounds = dragged.current ?? event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - bounds.left, y: event.clientY - bounds.top };
  }, []);
  const inPanel = (panel: Panel, at: Point): Point => ({ x: at.x - panel.x, y: at.y - panel.y });
  const placesAt = (panel: Panel, at: Point) => ({ x: panel.chart.x?.placeAt(at.x) ?? -1, y: panel.chart.y?.placeAt(at.y) ?? -1 });

  /** The mark under a point as conditions; undefined where there is none, or it stands for no values of its own. */
  const markAt = (at: Point): Box | undefined => {
    const panel = panelAt(panels, at);
    const own = boxOfPanel(panel, axes);
    const local = inPanel(panel, at);
    if (panel.chart.targets) {
      const target = targetsOf(panel).find(one => one.contains(local.x, local.y));
      return target && boxOfTarget(panel, target, axes);
    }
    const places = placesAt(panel, local);
    const mark = boxOfPlaces(brushesOf(panel), { x: [places.x, places.x + 1], y: [places.y, places.y + 1] });
    return own && mark && { ...mark, ...own };
  };

  const written = (('annotations' in tile && tile.annotations) || []).map(({ text }) => (/[.!?。！？]$/.test(text) ? text : `${text}.`));

  /** What a place or a target stands for, with what is written at it. */
  const told = (panel: Panel, at: { readonly x: number; readonly y: number } | Target): TooltipContent | undefined =>
    'places' in at
      ? withAnnotationsAt(hoverTarget(panel, at, axes, hovered()), tile, axes, { ...placesOfPanel(panel), detail: at.places[0]! })
      : withAnnotationsAt(withEventsAt(hoverPlace(panel, axes, at, hovered()), axes, at.x, notes), tile, axes, { ...placesOfPanel(panel), x: at.x, y: at.y });

  const contentAt = (at: Point): TooltipContent | undefined => {
    const panel = panelAt(panels, at);
    const local = inPanel(panel, at);
    if (panel.chart.targets) {
      const target = targetsOf(panel).find(one => one.contains(local.x, local.y));
      return target && told(panel, target);
    }
    // Among single points there is nothing to tell.
    if (points && rows && panel.chart.x && panel.chart.y) {
      const pointed = pointNear(panel, points, local);
      return pointed && hoverPoint(panel, pointed, rows);
    }
    const places = placesAt(panel, local);
    return local.x < panel.chart.plot.x - 40 ? undefined : told(panel, places);
  };

  const begin = (event: React.PointerEvent<HTMLElement>) => {
    if (zooming.down(event)) {
      // What the first finger has begun was no brush.
      if (gesture.current?.hasMoved) onSelect(gesture.current.selected);
      gesture.current = undefined;
      setLasso(undefined);
      return;
    }
    if (!canSelect || event.button !== 0) return;
    const at = point(event);
    const handle = (event.target as HTMLElement).dataset['handle'];
    event.currentTarget.setPointerCapture(event.pointerId);
    dragged.current = event.currentTarget.getBoundingClientRect();
    onApproach();
    setTooltip(undefined);
    const spans = brushed?.spans;
    const panel = handle && brushed ? brushed.panel : panelAt(panels, at);
    const start = inPanel(panel, at);
    if (handle === 'move' && spans) gesture.current = { kind: 'move', panel, start, origin: spans, adds: false, before: [], selected: boxes, hasMoved: false };
    else if (handle && spans) {
      const [channel, end] = handle.split('-') as ['x' | 'y', 'from' | 'below'];
      const anchor = { x: spans.x?.[channel === 'x' && end === 'from' ? 1 : 0] ?? 0, y: spans.y?.[channel === 'y' && end === 'from' ? 1 : 0] ?? 0 };
      gesture.current = { kind: 'resize', panel, start, anchor, origin: spans, lock: channel, adds: false, before: [], selected: boxes, hasMoved: false };
    } else gesture.current = { kind: 'new', panel, start, adds: event.shiftKey, before: event.shiftKey ? boxes : [], selected: boxes, hasMoved: false };
  };

  const move = (event: React.PointerEvent<HTMLElement>) => {
    if (zooming.move(event)) return undefined;
    const at = point(event);
    const now = gesture.current;
    if (!now) return setTooltip(contentAt(at));
    const local = inPanel(now.panel, at);
    if (!now.hasMoved && Math.hypot(local.x - now.start.x, local.y - now.start.y) < dragThreshold) return undefined;
    now.hasMoved = true;
    onSelect([...now.before, ...boxesAt(now, local)]);
    return undefined;
  };

  const boxesAt = (now: Gesture, at: Point): readonly Box[] => {
    if (now.panel.chart.targets) {
      setLasso([{ x: now.start.x + now.panel.x, y: now.start.y + now.panel.y }, { x: at.x + now.panel.x, y: at.y + now.panel.y }]);
      return boxesOfTargets(now.panel, targetsOf(now.panel).filter(target => isBetween(target, now.start, at)), axes);
    }
    const own = boxOfPanel(now.panel, axes);
    return own ? [{ ...boxAt(now, at), ...own }] : [];
  };

  const boxAt = (now: Gesture, at: Point): Box => {
    const brushes = brushesOf(now.panel);
    if (now.kind === 'new') return boxBetween(brushes, now.start, at);
    const origin = now.origin!;
    if (now.kind === 'resize') {
      const other = now.lock === 'x' ? 'y' : 'x';
      const [a, b] = [{ ...now.anchor! }, { ...at }];
      const kept = origin[other];
      if (kept) [a[other], b[other]] = kept;
      return boxBetween(brushes, a, b);
    }
    const { plot } = now.panel.chart;
    const moved = (channel: 'x' | 'y') => {
      const span = origin[channel] ?? [0, 0];
      const [low, high] = channel === 'x' ? [plot.x, plot.x + plot.width] : [plot.y, plot.y + plot.height];
      const shift = Math.max(low - span[0], Math.min(high - span[1], at[channel] - now.start[channel]));
      return [span[0] + shift, span[1] + shift] as const;
    };
    const [x, y] = [moved('x'), moved('y')];
    return boxBetween(brushes, { x: x[0], y: y[0] }, { x: x[1], y: y[1] });
  };

  const end = (event: React.PointerEvent<HTMLElement>) => {
    if (zooming.up(event)) return;
    const now = gesture.current;
    gesture.current = undefined;
    const at = point(event);
    dragged.current = undefined;
    setLasso(undefined);
    // A finger does not hover: what it taps is told, until it goes elsewhere.
    if (event.pointerType !== 'mouse' && !now?.hasMoved) setTooltip(contentAt(at));
    if (!now) return;
    if (!now.hasMoved && now.kind === 'new') {
      const clicked = markAt(at);
      // Beside the slices, between the tiles of a map: there is nothing, and that is what is selected then.
      if (!clicked && !now.panel.chart.targets) return;
      const isOnly = clicked && boxes.length === 1 && JSON.stringify(boxes[0]) === JSON.stringify(clicked);
      const isInBrush = brushed?.panel === now.panel && isInside(brushed.spans, now.start);
      if (!clicked) onSelect([]);
      else onSelect(now.adds ? (toggle({ tile: boxes }, 'tile', clicked)['tile'] ?? []) : isOnly || isInBrush ? [] : [clicked]);
    }
    onSelected();
  };

  /** The page was scrolled, or the browser took the finger for something else: nothing was meant for the chart. */
  const cancel = (event: React.PointerEvent<HTMLElement>) => {
    if (zooming.up(event)) return;
    const now = gesture.current;
    gesture.current = undefined;
    dragged.current = undefined;
    setLasso(undefined);
    if (!now?.hasMoved) return;
    onSelect(now.selected);
    onSelected();
  };

  const open = (event: React.MouseEvent<HTMLElement>) => {
    const mark = onOpen && markAt(point(event));
    if (mark) onOpen(mark);
  };

  const keys = (event: React.KeyboardEvent) => {
    if (event.key === 'Escape' && canSelect && boxes.length > 0) {
      event.stopPropagation();
      onSelect([]);
      onSelected();
      setSaid(t.tile.cleared);
      return;
    }
    const step = arrows[event.key];
    if (zoomable && (event.key === '+' || event.key === '-') && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      zooming.by(event.key === '+' ? 0.5 : 2, cursor && panels[cursor.panel]?.chart[zoomable.channel]?.middle(cursor[zoomable.channel]));
    } else if (step) {
      event.preventDefault();
      event.stopPropagation();
      onApproach();
      walkTo(step, event.shiftKey);
    } else if ((event.key === 'PageDown' || event.key === 'PageUp') && panels.length > 1) {
      event.preventDefault();
      const next = ((cursor?.panel ?? -1) + (event.key === 'PageDown' ? 1 : -1) + panels.length) % panels.length;
      show({ panel: next, x: panels[next]!.chart.x ? 0 : -1, y: panels[next]!.chart.y ? 0 : -1, ...(targetsOf(panels[next]!).length > 0 && { target: 0 }) });
    } else if (cursor && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault();
      event.stopPropagation();
      const chosen = markOf(cursor);
      if (!chosen) return;
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && onOpen) return onOpen(chosen);
      if (!canSelect) return;
      const next = toggle({ tile: event.shiftKey ? boxes : boxes.filter(other => JSON.stringify(other) === JSON.stringify(chosen)) }, 'tile', chosen)['tile'] ?? [];
      onSelect(next);
      onSelected();
      setSaid(next.length > 0 ? t.tile.selectedRange(describeBoxes(next)) : t.tile.cleared);
    }
  };

  const markOf = (at: Cursor): Box | undefined => {
    const panel = panels[at.panel]!;
    if (at.target !== undefined) {
      const target = targetsOf(panel)[at.target];
      return target && boxOfTarget(panel, target, axes);
    }
    const own = boxOfPanel(panel, axes);
    const mark = boxOfPlaces(brushesOf(panel), { x: [at.x, at.x + 1], y: [at.y, at.y + 1] });
    return own && mark && { ...mark, ...own };
  };

  const walkTo = (step: readonly [number, number], extends_: boolean) => {
    const panel = panels[cursor?.panel ?? 0]!;
    if (panel.chart.targets) {
      const targets = targetsOf(panel);
      if (targets.length === 0) return;
      const next = neighbour(targets, cursor?.target, step);
      const from = extends_ ? (cursor?.from?.target ?? cursor?.target ?? next) : undefined;
      show({ panel: cursor?.panel ?? 0, x: -1, y: -1, target: next, ...(from !== undefined && { from: { x: -1, y: -1, target: from } }) });
      if (from !== undefined && canSelect) chooseAll(boxesOfTargets(panel, between(targets, from, next), axes));
      return;
    }
    const next = walk(panel.chart, cursor, step);
    const from = extends_ ? (cursor?.from ?? cursor ?? next) : undefined;
    show({ panel: cursor?.panel ?? 0, ...next, ...(from && { from: { x: from.x, y: from.y } }) });
    if (!from || !canSelect) return;
    const range = (channel: 'x' | 'y') => [Math.min(from[channel], next[channel]), Math.max(from[channel], next[channel]) + 1] as const;
    const own = boxOfPanel(panel, axes);
    const mark = boxOfPlaces(brushesOf(panel), { x: range('x'), y: range('y') });
    if (own && mark) chooseAll([{ ...mark, ...own }]);
  };

  const chooseAll = (chosen: readonly Box[]) => {
    if (chosen.length === 0) return;
    onSelect(chosen);
    onSelected();
    setSaid(t.tile.selectedRange(describeBoxes(chosen)));
  };

  /** Moves the keys' place, and says what is there. */
  const show = (at: Cursor) => {
    setCursor(at);
    const panel = panels[at.panel]!;
    const target = at.target === undefined ? undefined : targetsOf(panel)[at.target];
    const content = target ? told(panel, target) : at.target === undefined ? told(panel, at) : undefined;
    setTooltip(content);
    if (content) setSaid(`${content.title}: ${[...content.rows.map(row => `${row.label} ${row.value}`), ...(content.events ?? [])].join(', ')}`);
  };

  return (
    <>
      <div
        ref={surface}
        role="application"
        aria-roledescription="chart"
        aria-label={[`${title}.`, summary, ...written, ...(canSelect ? [t.tile.chartHelp] : [])].join(' ')}
        tabIndex={0}
        className={`absolute inset-0 touch-pan-y rounded select-none ${canSelect ? 'cursor-crosshair' : ''}`}
        onPointerEnter={onApproach}
        onFocus={onApproach}
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={cancel}
        onDoubleClick={open}
        onPointerLeave={event => event.pointerType === 'mouse' && setTooltip(undefined)}
        onBlur={() => {
          setCursor(undefined);
          setTooltip(undefined);
        }}
        onKeyDown={keys}
      >
        {brushed?.spans ? <BrushFrame spans={brushed.spans} panel={brushed.panel} isContinuous={brushesOf(brushed.panel).some(brush => brush.edges !== undefined)} /> : null}
        {lasso ? <div className="pointer-events-none absolute border border-(--brush-edge) bg-(--brush)" style={{ left: Math.min(lasso[0].x, lasso[1].x), top: Math.min(lasso[0].y, lasso[1].y), width: Math.abs(lasso[0].x - lasso[1].x), height: Math.abs(lasso[0].y - lasso[1].y) }} /> : null}
        {zooming.wanted && zoomable ? <WantedFrame wanted={zooming.wanted} channel={zoomable.channel} panel={panels[0]!} /> : null}
        {cursor && panels[cursor.panel] ? <CursorFrame panel={panels[cursor.panel]!} cursor={cursor} target={cursor.target === undefined ? undefined : targetsOf(panels[cursor.panel]!)[cursor.target]} /> : null}
      </div>
      <span className="sr-only" aria-live="polite">{said}</span>
      {tooltip && !zooming.wanted ? <Tooltip {...tooltip} /> : null}
    </>
  );
}

/** The places that a panel stands for. */
function placesOfPanel({ row, column }: Panel): { readonly row?: number; readonly column?: number } {
  return { ...(row !== undefined && { row }), ...(column !== undefined && { column }) };
}

/** Whether a box says of a panel's own fields what the panel stands for. */
function holds(own: Box | undefined, box: Box): boolean {
  return own !== undefined && Object.entries(own).every(([field, condition]) => JSON.stringify(box[field]) === JSON.stringify(condition));
}

function isInside(spans: Partial<Record<'x' | 'y', readonly [number, number]>> | undefined, at: Point): boolean {
  return spans !== undefined && (['x', 'y'] as const).every(channel => !spans[channel] || (at[channel] >= spans[channel][0] && at[channel] <= spans[channel][1]));
}

function isBetween(target: Target, a: Point, b: Point): boolean {
  return target.x >= Math.min(a.x, b.x) && target.x <= Math.max(a.x, b.x) && target.y >= Math.min(a.y, b.y) && target.y <= Math.max(a.y, b.y);
}

/** The targets from one to another as they lie: in the rectangle between the two. */
function between(targets: readonly Target[], from: number, to: number): readonly Target[] {
  const [a, b] = [targets[from]!, targets[to]!];
  return targets.filter(target => target === a || target === b || (target.places.length === a.places.length && isBetween(target, a, b)));
}

/** The next place in a direction; up and down count on an upright axis as it is drawn. */
function walk(chart: Chart, cursor: Point | undefined, [right, up]: readonly [number, number]): Point {
  if (!cursor) return { x: chart.x ? 0 : -1, y: chart.y ? 0 : -1 };
  const clamp = (place: number, places: number) => Math.max(0, Math.min(places - 1, place));
  const isDownward = chart.y !== undefined && chart.y.places > 1 && chart.y.middle(1) > chart.y.middle(0);
  // On a chart with one axis either pair of arrows walks it.
  const alongX = chart.x ? right + (chart.y ? 0 : up) : 0;
  const alongY = chart.y ? (isDownward ? -up : up) + (chart.x ? 0 : right) : 0;
  return { x: chart.x ? clamp(cursor.x + alongX, chart.x.places) : -1, y: chart.y ? clamp(cursor.y + alongY, chart.y.places) : -1 };
}
