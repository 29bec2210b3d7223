/** An owner without a query for this time, ms, no longer shares the server. */
const activeMs = 2000;

/** Counts the owners who query at the moment, cached results included. */
export class ActiveOwners {
  /** Times of the latest query, monotonic, ms; the owners in the order of these. */
  readonly #latest = new Map<string, number>();
  readonly #elapsed: () => number;

  constructor(elapsed: () => number = () => performance.now()) {
    this.#elapsed = elapsed;
  }

  note(owner: string): void {
    this.#latest.delete(owner);
    this.#latest.set(owner, this.#elapsed());
  }

  get count(): number {
    const oldest = this.#elapsed() - activeMs;
    for (const [owner, at] of this.#latest) {
      if (at >= oldest) break;
      this.#latest.delete(owner);
    }
    return this.#latest.size;
  }
}
