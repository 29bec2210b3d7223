import { useCallback, useState, type PointerEvent, type RefObject } from 'react';
import { useEditing } from '../state/editing.ts';
import { rowPitch, type CanvasGrid } from './canvas-grid.ts';
import { boxesIn, type Boxes } from './layout.ts';

/** The rectangle from where the pointer went down to where it is, in pixels of the canvas. */
export interface Band {
  readonly x: number;
  readonly y: number;
  readonly toX: number;
  readonly toY: number;
  /** The tiles that were selected before, and stay selected. */
  readonly with: readonly string[];
}

/** Selects the tiles in a rectangle that is drawn on the canvas; with Shift or Ctrl, in addition. */
export function useRubberBand(
  frame: RefObject<HTMLDivElement | null>,
  saved: Boxes,
  { pitch, isNarrow }: CanvasGrid,
) {
  const { editor } = useEditing();
  const [band, setBand] = useState<Band>();

  const pointIn = (event: PointerEvent<HTMLElement>) => {
    const { left, top } = frame.current!.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top] as const;
  };
  const begin = (event: PointerEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget || event.button !== 0) return;
    const isMore = event.shiftKey || event.ctrlKey || event.metaKey;
    if (!isMore) editor.select();
    // A finger on the background scrolls.
    if (isNarrow || event.pointerType === 'touch') return;
    const [x, y] = pointIn(event);
    setBand({ x, y, toX: x, toY: y, with: isMore ? editor.state.selected : [] });
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const draw = (band: Band, event: PointerEvent<HTMLElement>) => {
    const [toX, toY] = pointIn(event);
    setBand({ ...band, toX, toY });
    const framed = boxesIn(saved, [
      Math.min(band.x, toX) / pitch,
      Math.min(band.y, toY) / rowPitch,
      Math.abs(toX - band.x) / pitch,
      Math.abs(toY - band.y) / rowPitch,
    ]);
    editor.select(...new Set([...band.with, ...framed]));
  };
  const end = useCallback(() => setBand(undefined), []);
  return { band, begin, draw, end };
}
