import { useCallback, useEffect, useRef, useState, type PointerEvent } from 'react';

export interface PanZoom {
  /** Of the drawing's origin, in pixels of the screen. */
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Where pointers took hold of a drawing, and its view then. */
export interface Grip {
  readonly from: PanZoom;
  readonly held: readonly Place[];
}

const [minScale, maxScale] = [0.05, 2];
const margin = 24;

/**
 * Panning and zooming of a drawing: drag or turn the wheel to pan, hold Ctrl or ⌘ or pinch to zoom.
 * @param size of the drawing, which fits at first
 */
export function usePanZoom(size: { readonly width: number; readonly height: number }) {
  const element = useRef<SVGSVGElement>(null);
  const [view, setView] = useState<PanZoom>({ x: margin, y: margin, scale: 1 });
  const grip = useRef<Grip>(undefined);
  /** Where the mouse, or each finger, holds the drawing. */
  const pointers = useRef(new Map<number, Place>());
  const { width, height } = size;

  const fit = useCallback(() => {
    const box = element.current?.getBoundingClientRect();
    if (!box || box.width === 0 || width === 0) return;
    const wanted = Math.min((box.width - 2 * margin) / width, (box.height - 2 * margin) / height, 1);
    const scale = Math.max(minScale, wanted);
    setView({
      scale,
      x: Math.max(margin, (box.width - width * scale) / 2),
      y: Math.max(margin, (box.height - height * scale) / 2),
    });
  }, [width, height]);
  useEffect(fit, [fit]);

  /** @param at a place of the screen that stays where it is; the middle by default */
  const zoom = useCallback((factor: number, at?: { readonly x: number; readonly y: number }) => {
    const box = element.current?.getBoundingClientRect();
    if (!box) return;
    const [px, py] = at ? [at.x - box.left, at.y - box.top] : [box.width / 2, box.height / 2];
    setView(({ x, y, scale }) => {
      const next = Math.min(maxScale, Math.max(minScale, scale * factor));
      const by = next / scale;
      return { scale: next, x: px - (px - x) * by, y: py - (py - y) * by };
    });
  }, []);

  // React listens to wheels passively, so it could not keep the page from scrolling.
  useEffect(() => {
    const svg = element.current;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      if (event.ctrlKey || event.metaKey)
        zoom(Math.exp(-event.deltaY / 200), { x: event.clientX, y: event.clientY });
      else setView(view => ({ ...view, x: view.x - event.deltaX, y: view.y - event.deltaY }));
    };
    svg?.addEventListener('wheel', onWheel, { passive: false });
    return () => svg?.removeEventListener('wheel', onWheel);
  }, [zoom]);

  /**
   * Pans as far as needed to see a part of the drawing.
   * @param readable zooms in to this scale, with the part in the middle, if it is smaller
   */
  const reveal = useCallback((part: Rectangle, readable = minScale) => {
    const box = element.current?.getBoundingClientRect();
    if (!box) return;
    setView(view => {
      if (view.scale < readable)
        return {
          scale: readable,
          x: box.width / 2 - (part.x + part.width / 2) * readable,
          y: box.height / 2 - (part.y + part.height / 2) * readable,
        };
      const shift = (low: number, high: number, room: number) =>
        low < margin ? margin - low : high > room - margin ? Math.max(margin - low, room - margin - high) : 0;
      const [left, top] = [view.x + part.x * view.scale, view.y + part.y * view.scale];
      const dx = shift(left, left + part.width * view.scale, box.width);
      const dy = shift(top, top + part.height * view.scale, box.height);
      return dx === 0 && dy === 0 ? view : { ...view, x: view.x + dx, y: view.y + dy };
    });
  }, []);

  /** A place of the screen in the drawing's coordinates. */
  const placeOf = ({ clientX, clientY }: Pick<PointerEvent, 'clientX' | 'clientY'>) => {
    const box = element.current!.getBoundingClientRect();
    return { x: (clientX - box.left - view.x) / view.scale, y: (clientY - box.top - view.y) / view.scale };
  };

  /** From now on the drawing follows the pointers that hold it, from where they are. */
  const hold = () => {
    const held = [...pointers.current.values()];
    grip.current = held.length > 0 ? { from: view, held } : undefined;
  };
  const release = (event: PointerEvent<SVGSVGElement>) => {
    if (pointers.current.delete(event.pointerId)) hold();
  };
  const panning = {
    onPointerDown: (event: PointerEvent<SVGSVGElement>) => {
      const isOnTable = event.target !== event.currentTarget;
      // Fingers are larger than what is between the tables; a tap on one still selects it.
      if (event.button !== 0 || (isOnTable && event.pointerType !== 'touch') || pointers.current.size === 2)
        return;
      if (!isOnTable) event.currentTarget.setPointerCapture(event.pointerId);
      pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
      hold();
    },
    onPointerMove: (event: PointerEvent<SVGSVGElement>) => {
      if (!grip.current || !pointers.current.has(event.pointerId)) return;
      pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
      const box = event.currentTarget.getBoundingClientRect();
      setView(followed(grip.current, [...pointers.current.values()], box));
    },
    onPointerUp: release,
    onPointerCancel: release,
  };
  return { element, view, fit, zoom, reveal, placeOf, panning };
}

/**
 * The view after the pointers of a grip have moved: one pans, two zoom as well, and what is between them stays
 * there.
 * @param box where the drawing begins on the screen
 */
export function followed(
  { from, held }: Grip,
  now: readonly Place[],
  box: { readonly left: number; readonly top: number },
): PanZoom {
  const [before, after] = [middleOf(held), middleOf(now)];
  const [apart, wide] = [distanceOf(held), distanceOf(now)];
  const scale = Math.min(maxScale, Math.max(minScale, apart > 0 ? (from.scale * wide) / apart : from.scale));
  const by = scale / from.scale;
  return {
    scale,
    x: after.x - box.left - (before.x - box.left - from.x) * by,
    y: after.y - box.top - (before.y - box.top - from.y) * by,
  };
}

const middleOf = (places: readonly Place[]): Place => ({
  x: places.reduce((sum, { x }) => sum + x, 0) / places.length,
  y: places.reduce((sum, { y }) => sum + y, 0) / places.length,
});

const distanceOf = ([one, other]: readonly Place[]): number =>
  one && other ? Math.hypot(one.x - other.x, one.y - other.y) : 0;
