import { readTiles } from '@belvedere/document';
import { useEffect } from 'react';
import { words } from '../../editor/messages/words.ts';
import { putTiles, removeTiles, tilesAsText } from '../../editor/state/commands.ts';
import type { DashboardEditor } from '../../editor/state/dashboard-editor.ts';
import { run } from '../../editor/state/editing.ts';
import { isTyping } from '../../keys/is-typing.ts';

/**
 * Copies, cuts and pastes selected tiles as YAML, so that they can be pasted into other dashboards and text
 * editors. Text fields and selected text keep the clipboard to themselves.
 */
export function useTileClipboard(editor: DashboardEditor): void {
  useEffect(() => {
    const onCopyOrCut = (event: ClipboardEvent) => {
      const { document, page, selected } = editor.state;
      if (isTyping(event) || isTextSelected() || selected.length === 0 || !event.clipboardData) return;
      event.preventDefault();
      event.clipboardData.setData('text/plain', tilesAsText(document, page, selected));
      if (event.type === 'cut') run(editor, words.steps.cut, removeTiles(page, selected));
    };
    const onPaste = (event: ClipboardEvent) => {
      const tiles = isTyping(event) ? undefined : readTiles(event.clipboardData?.getData('text/plain') ?? '');
      if (!tiles) return;
      event.preventDefault();
      run(editor, words.steps.paste, putTiles(editor.state.document, editor.state.page, tiles));
    };
    document.addEventListener('copy', onCopyOrCut);
    document.addEventListener('cut', onCopyOrCut);
    document.addEventListener('paste', onPaste);
    return () => {
      document.removeEventListener('copy', onCopyOrCut);
      document.removeEventListener('cut', onCopyOrCut);
      document.removeEventListener('paste', onPaste);
    };
  }, [editor]);
}

const isTextSelected = (): boolean => (window.getSelection()?.toString() ?? '') !== '';
