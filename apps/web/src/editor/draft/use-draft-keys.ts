import { useEffect } from 'react';
import { isTyping } from '../../shell/is-typing.ts';
import type { EditedText } from '../document-editor.ts';

/** The keys every editor has: save, undo, redo. */
export function useDraftKeys(editor: EditedText, onSave: () => void): void {
  useEffect(() => {
    // Before anything else hears it: fields keep their keys to themselves.
    const onSaveKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return;
      event.preventDefault();
      event.stopPropagation();
      onSave();
    };
    const onKey = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      if (!(event.ctrlKey || event.metaKey) || isTyping(event) || (key !== 'z' && key !== 'y')) return;
      event.preventDefault();
      if (key === 'y' || event.shiftKey) editor.redo();
      else editor.undo();
    };
    window.addEventListener('keydown', onSaveKey, true);
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onSaveKey, true);
      window.removeEventListener('keydown', onKey);
    };
  }, [editor, onSave]);
}
