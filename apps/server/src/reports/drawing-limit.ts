/** Drawing a report for recipients who see the same took too long. */
export class DrawingTimeout extends Error {
  override readonly name = 'DrawingTimeout';
}

/**
 * Runs work that is stopped after a time, with a signal that then aborts. Work that ignores the signal does
 * not hold up its caller.
 *
 * @throws DrawingTimeout after the time, or the reason of the outer signal
 */
export async function withinTime<T>(
  ms: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(
    () => limit.abort(new DrawingTimeout(`It took longer than ${ms / 1000} seconds.`)),
    ms,
  );
  const signal = AbortSignal.any([outer, limit.signal]);
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason as Error);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const running = work(signal);
    running.catch(() => {});
    return await Promise.race([running, stopped]);
  } catch (error) {
    // The work may have failed because it was stopped.
    throw limit.signal.aborted ? (limit.signal.reason as Error) : error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
