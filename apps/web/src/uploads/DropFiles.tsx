import { LazyBoundary, lazyComponent } from '@belvedere/ui';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { t } from '../messages/messages.ts';
import { isTyping } from '../keys/is-typing.ts';
import { offerFiles, onOffered, takeOfferedFiles } from './offered-files.ts';

const UploadDialog = lazyComponent(() => import('./UploadDialog.tsx').then(module => module.UploadDialog));

/** Accepts files dropped anywhere on the page, and tables pasted from a spreadsheet. */
export function DropFiles() {
  const [isOver, setIsOver] = useState(false);
  const offered = useSyncExternalStore(onOffered, takeOfferedFiles);
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    const onDragOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsOver(true);
    };
    const onDragLeave = (event: DragEvent) => event.relatedTarget === null && setIsOver(false);
    const onDrop = (event: DragEvent) => {
      setIsOver(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      offerFiles(event.dataTransfer!.files);
    };
    const onPaste = (event: ClipboardEvent) => {
      if (isTyping(event) || event.defaultPrevented || !event.clipboardData) return;
      const text = event.clipboardData.getData('text/plain');
      // Spreadsheets copy cells as lines with tabs.
      const isTable = /^[^\n]*\t[^\n]*\n[^\n]*\t/.test(text);
      if (event.clipboardData.files.length > 0) offerFiles(event.clipboardData.files);
      else if (isTable)
        offerFiles([
          new File(
            [text],
            `${t.uploads.pasted} ${new Date().toISOString().slice(0, 16).replace('T', ' ').replace(':', '-')}.tsv`,
          ),
        ]);
    };
    window.addEventListener('dragover', onDragOver);
    window.addEventListener('dragleave', onDragLeave);
    window.addEventListener('drop', onDrop);
    document.addEventListener('paste', onPaste);
    return () => {
      window.removeEventListener('dragover', onDragOver);
      window.removeEventListener('dragleave', onDragLeave);
      window.removeEventListener('drop', onDrop);
      document.removeEventListener('paste', onPaste);
    };
  }, []);
  return (
    <>
      {isOver ? (
        <div className="pointer-events-none fixed inset-3 z-50 flex items-center justify-center rounded-tile border-2 border-dashed border-accent bg-accent-weak/80 text-15 font-semibold text-accent-text">
          {t.uploads.drop}
        </div>
      ) : null}
      {offered.length > 0 ? (
        <LazyBoundary fallback={null}>
          <UploadDialog files={offered} />
        </LazyBoundary>
      ) : null}
    </>
  );
}
