import { useCallback, useEffect, useRef, type PointerEvent } from 'react';
import { words } from '../messages/words.ts';
import { tilesOf } from '../state/commands.ts';
import { useEditing } from '../state/editing.ts';
import { rowPitch, type CanvasGrid } from './canvas-grid.ts';
import { boxesOf, moveBoxes, position, resizeBox, type Boxes, type Edge } from './layout.ts';
import type { TileMoves } from './use-tile-moves.ts';

const startsDraggingAt = 4;

interface Grab {
  readonly id: string;
  readonly edge: Edge | undefined;
  readonly x: number;
  readonly y: number;
  readonly scrollY: number;
  readonly boxes: Boxes;
}

/** Drags and resizes tiles by pointer. @param onEscape is called when Escape ends a drag */
export function useTileDrag(moves: TileMoves, { pitch, isNarrow }: CanvasGrid, onEscape: () => void) {
  const { editor } = useEditing();
  const grab = useRef<Grab | undefined>(undefined);

  const onGrab = useCallback(
    (event: PointerEvent<HTMLElement>, id: string, edge?: Edge) => {
      if (event.button !== 0) return;
      const before = editor.state.selected;
      if (event.shiftKey || event.ctrlKey || event.metaKey)
        editor.select(...(before.includes(id) ? before.filter(other => other !== id) : [...before, id]));
      else if (!before.includes(id)) editor.select(id);
      if (edge) event.preventDefault();
      grab.current = {
        id,
        edge,
        x: event.clientX,
        y: event.clientY,
        scrollY: window.scrollY,
        boxes: boxesOf(tilesOf(editor.state.document, editor.state.page)),
      };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    [editor],
  );

  const dragTo = (event: PointerEvent<HTMLElement>): Boxes | undefined => {
    const from = grab.current;
    if (!from || isNarrow) return undefined;
    const [px, py] = [event.clientX - from.x, event.clientY - from.y + window.scrollY - from.scrollY];
    if (!moves.preview && Math.hypot(px, py) < startsDraggingAt) return undefined;
    const [dx, dy] = [Math.round(px / pitch), Math.round(py / rowPitch)];
    return position(
      from.boxes,
      from.edge
        ? { [from.id]: resizeBox(from.boxes[from.id]!, from.edge, dx, dy) }
        : moveBoxes(from.boxes, moves.movedWith(from.id), dx, dy),
    );
  };
  const drag = (event: PointerEvent<HTMLElement>) => {
    const after = dragTo(event);
    if (!after) return;
    moves.setPreview(after);
    if (event.clientY > window.innerHeight - 48) window.scrollBy(0, 12);
    else if (event.clientY < 96) window.scrollBy(0, -12);
  };
  const release = (event: PointerEvent<HTMLElement>) => {
    const from = grab.current;
    grab.current = undefined;
    if (!from || !moves.preview) {
      // A click on one of several selected tiles selects only that one.
      if (
        from &&
        !from.edge &&
        !event.shiftKey &&
        !event.ctrlKey &&
        !event.metaKey &&
        editor.state.selected.length > 1
      )
        editor.select(from.id);
      return;
    }
    moves.commit(
      from.edge ? words.steps.resize : words.steps.move,
      from.edge ? [from.id] : moves.movedWith(from.id),
      moves.preview,
    );
    moves.setPreview(undefined);
  };
  const cancel = useCallback(() => {
    grab.current = undefined;
  }, []);
  const isDragging = useCallback(() => grab.current !== undefined, []);
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape' || !grab.current) return;
      grab.current = undefined;
      onEscape();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [onEscape]);
  return { onGrab, drag, release, cancel, isDragging };
}
