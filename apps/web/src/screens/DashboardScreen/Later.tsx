import { useEffect, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';

/** So many tiles are rendered in one task: thirty would hold up the first picture of all, and whoever touches the page meanwhile. */
export const tilesAtOnce = 6;

/** What shows each of the tiles that are not there yet, in their order. */
const waiting: (() => void)[] = [];

function showNext(): void {
  flushSync(() => {
    for (const show of waiting.splice(0, tilesAtOnce)) show();
  });
  if (waiting.length > 0) setTimeout(showNext);
}

/** A tile that is rendered after those that are seen first, with some others in a task of their own. */
export function Later({ id, isNow, children }: { readonly id: string; readonly isNow: boolean; readonly children: ReactNode }) {
  const [isThere, setIsThere] = useState(isNow);
  useEffect(() => {
    if (isThere) return undefined;
    const show = () => setIsThere(true);
    if (waiting.push(show) === 1) setTimeout(showNext);
    return () => {
      if (waiting.includes(show)) waiting.splice(waiting.indexOf(show), 1);
    };
  }, [isThere]);
  return isThere ? children : <section role="group" aria-busy data-tile={id} data-status="loading" className="size-full rounded-tile border border-border bg-surface" />;
}
