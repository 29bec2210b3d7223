/** How many bytes several caches may keep together: what was used longest ago goes first, whichever of them holds it. */
export class MemoryBudget {
  readonly #limitBytes: number;
  readonly #caches: BoundedCache<unknown>[] = [];
  #uses = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** More than an eighth of the budget is kept of nothing. */
  get largestBytes(): number {
    return this.#limitBytes / 8;
  }

  get bytes(): number {
    return this.#caches.reduce((sum, cache) => sum + cache.bytes, 0);
  }

  /** A number that is larger than those before it. */
  nextUse(): number {
    return ++this.#uses;
  }

  join(cache: BoundedCache<unknown>): void {
    this.#caches.push(cache);
  }

  makeRoom(): void {
    while (this.bytes > this.#limitBytes) {
      const oldest = this.#caches
        .filter(cache => cache.oldestUse !== undefined)
        .toSorted((a, b) => a.oldestUse! - b.oldestUse!)[0];
      oldest!.dropOldest();
    }
  }
}

/** Values by key, least recently used first out, within a budget that other caches share. */
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

  /** @param valueBytes about how many the value takes; the key's are added */
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
