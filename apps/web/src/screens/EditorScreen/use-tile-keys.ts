import { useMemo } from 'react';
import { useEditorKeys } from '../../editor/draft/use-editor-keys.ts';
import { words } from '../../editor/messages/words.ts';
import { duplicateTiles, removeTiles, tilesOf } from '../../editor/state/commands.ts';
import type { DashboardEditor } from '../../editor/state/dashboard-editor.ts';
import { run } from '../../editor/state/editing.ts';

interface TileKeysProps {
  readonly editor: DashboardEditor;
  readonly onSave: () => void;
  /** Shows the list of things to add. */
  readonly onAdd: () => void;
}

/** The shortcuts of the dashboard editor, for its tiles beside those of every editor. All props are stable. */
export function useTileKeys({ editor, onSave, onAdd }: TileKeysProps): void {
  useEditorKeys(
    editor,
    onSave,
    useMemo(() => {
      const remove = () => {
        const { page, selected } = editor.state;
        if (selected.length > 0) run(editor, words.steps.remove, removeTiles(page, selected));
      };
      const duplicate = () => {
        const { document, page, selected } = editor.state;
        if (selected.length > 0) run(editor, words.steps.duplicate, duplicateTiles(document, page, selected));
      };
      const selectAll = () =>
        editor.select(...Object.keys(tilesOf(editor.state.document, editor.state.page)));
      return [
        { press: 'a', label: words.panels.add, does: onAdd },
        { press: '$mod+a', label: words.keys.all, does: selectAll },
        { press: 'Escape', label: words.keys.none, does: () => editor.select() },
        { press: '$mod+d', label: words.steps.duplicate, does: duplicate },
        { press: 'Delete', label: words.steps.remove, does: remove },
        { press: 'Backspace', does: remove },
        // The canvas and the clipboard handle these themselves.
        { press: '$mod+c', label: words.keys.copy },
        { press: '$mod+v', label: words.keys.paste },
        { press: 'Arrows', label: words.keys.walk },
        { press: 'Enter', label: words.keys.lift },
        { press: 'Arrows', label: words.keys.move },
        { press: 'Shift+Arrows', label: words.keys.resize },
      ];
    }, [editor, onAdd]),
  );
}
