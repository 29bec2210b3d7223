/** Draws whatever asked to be drawn, once, at the next frame; what does not fit into it, as when a page of many tiles opens, at the one after. */
const waiting = new Set<() => void>();
let isScheduled = false;

export function requestDraw(draw: () => void): void {
  waiting.add(draw);
  schedule();
}

/** A frame has sixteen milliseconds, and the browser needs some of them. */
const budgetMs = 10;

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(() => {
    const start = performance.now();
    isScheduled = false;
    // What asks again while it is drawn is for the next frame.
    const now = [...waiting];
    for (const draw of now) {
      waiting.delete(draw);
      draw();
      if (performance.now() - start > budgetMs) break;
    }
    if (waiting.size > 0) schedule();
  });
}

export function cancelDraw(draw: () => void): void {
  waiting.delete(draw);
}
