import { useEffect } from 'react';
import { connection } from '../data/connection.ts';
import type { DashboardStore } from './dashboard-store.ts';

/** Queries tiles again that could not reach the server, once it answers. */
export function useLoadUnreached(live: DashboardStore): void {
  useEffect(() => connection.onAnswer(() => live.loadUnreached()), [live]);
}
