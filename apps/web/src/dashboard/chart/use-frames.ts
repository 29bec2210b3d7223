import { useEffect, useLayoutEffect, type RefObject } from 'react';
import { cancelDraw, requestDraw } from '../../live/draw-loop.ts';
import type { LiveTile } from '../../live/live-tile.ts';
import { isForPaper } from '../tiles/printing.ts';
import { useInView } from '../tiles/use-in-view.ts';

/**
 * Draws now, with every new answer, and with every frame of a brush that reaches the tile: in sight at once,
 * elsewhere when it comes into sight.
 * @param draw must stay the same function while nothing else changes
 */
export function useFrames(live: LiveTile, frame: RefObject<HTMLElement | null>, draw: () => void): void {
  const sight = useInView(frame);
  // A screen that is hidden while another is fetched has nothing to be drawn on, and gets it back: what it
  // was to draw meanwhile is drawn then.
  useLayoutEffect(() => ask(draw), [draw]);
  useEffect(() => {
    let isBehind = false;
    const follow = () => {
      if (sight.isIn()) ask(draw);
      else isBehind = true;
    };
    const catchUp = () => {
      if (isBehind) ask(draw);
      isBehind = false;
    };
    ask(draw);
    const stops = [live.onFrame(follow), live.onView(() => ask(draw)), sight.onEnter(catchUp)];
    return () => {
      for (const stop of stops) stop();
      cancelDraw(draw);
    };
  }, [live, sight, draw]);
}

function ask(draw: () => void): void {
  if (isForPaper()) draw();
  else requestDraw(draw);
}
