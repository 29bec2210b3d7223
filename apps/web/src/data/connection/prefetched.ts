import type { Prefetch } from '@belvedere/api';

/** The requests that the page (index.html) sent while the program loaded. */
export interface PendingPrefetch extends Prefetch {
  readonly response: Promise<Response>;
  readonly controller: AbortController;
}

/**
 * Sends requests, except for a prefetched one, whose response is used once. Another request in its place
 * cancels it.
 */
export function fetchUnlessPrefetched(prefetch: PendingPrefetch | undefined): typeof fetch {
  let pending = prefetch;
  return (input, init) => {
    const requested = pending;
    if (!requested || input !== requested.path) return fetch(input, init);
    pending = undefined;
    if (init?.body !== requested.body) {
      requested.controller.abort();
      return fetch(input, init);
    }
    init.signal?.addEventListener('abort', () => requested.controller.abort(), { once: true });
    return requested.response;
  };
}
