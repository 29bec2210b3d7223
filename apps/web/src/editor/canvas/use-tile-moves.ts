import type { TileFile } from '@belvedere/document';
import { useCallback, useMemo, useState } from 'react';
import { positionEdits, tilesOf } from '../state/commands.ts';
import { run, useEditing } from '../state/editing.ts';
import { boxesOf, position, type Boxes } from './layout.ts';

export type TileMoves = ReturnType<typeof useTileMoves>;

/** The boxes of a page's tiles, saved and while some of them are moved by pointer or keyboard. */
export function useTileMoves(tiles: Readonly<Record<string, TileFile>>) {
  const { editor } = useEditing();
  const saved = useMemo(() => boxesOf(tiles), [tiles]);
  const [preview, setPreview] = useState<Boxes>();
  const putBack = useCallback(() => setPreview(undefined), []);

  /** Saves moved tiles. Another window may have added, moved or removed tiles meanwhile. */
  const commit = useCallback(
    (name: string, ids: readonly string[], moved: Boxes) => {
      const now = boxesOf(tilesOf(editor.state.document, editor.state.page));
      const wanted = Object.fromEntries(ids.flatMap(id => (now[id] && moved[id] ? [[id, moved[id]]] : [])));
      run(editor, name, { edits: positionEdits(editor.state.page, now, position(now, wanted)) });
    },
    [editor],
  );
  const movedWith = (id: string) => (editor.state.selected.includes(id) ? editor.state.selected : [id]);
  return { saved, preview, boxes: preview ?? saved, setPreview, putBack, commit, movedWith };
}
