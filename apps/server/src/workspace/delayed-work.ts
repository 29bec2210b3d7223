interface DelayedCall {
  readonly timer: NodeJS.Timeout;
  /** When it was first requested, by a monotonic clock in ms. */
  readonly since: number;
}

/** Work that waits for a pause in its requests, such as reading files that change in quick succession. */
export class DelayedWork {
  readonly #calls = new Map<string, DelayedCall>();

  /**
   * Does something once there was no request for it for `ms`, but at most four times as late. Its failure has no
   * consequence.
   * @param name requests with equal names are one
   */
  soon(name: string, ms: number, work: () => Promise<unknown>): void {
    const now = performance.now();
    const before = this.#calls.get(name);
    clearTimeout(before?.timer);
    const since = before?.since ?? now;
    const timer = setTimeout(
      () => {
        this.#calls.delete(name);
        void work().catch(() => {});
      },
      Math.max(0, Math.min(ms, since + 4 * ms - now)),
    );
    this.#calls.set(name, { timer, since });
  }

  /** Drops the work that still waits. */
  close(): void {
    for (const { timer } of this.#calls.values()) clearTimeout(timer);
  }
}
