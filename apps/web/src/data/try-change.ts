import { ApiError } from '@belvedere/api';

/** Makes a change and fetches what it changed. Returns its error; undefined if it succeeded. */
export async function tryChange(
  work: () => Promise<unknown>,
  refresh: () => Promise<unknown>,
): Promise<{ readonly error: unknown } | undefined> {
  try {
    await work();
    await refresh();
    return undefined;
  } catch (error) {
    // The next attempt begins with the version that is there now, or without what was deleted.
    if (error instanceof ApiError && ['revision-conflict', 'not-found'].includes(error.problem.type))
      await refresh().catch(() => {});
    return { error };
  }
}
