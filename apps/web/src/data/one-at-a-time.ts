/** How long a request waits for those of other pages at most: one of them may hang. */
const patienceMs = 5000;

/**
 * Runs a request once no other page of this origin in the browser runs one of the same name. So pages and
 * frames that all ask now and then use one connection together. Without Web Locks, which pages over plain
 * HTTP and sandboxed frames lack, it runs at once.
 *
 * @param locks those of the browser
 */
export async function oneAtATime<Result>(
  name: string,
  run: () => Promise<Result>,
  locks: Pick<LockManager, 'request'> | null = navigator.locks ?? null,
): Promise<Result> {
  if (!locks) return run();
  const turn = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  locks
    .request(name, { signal: AbortSignal.timeout(patienceMs) }, () => {
      turn.resolve();
      return over.promise;
    })
    .catch(() => turn.resolve());
  await turn.promise;
  try {
    return await run();
  } finally {
    over.resolve();
  }
}
