import { useMatch, useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';

/**
 * Returns whether the page on which a screen was opened is still current. A screen receives gestures and
 * timers until the next one is rendered, and would change the next page's URL.
 */
export function useIsCurrentPage(from: '/d/$dashboard' | '/explore/$model'): () => boolean {
  const router = useRouter();
  const { id } = useMatch({ from });
  return useCallback(
    () => router.matchRoutes(router.latestLocation).some(match => match.id === id),
    [router, id],
  );
}
