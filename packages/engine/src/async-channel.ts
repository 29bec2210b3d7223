/**
 * An async channel with back-pressure. `put` resolves when its piece has been consumed, so the next piece is
 * produced while that one is processed, and at most two are held. When the consumer stops, the signal aborts,
 * and later pieces are discarded so that `work` can finish.
 */
export async function* asyncChannel<T>(
  work: (put: (chunk: T) => Promise<void>, stopped: AbortSignal) => Promise<void>,
): AsyncGenerator<T, void> {
  const stop = new AbortController();
  const chunks: { readonly chunk: T; readonly onTaken: () => void }[] = [];
  let isOver = false;
  let wake: () => void = () => {};
  const put = (chunk: T) =>
    new Promise<void>(taken => {
      if (stop.signal.aborted) return taken();
      chunks.push({ chunk, onTaken: taken });
      wake();
    });
  const done = work(put, stop.signal).finally(() => {
    isOver = true;
    wake();
  });
  done.catch(() => {});
  try {
    for (;;) {
      const next = chunks.shift();
      if (next) {
        next.onTaken();
        yield next.chunk;
      } else if (isOver) return await done;
      else await new Promise<void>(resolve => (wake = resolve));
    }
  } finally {
    stop.abort();
    for (const { onTaken: taken } of chunks.splice(0)) taken();
  }
}
