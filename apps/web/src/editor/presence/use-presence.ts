import type { PresentWindow } from '@belvedere/api';
import { useEffect, useState } from 'react';
import { connection } from '../../data/connection/connection.ts';
import { client } from '../../data/server.ts';

const settlesAfterMs = 150;
const noWindows: readonly PresentWindow[] = [];

/**
 * Tells other windows that this one edits a document, and what is selected in it. Returns the other windows.
 */
export function usePresence(document: string, position: string | undefined): readonly PresentWindow[] {
  const [others, setOthers] = useState(noWindows);
  useEffect(() => {
    let events = 0;
    const update = (windows: readonly PresentWindow[]) =>
      setOthers(before => {
        const next = windows.filter(one => one.window !== connection.window);
        return next.length === 0 && before.length === 0 ? before : next;
      });
    const announce = () => {
      const eventsBefore = events;
      void client
        .putPresence({
          params: { window: connection.window },
          body: { document, isEditing: true, ...(position !== undefined && { position }) },
        })
        .then(
          // An event may arrive before the response to an earlier request. Events are newer.
          answer => events === eventsBefore && update(answer.windows),
          () => {},
        );
    };
    // Waits until the selection settles, because it can change with every key press.
    const soon = setTimeout(announce, settlesAfterMs);
    const endEvents = connection.listen(event => {
      if (event.kind !== 'presence' || event.document !== document) return;
      events++;
      update(event.windows);
    });
    const endAnnouncing = connection.onOpen(announce);
    return () => {
      clearTimeout(soon);
      endEvents();
      endAnnouncing();
    };
  }, [document, position]);
  useEffect(() => connection.registerEditor(), []);
  // Sends the end once, when the editor closes.
  useEffect(
    () => () => void client.putPresence({ params: { window: connection.window }, body: {} }).catch(() => {}),
    [document],
  );
  return others;
}
