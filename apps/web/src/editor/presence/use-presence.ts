import type { PresentWindow } from '@belvedere/api';
import { useEffect, useState } from 'react';
import { connection } from '../../data/connection.ts';
import { client } from '../../data/server.ts';

const settlesAfterMs = 150;
const nobody: readonly PresentWindow[] = [];

/** Says that this window has a document open to change it, and what of it is chosen; hears who else has. */
export function usePresence(document: string, position: string | undefined): readonly PresentWindow[] {
  const [others, setOthers] = useState(nobody);
  useEffect(() => {
    let events = 0;
    const hear = (windows: readonly PresentWindow[]) =>
      setOthers(before => {
        const next = windows.filter(one => one.window !== connection.window);
        return next.length === 0 && before.length === 0 ? before : next;
      });
    const tell = () => {
      const eventsBefore = events;
      void client
        .putPresence({
          params: { window: connection.window },
          body: { document, isEditing: true, ...(position !== undefined && { position }) },
        })
        .then(
          // An event may overtake an answer that was given before it: what events say is the newest.
          answer => events === eventsBefore && hear(answer.windows),
          () => {},
        );
    };
    // What is chosen changes as quickly as keys are pressed.
    const soon = setTimeout(tell, settlesAfterMs);
    const stopHearing = connection.listen(event => {
      if (event.kind !== 'presence' || event.document !== document) return;
      events++;
      hear(event.windows);
    });
    const stopTelling = connection.onOpen(tell);
    return () => {
      clearTimeout(soon);
      stopHearing();
      stopTelling();
    };
  }, [document, position]);
  useEffect(() => connection.enter(), []);
  // Leaving is told once, not whenever something else is chosen.
  useEffect(
    () => () => void client.putPresence({ params: { window: connection.window }, body: {} }).catch(() => {}),
    [document],
  );
  return others;
}
