import type { BrushIndex } from './brush-index.ts';
import { indexLimits } from './can-index.ts';

/** A page's indexes: an LRU cache within the page's budget in bytes. */
export class IndexStore {
  readonly #indexes = new Map<string, BrushIndex>();
  #bytes = 0;

  get(key: string): BrushIndex | undefined {
    const index = this.#indexes.get(key);
    if (index) {
      this.#indexes.delete(key);
      this.#indexes.set(key, index);
    }
    return index;
  }

  set(key: string, index: BrushIndex): void {
    this.#bytes += index.bytes - (this.#indexes.get(key)?.bytes ?? 0);
    this.#indexes.delete(key);
    this.#indexes.set(key, index);
    for (const [oldest, old] of this.#indexes) {
      if (this.#bytes <= indexLimits.bytesPerPage || oldest === key) break;
      this.#indexes.delete(oldest);
      this.#bytes -= old.bytes;
    }
  }

  clear(): void {
    this.#indexes.clear();
    this.#bytes = 0;
  }
}
