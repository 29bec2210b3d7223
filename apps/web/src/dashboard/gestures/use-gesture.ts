import type { Panel } from '@belvedere/chart';
import { toggle } from '@belvedere/crossfilter';
import type { Box } from '@belvedere/query';
import { useCallback, useRef, useState, type PointerEvent as ReactPointerEvent, type RefObject } from 'react';
import { boxBetween, type Spans } from './brush-gesture.ts';
import { boxesOfTargets, boxInPanel, isBetween, panelAt, type Point } from './pointing.ts';
import { inPanel, type PanelTargets } from './use-panel-targets.ts';
import type { useZoom } from './use-zoom.ts';

interface Gesture {
  readonly kind: 'new' | 'move' | 'resize';
  /** The number of the panel: new data may redraw the chart during a gesture. */
  readonly panel: number;
  readonly start: Point;
  /** The corner that stays while resizing, or the box's corners while moving. */
  readonly anchor?: Point;
  readonly origin?: Spans;
  readonly lock?: 'x' | 'y';
  readonly adds: boolean;
  readonly before: readonly Box[];
  /** The selection before the gesture, to which a cancelled gesture returns. */
  readonly selected: readonly Box[];
  hasMoved: boolean;
}

/** A shorter drag is a click. */
const dragThreshold = 4;

interface Selecting {
  readonly surface: RefObject<HTMLElement | null>;
  readonly touched: PanelTargets;
  readonly zooming: ReturnType<typeof useZoom>;
  readonly canSelect: boolean;
  /** Returns the selection on this tile. A function, because it changes with every step of a brush. */
  readonly selected: () => readonly Box[];
  readonly onApproach: () => void;
  readonly onSelect: (boxes: readonly Box[]) => void;
  readonly onSelected: () => void;
  /** The target under the pointer; undefined during a drag. */
  readonly onPoint: (at: Point | undefined) => void;
  /** Called when a single mark is clicked. */
  readonly onClicked: (mark: Box, at: Point) => void;
}

