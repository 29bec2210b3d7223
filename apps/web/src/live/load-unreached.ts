import type { DashboardStore } from './dashboard-store.ts';

/** Whether the server responds, and when it does so again. */
interface Reachability {
  readonly isReachable: () => boolean;
  readonly onReachable: (listener: () => void) => () => void;
}

/**
 * Queries tiles again that could not reach the server: once it responds, and then until all of them have a result.
 *
 * @param againMs between attempts while the server responds: a request may fail although another has just succeeded
 * @returns ends it
 */
export function loadUnreachedTiles(
  live: Pick<DashboardStore, 'loadUnreached'>,
  { isReachable, onReachable }: Reachability,
  againMs: number,
): () => void {
  const timer = setInterval(() => {
    if (isReachable()) live.loadUnreached();
  }, againMs);
  const end = onReachable(() => live.loadUnreached());
  return () => {
    clearInterval(timer);
    end();
  };
}
