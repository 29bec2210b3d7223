/**
 * Draws whatever asked to be drawn, once, at the next frame; what does not fit into it, as when a page of
 * many tiles opens, at the ones after.
 */
const waiting = new Set<() => void>();
let isScheduled = false;

export function requestDraw(draw: () => void): void {
  waiting.add(draw);
  schedule();
}

/** A frame has sixteen milliseconds, and the browser needs some of them. */
const budgetMs = 10;
/** A display that is shown less often than that is seen to jerk. */
const lateMs = 20;
const fewest = 4;
/**
 * What the browser has to do for a canvas that changed cannot be measured here, but shows: the next frame is
 * late. Then fewer are drawn in one
 * frame, in turn, so that what follows the pointer follows it in each; one more with every eighth that is in
 * time (additive
 * increase, multiplicative decrease, as in Chiu and Jain, 1989).
 */
let most = Infinity;
/** When the last frame began in which something was drawn, and how much. */
let last: { readonly at: number; readonly drawn: number } | undefined;

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(at => {
    const start = performance.now();
    isScheduled = false;
    if (last)
      most =
        at - last.at > lateMs
          ? Math.max(fewest, Math.floor(last.drawn * 0.75))
          : last.drawn >= Math.floor(most)
            ? most + 1 / 8
            : most;
    let drawn = 0;
    // What asks again while it is drawn is for the next frame.
    const now = [...waiting];
    for (const draw of now) {
      waiting.delete(draw);
      // What fails is told, and keeps no other from being drawn.
      try {
        draw();
      } catch (error) {
        reportError(error);
      }
      if (++drawn >= Math.floor(most) || performance.now() - start > budgetMs) break;
    }
    last = drawn > 0 ? { at, drawn } : undefined;
    // Once more after the last one, to know whether it was in time.
    if (drawn > 0) schedule();
  });
}

export function cancelDraw(draw: () => void): void {
  waiting.delete(draw);
}
