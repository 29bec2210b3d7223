import type { DiscoveredTable } from '@belvedere/engine';

/** A pause after an import is at most this long. */
const longestPauseMs = 60_000;

/** An import of a table. Times are in ms of one monotonic clock. */
interface Import {
  readonly began: number;
  readonly ended?: number;
}

/**
 * Decides when a table is imported again whose files keep growing, such as a log. Cancelling an import at every
 * change would never finish one, and importing without a pause would leave no processor to anyone else: a pause
 * is twice as long as the import before it.
 */
export class GrowingTables {
  /** The latest of each table, by name. */
  readonly #imports = new Map<string, Import>();
  /** Tables that grew during their import. */
  readonly #late = new Set<string>();

  began(name: string, now: number): Import {
    const begun: Import = { began: now };
    this.#imports.set(name, begun);
    this.#late.delete(name);
    return begun;
  }

  /**
   * @param begun the import that ended. A cancelled one ends after the next has begun, which still runs.
   * @returns whether the table grew meanwhile, so that its files are to be looked at again
   */
  ended(name: string, begun: Import, now: number): boolean {
    if (this.#imports.get(name) !== begun) return false;
    this.#imports.set(name, { ...begun, ended: now });
    return this.#late.delete(name);
  }

  /** Forgets the tables that are no longer there. */
  keep(names: ReadonlySet<string>): void {
    for (const name of this.#imports.keys()) if (!names.has(name)) this.#imports.delete(name);
  }

  /** @returns how long the import of a table that has grown should wait, in ms; infinite while one is running */
  pause(name: string, now: number): number {
    const last = this.#imports.get(name);
    if (!last) return 0;
    if (last.ended === undefined) {
      this.#late.add(name);
      return Infinity;
    }
    const pause = Math.min(2 * (last.ended - last.began), longestPauseMs);
    return Math.max(0, last.ended + pause - now);
  }
}

/** Whether a table has more data than before in at least the same files. */
export function hasGrown(before: DiscoveredTable, after: DiscoveredTable): boolean {
  const files = new Set(after.files);
  return after.bytes > before.bytes && before.files.every(file => files.has(file));
}
