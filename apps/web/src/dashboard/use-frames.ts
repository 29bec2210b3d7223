import { useEffect, type RefObject } from 'react';
import { cancelDraw, requestDraw } from '../live/draw-loop.ts';
import type { LiveTile } from '../live/live-tile.ts';
import { isForPaper } from './printing.ts';
import { useSight } from './use-sight.ts';

/**
 * Draws now, with every new answer, and with every frame of a brush that reaches the tile: in sight at once, elsewhere when it comes into sight.
 * @param draw must stay the same function while nothing else changes
 */
export function useFrames(live: LiveTile, frame: RefObject<HTMLElement | null>, draw: () => void): void {
  const sight = useSight(frame);
  useEffect(() => {
    const ask = () => (isForPaper() ? draw() : requestDraw(draw));
    let isBehind = false;
    const follow = () => {
      if (sight.isIn()) ask();
      else isBehind = true;
    };
    const catchUp = () => {
      if (isBehind) ask();
      isBehind = false;
    };
    ask();
    const stops = [live.onFrame(follow), live.onView(ask), sight.onEnter(catchUp)];
    return () => {
      for (const stop of stops) stop();
      cancelDraw(draw);
    };
  }, [live, sight, draw]);
}
