import { useEffect, useState } from 'react';
import { connection } from '../../data/connection/connection.ts';
import { loadWords } from '../messages/words.ts';

interface OpenedEditor {
  readonly id: string;
  catchUp(): Promise<void>;
  flush(): void;
  close(): void;
}

/**
 * Opens an editor for as long as its screen is mounted. Loads its texts, reports changes of the document to
 * it, and saves its draft when the page is hidden.
 * @param open a stable function that opens the document of a name
 */
export function useOpenedEditor<E extends OpenedEditor>(
  name: string,
  open: (name: string) => Promise<E>,
): { readonly editor?: E; readonly error?: Error } {
  const [opened, setOpened] = useState<{ readonly editor?: E; readonly error?: Error }>({});
  useEffect(() => {
    let editor: E | undefined;
    let isGone = false;
    const listening = connection.listen(event => {
      if (event.kind === 'workspace' || (event.kind === 'draft' && event.document === editor?.id))
        void editor?.catchUp();
    });
    void loadWords()
      .then(() => open(name))
      .then(
        found => {
          if (isGone) return found.close();
          editor = found;
          setOpened({ editor });
        },
        (error: Error) => setOpened({ error }),
      );
    const onHidden = () => document.visibilityState === 'hidden' && editor?.flush();
    document.addEventListener('visibilitychange', onHidden);
    return () => {
      document.removeEventListener('visibilitychange', onHidden);
      isGone = true;
      listening();
      editor?.close();
      setOpened({});
    };
  }, [name, open]);
  return opened;
}
