import { useEffect } from 'react';
import { connection } from '../data/connection/connection.ts';
import { isGuestPage } from '../data/session/guest.ts';
import { onGuestAnswer, tryAgainMs } from '../data/server.ts';
import type { DashboardStore } from './dashboard-store.ts';
import { loadUnreachedTiles } from './load-unreached.ts';

/** Queries tiles again that could not reach the server, once it answers. */
export function useLoadUnreached(live: DashboardStore): void {
  useEffect(
    // Pages of guests ask the server again and again, and each answer counts.
    () =>
      isGuestPage
        ? onGuestAnswer(() => live.loadUnreached())
        : loadUnreachedTiles(live, connection, tryAgainMs()),
    [live],
  );
}
