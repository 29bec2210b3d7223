/** Draws whatever asked to be drawn, once, at the next frame; what does not fit into it, as when a page of many tiles opens, at the one after. */
const waiting = new Set<() => void>();
let isScheduled = false;

/** What our own drawing cost, frame by frame, for those who measure: `performance.getEntriesByName('belvedere:frame')`. */
const isMeasured = typeof localStorage !== 'undefined' && localStorage.getItem('belvedere-measure') !== null;

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
    if (isMeasured) performance.measure('belvedere:frame', { start });
  });
}

export function cancelDraw(draw: () => void): void {
  waiting.delete(draw);
}

/** Notes how long something took, where someone measures. */
export function measured<T>(name: string, work: () => T): T {
  if (!isMeasured) return work();
  const start = performance.now();
  try {
    return work();
  } finally {
    performance.measure(`belvedere:${name}`, { start });
  }
}
