import type { DiscoveredTable } from '@belvedere/engine';

/** A pause after an import is at most this long. */
const longestPauseMs = 60_000;

/** An import of a table, waiting, running or ended. */
interface Import {
  /** In ms of the clock that the callers read; missing until it has ended. */
  readonly pausedUntil?: number;
}

/**
 * Decides when a table is imported again whose files keep growing, such as a log. Cancelling an import at every
 * change would never finish one, and importing without a pause would leave no processor to anyone else: a pause
 * is twice as long as the import before it, without its wait for other imports. All times are in ms of one
 * monotonic clock.
 */
export class GrowingTables {
  /** The latest of each table, by name. */
  readonly #imports = new Map<string, Import>();
  /** Tables that grew during their import. */
  readonly #late = new Set<string>();

  /** An import of the table was asked for. Others may run first. */
  queued(name: string): Import {
    const queued: Import = {};
    this.#imports.set(name, queued);
    this.#late.delete(name);
    return queued;
  }

  /**
   * @param queued the import that ended. A cancelled one ends after the next was queued, which goes on.
   * @param began when it began to run
   * @returns whether the table grew meanwhile, so that its files are to be looked at again
   */
  ended(name: string, queued: Import, began: number, now: number): boolean {
    if (this.#imports.get(name) !== queued) return false;
    this.#imports.set(name, { pausedUntil: now + Math.min(2 * (now - began), longestPauseMs) });
    return this.#late.delete(name);
  }

  /** Forgets the tables that are no longer there. */
  keep(names: ReadonlySet<string>): void {
    for (const name of this.#imports.keys()) if (!names.has(name)) this.#imports.delete(name);
  }

  /** @returns how long the import of a table that has grown should wait, in ms; infinite until one that is queued has ended */
  pause(name: string, now: number): number {
    const last = this.#imports.get(name);
    if (!last) return 0;
    if (last.pausedUntil === undefined) {
      this.#late.add(name);
      return Infinity;
    }
    return Math.max(0, last.pausedUntil - now);
  }
}

/** Whether a table has more data than before in at least the same files. */
export function hasGrown(before: DiscoveredTable, after: DiscoveredTable): boolean {
  const files = new Set(after.files);
  return after.bytes > before.bytes && before.files.every(file => files.has(file));
}
