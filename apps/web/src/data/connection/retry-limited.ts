import { ApiError, isRead, type Contract } from '@belvedere/api';
import { useSyncExternalStore } from 'react';

const maxTries = 4;
const longestWaitMs = 60_000;

/** How many requests wait because the user sent too many. */
class WaitingRequests {
  #count = 0;
  readonly #listeners = new Set<() => void>();

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  isAny = () => this.#count > 0;

  async during(wait: Promise<void>): Promise<void> {
    this.#add(1);
    try {
      await wait;
    } finally {
      this.#add(-1);
    }
  }

  #add(count: number): void {
    this.#count += count;
    for (const listener of this.#listeners) listener();
  }
}

const waiting = new WaitingRequests();
/** Whether requests wait for the rate limit. */
export const useIsLimited = () => useSyncExternalStore(waiting.subscribe, waiting.isAny);

/** Wraps a client: reads that exceed the rate limit are sent again when the server allows. */
export function withRetryOfReads<C extends object>(client: C): C {
  type Call = (input: unknown, options?: { readonly signal?: AbortSignal }) => Promise<unknown>;
  const wrapped = Object.entries(client as Record<string, Call>).map(
    ([name, call]: readonly [string, Call]) => {
      if (!isRead(name as keyof Contract)) return [name, call] as const;
      const patient: Call = async (input, options) => {
        for (let tries = 1; ; tries++) {
          try {
            return await call(input, options);
          } catch (error) {
            const waitMs = tries < maxTries ? retryAfterMs(error) : undefined;
            if (waitMs === undefined) throw error;
            await waiting.during(sleep(waitMs, options?.signal));
          }
        }
      };
      return [name, patient] as const;
    },
  );
  return Object.fromEntries(wrapped) as C;
}

function retryAfterMs(error: unknown): number | undefined {
  if (!(error instanceof ApiError) || error.problem.type !== 'rate-limited') return undefined;
  const seconds = error.problem.retryAfterSeconds;
  // A random delay keeps the waiting requests of a page from coming back at once.
  return seconds === undefined ? undefined : Math.min(longestWaitMs, seconds * 1000 * (1 + Math.random()));
}

/** @throws the signal's reason once it aborts */
function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
