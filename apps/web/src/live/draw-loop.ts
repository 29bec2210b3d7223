/** Draws whatever asked to be drawn, once, at the next frame. */
const waiting = new Set<() => void>();
let isScheduled = false;

/** What our own drawing cost, frame by frame, for those who measure: `performance.getEntriesByName('belvedere:frame')`. */
const isMeasured = typeof localStorage !== 'undefined' && localStorage.getItem('belvedere-measure') !== null;

export function requestDraw(draw: () => void): void {
  waiting.add(draw);
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(() => {
    const start = performance.now();
    isScheduled = false;
    const now = [...waiting];
    waiting.clear();
    for (const one of now) one();
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
