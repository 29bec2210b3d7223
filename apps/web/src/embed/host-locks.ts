import type { FrameMessage, HostMessage } from '@belvedere/embed';

/**
 * Web Locks for frames on pages over plain HTTP, where browsers have none: the page around the frames says whose
 * turn it is.
 */
export class HostLocks implements Pick<LockManager, 'request'> {
  readonly #tell: (message: FrameMessage) => void;
  readonly #waiting = new Map<number, () => void>();
  #last = 0;

  constructor(tell: (message: FrameMessage) => void) {
    this.#tell = tell;
  }

  /** Begins the turn that the page has given. */
  begin({ turn }: Extract<HostMessage, { kind: 'turn' }>): void {
    this.#waiting.get(turn)?.();
  }

  request<Result>(name: string, run: LockGrantedCallback<Result>): Promise<Awaited<Result>>;
  request<Result>(
    name: string,
    options: LockOptions,
    run: LockGrantedCallback<Result>,
  ): Promise<Awaited<Result>>;
  async request<Result>(
    name: string,
    ...rest: [LockGrantedCallback<Result>] | [LockOptions, LockGrantedCallback<Result>]
  ): Promise<Awaited<Result>> {
    const [{ signal }, run] = rest.length === 1 ? [{} as LockOptions, rest[0]] : rest;
    const turn = ++this.#last;
    signal?.throwIfAborted();
    try {
      await new Promise<void>((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
        this.#waiting.set(turn, resolve);
        this.#tell({ kind: 'turn-needed', name, turn });
      });
      return await run(null);
    } finally {
      this.#waiting.delete(turn);
      this.#tell({ kind: 'turn-over', name, turn });
    }
  }
}
