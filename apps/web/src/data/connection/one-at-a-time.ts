interface Turns {
  /** Those of the browser; pages over plain HTTP and sandboxed frames lack them, or have others. */
  readonly locks?: Locks | null;
  /** How long to wait at most: the page that has the turn may hang. */
  readonly patienceMs?: number;
  /** Stops waiting. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Waits until no other page of this origin in the browser has a turn of the same name: at most for a time, and
 * not at all without locks.
 *
 * @returns a function that ends the turn
 */
export async function takeTurn(
  name: string,
  { locks = browserLocks(), patienceMs = 5000, signal }: Turns = {},
): Promise<() => void> {
  if (!locks) return () => {};
  const turn = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const patience = AbortSignal.timeout(patienceMs);
  locks
    .request(name, { signal: signal ? AbortSignal.any([patience, signal]) : patience }, () => {
      turn.resolve();
      return over.promise;
    })
    .catch(() => turn.resolve());
  await turn.promise;
  return over.resolve;
}

/**
 * Runs a request once no other page of this origin in the browser runs one of the same name. So pages and
 * frames that all ask now and then use one connection together.
 */
export async function oneAtATime<Result>(
  name: string,
  run: () => Promise<Result>,
  turns?: Turns,
): Promise<Result> {
  const endTurn = await takeTurn(name, turns);
  try {
    return await run();
  } finally {
    endTurn();
  }
}

type Locks = Pick<LockManager, 'request'>;

let others: Locks | null = null;

/** Uses these locks where the browser has none. */
export function offerLocks(locks: Locks): void {
  others = locks;
}

/** Not every browser has them, though its type says so. */
function browserLocks(): Locks | null {
  return (navigator as Partial<Navigator>).locks ?? others;
}
