import { useEffect } from 'react';
import { connection } from '../data/connection.ts';
import { isGuestPage } from '../data/guest.ts';
import { onGuestAnswer } from '../data/server.ts';
import type { DashboardStore } from './dashboard-store.ts';

/** Queries tiles again that could not reach the server, once it answers. */
export function useLoadUnreached(live: DashboardStore): void {
  useEffect(() => {
    const load = () => live.loadUnreached();
    return isGuestPage ? onGuestAnswer(load) : connection.onAnswer(load);
  }, [live]);
}
