import type { NamedAxis } from '@belvedere/api';
import type { Panel } from '@belvedere/chart';
import type { Calendar, TimeUnit } from '@belvedere/document';
import type { DataType } from '@belvedere/model';
import { edgeOf, type Adjustment } from '@belvedere/query';
import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { pinched, settledStretch, stretchOf, zoomedAround, type Stretch } from './zoom.ts';

/** How a chart zooms. */
export interface Zoomable {
  readonly channel: 'x' | 'y';
  readonly type: DataType;
  /** The grain of time that the viewer has chosen. */
  readonly unit: TimeUnit | undefined;
  readonly calendar: Calendar;
  readonly zoom: Adjustment['zoom'];
  readonly onZoom: (zoom: Adjustment['zoom']) => void;
}

/** The range to which the chart is about to zoom, its position in pixels of the channel, and its label. */
export interface Wanted {
  readonly zoom: Adjustment['zoom'];
  readonly span: readonly [number, number];
}

interface Zooming {
  readonly wanted: Wanted | undefined;
  /** Whether fingers are zooming the chart, so that the pointer does nothing else. */
  readonly down: (event: Touching) => boolean;
  readonly move: (event: Touching) => boolean;
  readonly up: (event: Touching) => boolean;
  /**
   * Makes the range `factor` times as long, by keyboard.
   * @param pixel the fixed position; the middle by default
   */
  readonly by: (factor: number, pixel?: number) => void;
}

/** A pointer's event, as React gives it or the browser. */
type Touching = Pick<PointerEvent, 'pointerType' | 'pointerId' | 'clientX' | 'clientY'>;

/** Wheels send many small steps, which are applied together after a pause. */
const restMs = 180;

/**
 * Zooms a chart of times or numbers: with Ctrl and the wheel (also a trackpad's pinch), two fingers, or keys.
 * Shift and the wheel, or a horizontal wheel, move along. The wheel alone scrolls the page.
 */
