import type { DashboardStore } from './dashboard-store.ts';

/** Whether the server answers, and when it does so again. */
interface Reachability {
  readonly answers: () => boolean;
  readonly onAnswer: (listener: () => void) => () => void;
}

/**
 * Queries tiles again that could not reach the server: once it answers, and then until all of them have a result.
 *
 * @param againMs between attempts while the server answers: a request may fail although another has just succeeded
 * @returns ends it
 */
export function loadUnreachedTiles(
  live: Pick<DashboardStore, 'loadUnreached'>,
  { answers, onAnswer }: Reachability,
  againMs: number,
): () => void {
  const timer = setInterval(() => {
    if (answers()) live.loadUnreached();
  }, againMs);
  const end = onAnswer(() => live.loadUnreached());
  return () => {
    clearInterval(timer);
    end();
  };
}
