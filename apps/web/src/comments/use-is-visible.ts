import { useSyncExternalStore } from 'react';

/** Whether the page is visible, and not in another tab. */
export const useIsVisible = () =>
  useSyncExternalStore(subscribe, () => document.visibilityState === 'visible');

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}
