import type { GridBox } from '@belvedere/document';
import { suggestTile } from '@belvedere/query';
import { useState, type RefObject } from 'react';
import { starterTile } from '../encoding/field-profiles.ts';
import { words } from '../messages/words.ts';
import { addTile } from '../state/commands.ts';
import { run, useEditing } from '../state/editing.ts';
import { rowPitch, type CanvasGrid } from './canvas-grid.ts';
import { useDropTarget } from './drag-and-drop.ts';
import { dropPosition, gridColumns, type Boxes } from './layout.ts';

/** Adds a tile where a field or a kind of tile is dropped. @returns `dropAt` is the box that it would get */
export function useCanvasDrop(frame: RefObject<HTMLDivElement | null>, saved: Boxes, { pitch }: CanvasGrid) {
  const { editor, dragged, profiles } = useEditing();
  const [dropAt, setDropAt] = useState<GridBox>();

  const cellAt = (event: globalThis.PointerEvent): { column: number; row: number } => {
    const { left, top } = frame.current!.getBoundingClientRect();
    return {
      column: Math.max(0, Math.min(gridColumns - 1, Math.floor((event.clientX - left) / pitch))),
      row: Math.max(0, Math.floor((event.clientY - top) / rowPitch)),
    };
  };
  const draggedTile = () =>
    !dragged
      ? undefined
      : 'kind' in dragged
        ? starterTile(dragged.kind, profiles)
        : profiles?.of(dragged.field) && suggestTile([profiles.of(dragged.field)!]);
  const onOver = (event: globalThis.PointerEvent) => {
    const tile = draggedTile();
    if (!tile) return;
    const box = dropPosition(saved, tile.kind, cellAt(event));
    setDropAt(before => (before?.join() === box.join() ? before : box));
  };
  const onDrop = (event: globalThis.PointerEvent) => {
    const tile = draggedTile();
    if (tile)
      run(editor, words.steps.add, addTile(editor.state.document, editor.state.page, tile, cellAt(event)));
  };
  const drop = useDropTarget({
    takes: dragged !== undefined,
    onOver,
    onLeave: () => setDropAt(undefined),
    onDrop,
  });
  return { dropAt, drop };
}
