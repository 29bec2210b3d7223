import { useSyncExternalStore } from 'react';

const wide = window.matchMedia('(min-width: 1000px)');
/** Whether the window has room for side panels. */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    listener => {
      wide.addEventListener('change', listener);
      return () => wide.removeEventListener('change', listener);
    },
    () => wide.matches,
  );
}
