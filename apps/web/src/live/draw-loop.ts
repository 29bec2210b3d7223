/** Callbacks that draw in the next frame, or in later ones if they do not fit into it. */
const waiting = new Set<() => void>();
let isScheduled = false;

/** Calls `draw` once, in one of the next frames. */
export function requestDraw(draw: () => void): void {
  waiting.add(draw);
  schedule();
}

/** A frame takes 16 ms, and the browser needs a part of them. */
const budgetMs = 10;
/** Longer frames are seen as jerks. */
const lateMs = 20;
const minDraws = 4;
/**
 * The largest number of draws in one frame. The browser's own work for a changed canvas cannot be measured, but
 * it makes the next frame late. A late frame lowers this number by a quarter; eight frames in time raise it by
 * one (additive increase, multiplicative decrease, as in Chiu and Jain, 1989).
 */
let maxDraws = Infinity;
/** The time and number of draws of the last frame that drew anything. */
let last: { readonly at: number; readonly drawn: number } | undefined;

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(at => {
    const start = performance.now();
    isScheduled = false;
    if (last)
      maxDraws =
        at - last.at > lateMs
          ? Math.max(minDraws, Math.floor(last.drawn * 0.75))
          : last.drawn >= Math.floor(maxDraws)
            ? maxDraws + 1 / 8
            : maxDraws;
    let drawn = 0;
    // Requests made while drawing are for the next frame.
    const now = [...waiting];
    for (const draw of now) {
      waiting.delete(draw);
      // A failed draw is reported and does not stop the others.
      try {
        draw();
      } catch (error) {
        reportError(error);
      }
      if (++drawn >= Math.floor(maxDraws) || performance.now() - start > budgetMs) break;
    }
    last = drawn > 0 ? { at, drawn } : undefined;
    // One more frame shows whether the last one was late.
    if (drawn > 0) schedule();
  });
}

export function cancelDraw(draw: () => void): void {
  waiting.delete(draw);
}
