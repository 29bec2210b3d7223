import { useSyncExternalStore } from 'react';

const wide = window.matchMedia('(min-width: 1000px)');
/** Whether there is room for panels beside what is edited. */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    listener => {
      wide.addEventListener('change', listener);
      return () => wide.removeEventListener('change', listener);
    },
    () => wide.matches,
  );
}
