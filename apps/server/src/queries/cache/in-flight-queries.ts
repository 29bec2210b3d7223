import { queryCancelled, type QueryResult } from '@belvedere/engine';

interface InFlightQuery {
  readonly result: Promise<QueryResult>;
  /** Cancels the query in the engine. The next caller starts a new one. */
  readonly cancel: () => void;
  waiting: number;
}

/** The queries that run or wait, by key. Equal queries share one result. */
export class InFlightQueries {
  readonly #queries = new Map<string, InFlightQuery>();

  /**
   * Joins the query with this key, or starts it, and waits for its result. The last caller to leave cancels
   * the query.
   * @param start runs the query until its signal aborts, or it calls `cancel`
   * @param signal of this caller
   */
  join(
    key: string,
    start: (signal: AbortSignal, cancel: () => void) => Promise<QueryResult>,
    signal: AbortSignal | undefined,
  ): Promise<QueryResult> {
    return waitFor(this.#queries.get(key) ?? this.#start(key, start), signal);
  }

  #start(
    key: string,
    start: (signal: AbortSignal, cancel: () => void) => Promise<QueryResult>,
  ): InFlightQuery {
    const controller = new AbortController();
    const remove = () => {
      if (this.#queries.get(key) === inFlight) this.#queries.delete(key);
    };
    const cancel = () => {
      remove();
      controller.abort();
    };
    const result = start(controller.signal, () => cancel()).finally(() => remove());
    result.catch(() => {});
    const inFlight: InFlightQuery = { result, cancel, waiting: 0 };
    this.#queries.set(key, inFlight);
    return inFlight;
  }
}

/**
 * Waits for a query's result until this caller's signal aborts. The last caller to leave cancels the query.
 */
async function waitFor(inFlight: InFlightQuery, signal: AbortSignal | undefined): Promise<QueryResult> {
  inFlight.waiting++;
  const gone = Promise.withResolvers<never>();
  gone.promise.catch(() => {});
  const onAbort = () => gone.reject(queryCancelled());
  signal?.addEventListener('abort', onAbort);
  try {
    return await Promise.race([inFlight.result, gone.promise]);
  } finally {
    signal?.removeEventListener('abort', onAbort);
    if (--inFlight.waiting === 0) inFlight.cancel();
  }
}
