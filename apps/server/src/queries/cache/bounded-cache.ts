/**
 * A byte budget that several caches share. The least recently used entry is evicted first, from whichever
 * cache holds it.
 */
export class MemoryBudget {
  readonly limitBytes: number;
  readonly #caches: BoundedCache<unknown>[] = [];
  #uses = 0;

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes;
  }

  /** Entries larger than an eighth of the budget are not cached. */
  get largestBytes(): number {
    return this.limitBytes / 8;
  }

  get bytes(): number {
    return this.#caches.reduce((sum, cache) => sum + cache.bytes, 0);
  }

  /** Returns a number greater than all those returned before. */
  nextUse(): number {
    return ++this.#uses;
  }

  join(cache: BoundedCache<unknown>): void {
    this.#caches.push(cache);
  }

  makeRoom(): void {
    while (this.bytes > this.limitBytes) {
      const oldest = this.#caches
        .filter(cache => cache.oldestUse !== undefined)
        .toSorted((a, b) => a.oldestUse! - b.oldestUse!)[0];
      oldest!.dropOldest();
    }
  }
}

/** Values by key, within a budget shared with other caches. Evicts the least recently used first. */
export class BoundedCache<Value> {
  readonly #budget: MemoryBudget;
  readonly #entries = new Map<
    string,
    { readonly value: Value; readonly bytes: number; readonly use: number }
  >();
  #bytes = 0;

  constructor(budget: MemoryBudget) {
    this.#budget = budget;
    budget.join(this);
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  get oldestUse(): number | undefined {
    return this.#entries.values().next().value?.use;
  }

  get(key: string): Value | undefined {
    const found = this.#entries.get(key);
    if (!found) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, { ...found, use: this.#budget.nextUse() });
    return found.value;
  }

  /** @param valueBytes approximate size of the value; the key's size is added */
  set(key: string, value: Value, valueBytes: number): void {
    const bytes = valueBytes + key.length * 2;
    this.#remove(key);
    if (bytes > this.#budget.largestBytes) return;
    this.#bytes += bytes;
    this.#entries.set(key, { value, bytes, use: this.#budget.nextUse() });
    this.#budget.makeRoom();
  }

  dropOldest(): void {
    const [key] = this.#entries.keys();
    if (key !== undefined) this.#remove(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  #remove(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}
