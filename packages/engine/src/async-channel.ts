/**
 * An async channel with back-pressure. `put` resolves when its piece has been consumed, so the next piece is
 * produced while that one is processed, and at most two are held. When the consumer stops, the signal aborts,
 * and later pieces are discarded so that `work` can finish.
 */
export async function* asyncChannel<T>(
  work: (put: (piece: T) => Promise<void>, stopped: AbortSignal) => Promise<void>,
): AsyncGenerator<T, void> {
  const stop = new AbortController();
  const pieces: { readonly piece: T; readonly taken: () => void }[] = [];
  let isOver = false;
  let wake: () => void = () => {};
  const put = (piece: T) =>
    new Promise<void>(taken => {
      if (stop.signal.aborted) return taken();
      pieces.push({ piece, taken });
      wake();
    });
  const done = work(put, stop.signal).finally(() => {
    isOver = true;
    wake();
  });
  done.catch(() => {});
  try {
    for (;;) {
      const next = pieces.shift();
      if (next) {
        next.taken();
        yield next.piece;
      } else if (isOver) return await done;
      else await new Promise<void>(resolve => (wake = resolve));
    }
  } finally {
    stop.abort();
    for (const { taken } of pieces.splice(0)) taken();
  }
}