/** Brush, move and resize by dragging, select by a click or a tap. */
export function useGesture({
  surface,
  touched,
  zooming,
  canSelect,
  selected,
  onApproach,
  onSelect,
  onSelected,
  onPoint,
  onClicked,
}: Selecting) {
  const { panels, axes, brushesOf, targetsOf, markAt, brushedBy } = touched;
  const gesture = useRef<Gesture | undefined>(undefined);
  const [lasso, setLasso] = useState<readonly [Point, Point]>();

  // Measured once: a tile does not move during a drag, and measuring forces a layout.
  const dragged = useRef<DOMRect | undefined>(undefined);
  const pointOf = (event: Pick<MouseEvent, 'clientX' | 'clientY'>): Point => {
    const bounds = dragged.current ?? surface.current!.getBoundingClientRect();
    return { x: event.clientX - bounds.left, y: event.clientY - bounds.top };
  };

  const begin = (event: ReactPointerEvent<HTMLElement>) => {
    if (zooming.down(event)) {
      // A second finger means a zoom, so the brush of the first is undone.
      if (gesture.current?.hasMoved) onSelect(gesture.current.selected);
      gesture.current = undefined;
      setLasso(undefined);
      return;
    }
    if (!canSelect || event.button !== 0) return;
    const at = pointOf(event);
    const handle = (event.target as HTMLElement).dataset['handle'];
    event.currentTarget.setPointerCapture(event.pointerId);
    if (event.pointerType === 'mouse') {
      // Ignores the mouse events that browsers send after pointer events.
      event.preventDefault();
      event.currentTarget.focus({ preventScroll: true, focusVisible: false });
    }
    // The pointer's shape stays the same during a drag, wherever it is.
    event.currentTarget.style.cursor = getComputedStyle(event.target as HTMLElement).cursor;
    event.currentTarget.dataset['held'] = '';
    dragged.current = event.currentTarget.getBoundingClientRect();
    onApproach();
    onPoint(undefined);
    const boxes = selected();
    const brushed = brushedBy(boxes);
    const spans = brushed?.spans;
    const startPanel = handle && brushed ? brushed.panel : panelAt(panels, at);
    const panel = panels.indexOf(startPanel);
    const start = inPanel(startPanel, at);
    if (handle === 'move' && spans)
      gesture.current = {
        kind: 'move',
        panel,
        start,
        origin: spans,
        adds: false,
        before: [],
        selected: boxes,
        hasMoved: false,
      };
    else if (handle && spans) {
      const [channel, end] = handle.split('-') as ['x' | 'y', 'from' | 'below'];
      const anchor = {
        x: spans.x?.[channel === 'x' && end === 'from' ? 1 : 0] ?? 0,
        y: spans.y?.[channel === 'y' && end === 'from' ? 1 : 0] ?? 0,
      };
      gesture.current = {
        kind: 'resize',
        panel,
        start,
        anchor,
        origin: spans,
        lock: channel,
        adds: false,
        before: [],
        selected: boxes,
        hasMoved: false,
      };
    } else
      gesture.current = {
        kind: 'new',
        panel,
        start,
        adds: event.shiftKey,
        before: event.shiftKey ? boxes : [],
        selected: boxes,
        hasMoved: false,
      };
  };

  const move = (event: PointerEvent) => {
    if (zooming.move(event)) return undefined;
    const at = pointOf(event);
    const now = gesture.current;
    if (!now) return onPoint(at);
    const panel = panels[now.panel];
    if (!panel) return undefined;
    const local = inPanel(panel, at);
    if (!now.hasMoved && Math.hypot(local.x - now.start.x, local.y - now.start.y) < dragThreshold)
      return undefined;
    now.hasMoved = true;
    onSelect([...now.before, ...boxesAt(now, panel, local)]);
    return undefined;
  };

  const boxesAt = (now: Gesture, panel: Panel, at: Point): readonly Box[] => {
    if (panel.chart.targets) {
      setLasso([
        { x: now.start.x + panel.x, y: now.start.y + panel.y },
        { x: at.x + panel.x, y: at.y + panel.y },
      ]);
      return boxesOfTargets(
        panel,
        targetsOf(panel).filter(target => isBetween(target, now.start, at)),
        axes,
      );
    }
    const box = boxInPanel(panel, axes, boxAt(now, panel, at));
    return box ? [box] : [];
  };

  const boxAt = (now: Gesture, panel: Panel, at: Point): Box | undefined => {
    const brushes = brushesOf(panel);
    if (now.kind === 'new') return boxBetween(brushes, now.start, at);
    const origin = now.origin!;
    if (now.kind === 'resize') {
      const other = now.lock === 'x' ? 'y' : 'x';
      const [a, b] = [{ ...now.anchor! }, { ...at }];
      const kept = origin[other];
      if (kept) [a[other], b[other]] = kept;
      return boxBetween(brushes, a, b, 'nearest');
    }
    const { plot } = panel.chart;
    const moved = (channel: 'x' | 'y') => {
      const span = origin[channel] ?? [0, 0];
      const [low, high] = channel === 'x' ? [plot.x, plot.x + plot.width] : [plot.y, plot.y + plot.height];
      const shift = Math.max(low - span[0], Math.min(high - span[1], at[channel] - now.start[channel]));
      return [span[0] + shift, span[1] + shift] as const;
    };
    const [x, y] = [moved('x'), moved('y')];
    return boxBetween(brushes, { x: x[0], y: y[0] }, { x: x[1], y: y[1] }, 'nearest');
  };

  const end = (event: ReactPointerEvent<HTMLElement>) => {
    if (zooming.up(event)) return;
    const now = gesture.current;
    gesture.current = undefined;
    const at = pointOf(event);
    dragged.current = undefined;
    setLasso(undefined);
    // A finger does not hover, so the tooltip of a tapped mark stays until the next tap.
    if (event.pointerType !== 'mouse' && !now?.hasMoved) onPoint(at);
    if (!now) return;
    // An edge can be grabbed from beside it, where a click is for the mark there.
    if (!now.hasMoved && !(now.origin && isInside(now.origin, now.start))) {
      const clicked = markAt(at);
      // A click between marks selects nothing.
      if (!clicked && !panels[now.panel]?.chart.targets) return;
      const boxes = selected();
      const brushed = brushedBy(boxes);
      const isOnly = clicked && boxes.length === 1 && JSON.stringify(boxes[0]) === JSON.stringify(clicked);
      const isInBrush =
        brushed !== undefined && brushed.panel === panels[now.panel] && isInside(brushed.spans, now.start);
      if (!clicked) onSelect([]);
      else {
        onSelect(
          now.adds
            ? (toggle({ tile: boxes }, 'tile', clicked)['tile'] ?? [])
            : isOnly || isInBrush
              ? []
              : [clicked],
        );
        if (!now.adds && !isOnly && !isInBrush) onClicked(clicked, at);
      }
    }
    onSelected();
  };

  /** The page was scrolled, or the browser took over the gesture. */
  const cancel = (event: ReactPointerEvent<HTMLElement>) => {
    if (zooming.up(event)) return;
    const now = gesture.current;
    gesture.current = undefined;
    dragged.current = undefined;
    setLasso(undefined);
    if (!now?.hasMoved) return;
    onSelect(now.selected);
    onSelected();
  };

  const isUnderWay = useCallback(() => gesture.current !== undefined, []);
  return { begin, move, end, cancel, pointOf, isUnderWay, lasso };
}

function isInside(spans: Spans, at: Point): boolean {
  return (['x', 'y'] as const).every(
    channel => !spans[channel] || (at[channel] >= spans[channel][0] && at[channel] <= spans[channel][1]),
  );
}
