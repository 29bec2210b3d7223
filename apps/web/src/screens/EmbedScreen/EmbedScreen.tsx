import { Button } from '@belvedere/ui';
import { useCallback, useEffect, useSyncExternalStore, type ReactNode } from 'react';
import { words } from '../../accounts/messages/words.ts';
import { linkHasEnded } from '../../data/session/guest.ts';
import { problemText } from '../../data/problem-text.ts';
import { useGuestDashboard } from '../../data/server.ts';
import { embedSession } from '../../embed/embed-session.ts';
import { GuestDashboard, type ShownDashboard } from '../GuestScreen/GuestDashboard.tsx';

/** A dashboard or a tile in another site's frame: opening, shown, refused or ended. */
export function EmbedScreen() {
  const step = useSyncExternalStore(embedSession.step.subscribe, embedSession.step.get);
  const hasEnded = useSyncExternalStore(linkHasEnded.subscribe, linkHasEnded.get);
  useEffect(() => {
    if (hasEnded) embedSession.tell({ kind: 'error', type: 'ended', detail: words.embedding.ended });
  }, [hasEnded]);
  if (hasEnded || step.name === 'refused')
    return (
      <Notice text={hasEnded ? words.embedding.ended : words.embedding.refused}>
        <Button onPress={() => void embedSession.retry()}>{words.retry}</Button>
      </Notice>
    );
  if (step.name === 'opening') return <Opening />;
  return <Opened />;
}

function Opening() {
  return (
    <p role="status" className="soon p-4 text-text-2">
      {words.guest.opening}
    </p>
  );
}

/** Says what is the matter, and nothing of the dashboard. */
function Notice({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    // On a surface of its own: the site's background may have any colour.
    <div className="flex min-h-24 items-center justify-center p-4">
      <div className="flex flex-col items-center gap-3 rounded-tile border border-border bg-surface px-4 py-3 text-center">
        <p role="status" className="text-text-2">
          {text}
        </p>
        {children}
      </div>
    </div>
  );
}

function Opened() {
  const { data, error, refetch } = useGuestDashboard();
  const { tile } = embedSession.address;
  const attach = useCallback((shown: ShownDashboard) => attached(shown, tile === undefined), [tile]);
  if (!data && error)
    return (
      <Notice text={problemText(error)}>
        <Button onPress={() => void refetch()}>{words.retry}</Button>
      </Notice>
    );
  return data ? <GuestDashboard dashboard={data} frame={{ tile, attach }} /> : <Opening />;
}

/**
 * Sends a dashboard's changes to the site around it, and applies those of the site.
 * @returns a function that ends it
 */
function attached({ live, setFilters }: ShownDashboard, isWhole: boolean): () => void {
  const sent = new Map<string, string>();
  const sendChange = (key: string, value: unknown, tell: () => void) => {
    const text = JSON.stringify(value);
    if (sent.get(key) === text) return;
    sent.set(key, text);
    tell();
  };
  const tell = () => {
    const { settled, dataTime } = live.store.getState();
    const { filters } = settled;
    const selections = Object.fromEntries(
      Object.entries(settled.selections).filter(([, boxes]) => boxes.length > 0),
    );
    sendChange('filters', filters, () => embedSession.tell({ kind: 'filters', filters }));
    sendChange('selection', selections, () => embedSession.tell({ kind: 'selection', selections }));
    if (dataTime !== undefined)
      sendChange('data-time', dataTime, () => embedSession.tell({ kind: 'data-time', dataTime }));
  };
  tell();
  const wanted = () => {
    const filters = embedSession.filters.get();
    if (!filters) return;
    embedSession.filters.set(undefined);
    setFilters(filters);
  };
  wanted();
  const ends = [live.store.subscribe(tell), embedSession.filters.subscribe(wanted)];
  const main = document.querySelector('main');
  if (isWhole && main) {
    const sizes = new ResizeObserver(() =>
      embedSession.tell({ kind: 'size', height: Math.ceil(main.getBoundingClientRect().height) }),
    );
    sizes.observe(main);
    ends.push(() => sizes.disconnect());
  }
  return () => {
    for (const end of ends) end();
  };
}
