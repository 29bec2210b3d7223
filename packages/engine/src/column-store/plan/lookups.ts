/**
 * A cache of lookup tables for a table's codes. Dashboards query the same axes repeatedly, and equal lookup
 * tables must be the same object.
 */
export class Lookups {
  readonly #made = new Map<string, unknown>();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  once<T>(key: string, make: () => T): T {
    if (this.#made.has(key)) return this.#made.get(key) as T;
    const made = make();
    const bytes = key.length * 2 + (ArrayBuffer.isView(made) ? made.byteLength : 0);
    if (this.#made.size >= maxLookups || this.#bytes + bytes > maxLookupBytes) {
      this.#made.clear();
      this.#bytes = 0;
    }
    this.#made.set(key, made);
    this.#bytes += bytes;
    return made;
  }
}

const maxLookups = 1000;
/** Limit per table. A lookup table has one entry per code of its field: 65,536 at most. */
export const maxLookupBytes = 32 * 2 ** 20;