export function useZoom(
  element: RefObject<HTMLElement | null>,
  panel: Panel | undefined,
  axes: readonly NamedAxis[],
  zoomable: Zoomable | undefined,
): Zooming {
  const axis = zoomable && axes.find(candidate => candidate.channel === zoomable.channel);
  const position = zoomable && panel?.chart[zoomable.channel];
  const shown = useMemo(
    (): Stretch | undefined =>
      axis && axis.kind !== 'categories' && position
        ? [edgeOf(axis, 0), edgeOf(axis, axis.count)]
        : undefined,
    [axis, position],
  );
  const whole = useRef<{ readonly field: string; readonly stretch: Stretch } | undefined>(undefined);
  const now = useRef<Stretch | undefined>(undefined);
  const resting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const fingers = useRef(new Map<number, number>());
  const pinch = useRef<
    { readonly ids: readonly [number, number]; readonly shares: readonly [number, number] } | undefined
  >(undefined);
  const [wanted, setWanted] = useState<Wanted>();

  const settle = useCallback(
    (stretch: Stretch) =>
      axis && zoomable
        ? settledStretch(stretch, {
            ...zoomable,
            whole: whole.current?.field === axis.field ? whole.current.stretch : undefined,
          })
        : undefined,
    [axis, zoomable],
  );
  const commit = useCallback(() => {
    clearTimeout(resting.current);
    const stretch = now.current;
    now.current = undefined;
    setWanted(undefined);
    if (!stretch || !zoomable) return;
    const zoom = settle(stretch);
    if (JSON.stringify(zoom) !== JSON.stringify(zoomable.zoom)) zoomable.onZoom(zoom);
  }, [zoomable, settle]);
  const want = useCallback(
    (stretch: Stretch) => {
      if (!axis || !shown || !position) return;
      // Captured when a gesture begins, because a new result may show a range that this component has not
      // rendered yet.
      if (!now.current && !zoomable.zoom) whole.current = { field: axis.field, stretch: shown };
      now.current = stretch;
      const within = (value: number) => position.toPixel(Math.max(shown[0], Math.min(shown[1], value)));
      const [a, b] = [within(stretch[0]), within(stretch[1])];
      setWanted({ zoom: settle(stretch), span: [Math.min(a, b), Math.max(a, b)] });
    },
    [axis, shown, position, settle, zoomable],
  );
  useEffect(() => () => clearTimeout(resting.current), []);

  useEffect(() => {
    const node = element.current;
    if (!node || !zoomable || !position || !shown || !panel) return undefined;
    const wheel = (event: WheelEvent) => {
      const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      const isZoom = event.ctrlKey || event.metaKey;
      if (!isZoom && !(zoomable.zoom && isSideways)) return;
      // The browser would make the whole page larger, or go back to the one before.
      event.preventDefault();
      const before = now.current ?? stretchOf(zoomable.zoom) ?? shown;
      const bounds = node.getBoundingClientRect();
      const pixel =
        zoomable.channel === 'x'
          ? event.clientX - bounds.left - panel.x
          : event.clientY - bounds.top - panel.y;
      const step = (event.deltaX || event.deltaY) * (event.deltaMode === 1 ? 16 : 1);
      if (isZoom)
        want(
          zoomedAround(
            before,
            Math.max(shown[0], Math.min(shown[1], position.fromPixel(pixel))),
            Math.exp(Math.max(-80, Math.min(80, event.deltaY * (event.deltaMode === 1 ? 16 : 1))) / 160),
          ),
        );
      else {
        const shift = (step / lengthOf(panel, zoomable.channel)) * (before[1] - before[0]);
        want([before[0] + shift, before[1] + shift]);
      }
      clearTimeout(resting.current);
      resting.current = setTimeout(commit, restMs);
    };
    // React adds wheel listeners as passive ones, which cannot keep the page from scrolling.
    node.addEventListener('wheel', wheel, { passive: false });
    return () => node.removeEventListener('wheel', wheel);
  }, [element, zoomable, position, shown, panel, want, commit]);

  const shareAt = (event: Touching): number => {
    const bounds = element.current!.getBoundingClientRect();
    const { plot } = panel!.chart;
    // Along y the lower end of the axis is where its pixels say, not where the screen begins.
    const along =
      zoomable!.channel === 'x'
        ? (event.clientX - bounds.left - panel!.x - plot.x) / plot.width
        : (event.clientY - bounds.top - panel!.y - plot.y) / plot.height;
    return position!.toPixel(shown![1]) > position!.toPixel(shown![0]) ? along : 1 - along;
  };
  const canPinch = zoomable !== undefined && shown !== undefined && panel !== undefined;
  return {
    wanted,
    down: event => {
      if (event.pointerType !== 'touch' || !canPinch) return false;
      fingers.current.set(event.pointerId, shareAt(event));
      if (fingers.current.size !== 2) return pinch.current !== undefined;
      const [[first, a], [second, b]] = [...fingers.current] as [[number, number], [number, number]];
      pinch.current = { ids: [first, second], shares: [a, b] };
      return true;
    },
    move: event => {
      if (event.pointerType !== 'touch' || !fingers.current.has(event.pointerId)) return false;
      fingers.current.set(event.pointerId, shareAt(event));
      if (!pinch.current) return false;
      const { ids, shares } = pinch.current;
      want(
        pinched(shown!, shares, [
          fingers.current.get(ids[0]) ?? shares[0],
          fingers.current.get(ids[1]) ?? shares[1],
        ]),
      );
      return true;
    },
    up: event => {
      fingers.current.delete(event.pointerId);
      if (!pinch.current) return false;
      if (fingers.current.size === 0) {
        pinch.current = undefined;
        commit();
      }
      return true;
    },
    by: (factor, pixel) => {
      if (!shown || !position) return;
      want(
        zoomedAround(
          now.current ?? stretchOf(zoomable?.zoom) ?? shown,
          pixel === undefined ? (shown[0] + shown[1]) / 2 : position.fromPixel(pixel),
          factor,
        ),
      );
      clearTimeout(resting.current);
      resting.current = setTimeout(commit, restMs);
    },
  };
}

function lengthOf({ chart }: Panel, channel: 'x' | 'y'): number {
  return Math.max(1, channel === 'x' ? chart.plot.width : chart.plot.height);
}
