/**
 * Records that a server needs for some minutes, by secret key. They are in memory, since a restart only makes
 * their users begin again. Times are monotonic, ms.
 */
export class ExpiringRecords<T> {
  readonly #lifeMs: number;
  readonly #limit: number;
  readonly #elapsed: () => number;
  /** The oldest first. */
  readonly #records = new Map<string, { readonly value: T; readonly expiresAt: number }>();

  /** @param limit beyond this number, the oldest is forgotten */
  constructor(lifeMs: number, limit: number, elapsed: () => number) {
    this.#lifeMs = lifeMs;
    this.#limit = limit;
    this.#elapsed = elapsed;
  }

  set(key: string, value: T): void {
    this.#records.delete(key);
    this.#records.set(key, { value, expiresAt: this.#elapsed() + this.#lifeMs });
    for (const [oldest, { expiresAt }] of this.#records) {
      if (expiresAt > this.#elapsed() && this.#records.size <= this.#limit) break;
      this.#records.delete(oldest);
    }
  }

  get(key: string): T | undefined {
    const found = this.#records.get(key);
    return found && found.expiresAt > this.#elapsed() ? found.value : undefined;
  }

  /** Returns a record and forgets it, so that it serves once. */
  take(key: string): T | undefined {
    const value = this.get(key);
    this.#records.delete(key);
    return value;
  }

  /** Forgets all records of which something holds. */
  deleteWhere(isMeant: (value: T) => boolean): void {
    for (const [key, { value }] of this.#records) if (isMeant(value)) this.#records.delete(key);
  }
}
