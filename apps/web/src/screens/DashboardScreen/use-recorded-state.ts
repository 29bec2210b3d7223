import type { DashboardState } from '@belvedere/api';
import { useEffect, useRef } from 'react';
import { recordState } from '../../data/session/user-preferences.ts';

/** Keeps how a dashboard is left: once it stays so for a moment, or when it is left before. */
export function useRecordedState(id: string, state: DashboardState, isOwn: boolean): void {
  const untold = useRef<() => void>(undefined);
  useEffect(() => {
    if (!isOwn) return undefined;
    const tell = () => {
      clearTimeout(timer);
      untold.current = undefined;
      recordState(id, state);
    };
    const timer = setTimeout(tell, 300);
    untold.current = tell;
    return () => clearTimeout(timer);
  }, [id, state, isOwn]);
  useEffect(() => {
    const leave = () => untold.current?.();
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('pagehide', leave);
      leave();
    };
  }, []);
}
