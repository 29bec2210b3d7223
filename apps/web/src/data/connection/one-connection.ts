import { takeTurn } from './one-at-a-time.ts';

/** A request waits no longer than this for those before it, and then opens a connection of its own. */
const patienceMs = 3000;
/** A request that takes longer, such as a slow query or a download, lets the next one pass. */
const longestTurnMs = 500;

/**
 * Sends the requests of all frames of a page over one connection, one after the other. A browser opens up to
 * six connections to a server that speaks HTTP/1.1, for all frames together. Over HTTP/2 and HTTP/3 they share
 * one anyway, and nothing waits.
 */
export function overOneConnection(
  send: typeof fetch,
  {
    isMultiplexed = pageIsMultiplexed(),
    locks,
  }: { isMultiplexed?: boolean; locks?: Pick<LockManager, 'request'> | null } = {},
): typeof fetch {
  if (isMultiplexed) return send;
  return async (input, init) => {
    const signal = init?.signal ?? undefined;
    const endTurn = await takeTurn('belvedere-requests', {
      patienceMs,
      signal,
      ...(locks !== undefined && { locks }),
    });
    const timer = setTimeout(endTurn, longestTurnMs);
    const end = () => {
      clearTimeout(timer);
      endTurn();
    };
    try {
      return untilRead(await send(input, init), end);
    } catch (error) {
      end();
      throw error;
    }
  };
}

/** @param end called when the body was read, failed or was given up: until then it uses its connection */
function untilRead(response: Response, end: () => void): Response {
  if (!response.body) {
    end();
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      } catch (error) {
        end();
        throw error;
      }
    },
    cancel(reason) {
      end();
      return reader.cancel(reason);
    },
  });
  return new Response(body, response);
}

function pageIsMultiplexed(): boolean {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return /^h[23]/.test(page?.nextHopProtocol ?? '');
}
