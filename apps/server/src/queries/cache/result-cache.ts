import type { QueryResult } from '@belvedere/engine';
import { BoundedCache, type MemoryBudget } from './bounded-cache.ts';

/**
 * A cache of results that evicts the least recently used. A key names everything that a result depends on, so
 * no entry needs invalidation.
 */
export class ResultCache {
  readonly #results: BoundedCache<QueryResult>;
  hits = 0;

  constructor(budget: MemoryBudget) {
    this.#results = new BoundedCache(budget);
  }

  get bytes(): number {
    return this.#results.bytes;
  }

  get(key: string): QueryResult | undefined {
    const found = this.#results.get(key);
    if (found) this.hits++;
    return found;
  }

  clear(): void {
    this.#results.clear();
  }

  set(key: string, result: QueryResult): void {
    this.#results.set(key, result, sizeOf(result));
  }
}

function sizeOf(result: QueryResult): number {
  return result.columns.reduce(
    (sum, { values }) => sum + ('byteLength' in values ? values.byteLength : bytesOf(values)),
    200,
  );
}

function bytesOf(values: readonly unknown[]): number {
  return values.reduce(
    (sum: number, value) => sum + (typeof value === 'string' ? 24 + value.length * 2 : 24),
    0,
  );
}
