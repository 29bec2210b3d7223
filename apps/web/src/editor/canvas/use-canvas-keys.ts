import type { GridBox, TileFile } from '@belvedere/document';
import { useCallback, useState, type KeyboardEvent, type RefObject } from 'react';
import { words } from '../messages/words.ts';
import { useEditing } from '../state/editing.ts';
import { moveBoxes, nearestBox, position, resizeBox, type Boxes } from './layout.ts';
import type { TileMoves } from './use-tile-moves.ts';

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * Moves tiles by keyboard: Enter lifts a tile, arrows move it, or resize it with Shift, Enter puts it down and
 * Escape puts it back. Without a lifted tile, arrows move the focus.
 * @param label names a tile and its box
 * @returns `said` is what a screen reader announces
 */
export function useCanvasKeys(
  moves: TileMoves,
  frame: RefObject<HTMLDivElement | null>,
  tiles: Readonly<Record<string, TileFile>>,
  label: (id: string, box: GridBox) => string,
) {
  const { editor } = useEditing();
  const { saved, boxes, putBack } = moves;
  const [lifting, setLifted] = useState<{ readonly id: string; readonly from: Boxes }>();
  const [said, setSaid] = useState('');
  // Another window may have removed it.
  const lifted = lifting && tiles[lifting.id] ? lifting : undefined;
  const putDown = useCallback(() => {
    setLifted(undefined);
    putBack();
  }, [putBack]);

  const onKey = (event: KeyboardEvent<HTMLElement>, id: string) => {
    const arrow = arrows[event.key];
    if (event.key === 'Enter' || (event.key === ' ' && !lifted)) {
      event.preventDefault();
      if (lifted) {
        moves.commit(words.steps.move, moves.movedWith(id), boxes);
        setSaid(`${words.canvas.positioned} ${label(id, boxes[id]!)}`);
        putDown();
      } else {
        editor.select(...(editor.state.selected.includes(id) ? editor.state.selected : [id]));
        setLifted({ id, from: saved });
        setSaid(words.canvas.lifted);
      }
    } else if (event.key === 'Escape' && lifted) {
      event.stopPropagation();
      putDown();
      setSaid(label(id, saved[id]!));
    } else if (arrow && lifted) {
      event.preventDefault();
      event.stopPropagation();
      const [dx, dy] = arrow;
      const wanted = event.shiftKey
        ? { [id]: resizeBox(boxes[id]!, 'se', dx, dy) }
        : moveBoxes(boxes, moves.movedWith(id), dx, dy);
      // Starts from the saved layout, so that tiles that made room return when there is room again.
      const after = position(lifted.from, {
        ...Object.fromEntries(moves.movedWith(id).map(one => [one, boxes[one]!])),
        ...wanted,
      });
      moves.setPreview(after);
      setSaid(label(id, after[id]!));
    } else if (arrow) {
      const next = nearestBox(boxes, id, arrow);
      if (next === undefined) return;
      event.preventDefault();
      frame.current?.querySelector<HTMLElement>(`[data-edit="${CSS.escape(next)}"]`)?.focus();
    }
  };
  return { lifted, said, onKey, putDown };
}
