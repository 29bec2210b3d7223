import { useEffect, useReducer } from 'react';
import type { LiveTile } from '../../live/live-tile.ts';

/**
 * Renders text again with the frames of a brush; a dozen times a second
 * is as fast as one reads.
 */
export function useLiveValues(live: LiveTile): void {
  const [, render] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = live.onFrame(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        render();
      }, 80);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [live]);
}
