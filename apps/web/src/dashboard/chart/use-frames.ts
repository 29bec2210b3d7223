import { useEffect, useLayoutEffect, type RefObject } from 'react';
import { cancelDraw, requestDraw } from '../../live/draw-loop.ts';
import type { LiveTile } from '../../live/live-tile.ts';
import { isForPaper } from '../printing/printing.ts';
import { useInView } from '../tiles/use-in-view.ts';

/**
 * Draws now, with every new result, and with every frame of a brush. Tiles out of view are drawn when they
 * come into view.
 * @param draw must stay the same function while nothing else changes
 */
export function useFrames(live: LiveTile, frame: RefObject<HTMLElement | null>, draw: () => void): void {
  const inView = useInView(frame);
  // A hidden screen has no canvas. It draws what it missed when it is shown again.
  useLayoutEffect(() => ask(draw), [draw]);
  useEffect(() => {
    let isBehind = false;
    const follow = () => {
      if (inView.isIn()) ask(draw);
      else isBehind = true;
    };
    const catchUp = () => {
      if (isBehind) ask(draw);
      isBehind = false;
    };
    ask(draw);
    const stops = [live.onFrame(follow), live.onView(() => ask(draw)), inView.onEnter(catchUp)];
    return () => {
      for (const stop of stops) stop();
      cancelDraw(draw);
    };
  }, [live, inView, draw]);
}

function ask(draw: () => void): void {
  if (isForPaper()) draw();
  else requestDraw(draw);
}
