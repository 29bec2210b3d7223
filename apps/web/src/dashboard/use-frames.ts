import { useEffect } from 'react';
import { cancelDraw, requestDraw } from '../live/draw-loop.ts';
import type { LiveTile } from '../live/live-tile.ts';
import { isForPaper } from './printing.ts';

/** Draws now, with every frame of a brush that reaches the tile, and with every new answer. `draw` must stay the same function while nothing else changes. */
export function useFrames(live: LiveTile, draw: () => void): void {
  useEffect(() => {
    const ask = () => (isForPaper() ? draw() : requestDraw(draw));
    ask();
    const stops = [live.onFrame(ask), live.onView(ask)];
    return () => {
      for (const stop of stops) stop();
      cancelDraw(draw);
    };
  }, [live, draw]);
}
