import { useMatch, useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';

/**
 * Whether the viewer still is, and stays, where a screen was opened. A screen hears gestures and timers until
 * the next one is there: what it
 * changed of the address then would stand in the next one's, or lead nowhere.
 */
export function useIsCurrentPage(from: '/d/$dashboard' | '/explore/$model'): () => boolean {
  const router = useRouter();
  const { id } = useMatch({ from });
  return useCallback(
    () => router.matchRoutes(router.latestLocation).some(match => match.id === id),
    [router, id],
  );
}
