import { useLayoutEffect, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';

/**
 * So many tiles are rendered in one task: thirty would delay the first picture, and the response to a click.
 */
export const tilesAtOnce = 6;

interface WaitingTile {
  readonly comesFirst: boolean;
  readonly show: () => void;
}

const waiting = new Set<WaitingTile>();
/** A window that has drawn no tile yet takes several times as long for its first. */
let hasDrawnSome = false;
/**
 * Its messages are tasks that come sooner than a timer's, which let a frame pass in which nothing is seen.
 */
const turns = new MessageChannel();
turns.port1.onmessage = showNext;

function showNext(): void {
  hasDrawnSome = true;
  const first = [...waiting].filter(tile => tile.comesFirst);
  const next = (first.length > 0 ? first : [...waiting]).slice(0, tilesAtOnce);
  for (const tile of next) waiting.delete(tile);
  flushSync(() => {
    for (const tile of next) tile.show();
  });
  if (waiting.size > 0) turns.port2.postMessage(undefined);
}

/**
 * A tile that is rendered after what is around it, with some others in a task of their own. Those seen first
 * are there at once, but for the
 * first a window draws: all that is around them is new to it, too, and one task for both holds the page up
 * twice as long.
 */
export function DeferredTile({
  id,
  comesFirst,
  children,
}: {
  readonly id: string;
  readonly comesFirst: boolean;
  readonly children: ReactNode;
}) {
  const [isThere, setIsThere] = useState(comesFirst && hasDrawnSome);
  useLayoutEffect(() => {
    if (isThere) return undefined;
    const tile = { comesFirst, show: () => setIsThere(true) };
    if (waiting.add(tile).size === 1) turns.port2.postMessage(undefined);
    return () => void waiting.delete(tile);
  }, [isThere, comesFirst]);
  return isThere ? (
    children
  ) : (
    <section role="group" aria-busy data-tile={id} data-status="loading" className="size-full" />
  );
}
