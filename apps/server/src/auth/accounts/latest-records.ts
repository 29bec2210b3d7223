/**
 * Reads records that are kept in memory, so that requests need no query, and notifies of their changes. Readings may
 * overlap each other and changes of this server: an earlier state never comes back, as with a revoked token.
 */
export class LatestRecords<R> {
  readonly #read: () => Promise<readonly R[]>;
  readonly #listeners = new Set<() => void>();
  /** Counts changes of this server. */
  #changes = 0;
  /** How many readings have begun, and which one is in use. */
  #readings = 0;
  #latest = 0;

  constructor(read: () => Promise<readonly R[]>) {
    this.#read = read;
  }

  /** Notes that this server has just changed a record in the database. */
  noteChange(): void {
    this.#changes++;
  }

  /** Returns the records; undefined if a reading that began later has returned them already. */
  async read(): Promise<readonly R[] | undefined> {
    for (;;) {
      const [changes, reading] = [this.#changes, ++this.#readings];
      const records = await this.#read();
      // What was changed meanwhile may not be among them.
      if (changes !== this.#changes) continue;
      if (reading < this.#latest) return undefined;
      this.#latest = reading;
      return records;
    }
  }

  /** Calls a function after records were read again or have ended. @returns a function that ends it */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
