import type { Prefetch } from '@belvedere/api';

/** What the page has asked by itself (index.html) while its program was on its way. */
export interface PendingPrefetch extends Prefetch {
  readonly response: Promise<Response>;
  readonly controller: AbortController;
}

/**
 * Sends requests, but for the one that was sent already: its answer is taken, once. Another question in its
 * place calls it off.
 */
export function fetchUnlessPrefetched(ahead: PendingPrefetch | undefined): typeof fetch {
  let onItsWay = ahead;
  return (input, init) => {
    const requested = onItsWay;
    if (!requested || input !== requested.path) return fetch(input, init);
    onItsWay = undefined;
    if (init?.body !== requested.body) {
      requested.controller.abort();
      return fetch(input, init);
    }
    init.signal?.addEventListener('abort', () => requested.controller.abort(), { once: true });
    return requested.response;
  };
}
