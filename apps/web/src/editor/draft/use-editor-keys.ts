import { useMemo } from 'react';
import { useKeys, type Key } from '../../keys/keys.ts';
import type { EditedText } from '../state/document-editor.ts';
import { words } from '../messages/words.ts';

/** The shortcuts of every editor (save, undo, redo), and its own. @param own a stable array */
export function useEditorKeys(editor: EditedText, onSave: () => void, own: readonly Key[]): void {
  useKeys(
    words.keys.title,
    useMemo(
      () => [
        { press: '$mod+s', label: words.save, worksInFields: true, does: onSave },
        // Text fields have their own undo history.
        { press: '$mod+z', label: words.keys.undo, does: () => void editor.undo() },
        { press: '$mod+Shift+z', label: words.keys.redo, does: () => void editor.redo() },
        { press: '$mod+y', does: () => void editor.redo() },
        ...own,
      ],
      [editor, onSave, own],
    ),
  );
}
