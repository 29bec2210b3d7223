/**
 * Runs a limited number of callbacks per event-loop turn and defers the rest, so that a burst of a thousand
 * requests does not block other work. Owners take turns, so that a burst of one does not delay the others.
 */
export class FairScheduler {
  readonly #perTurn: number;
  /** One line per owner. The first owner is served next and then moves to the end. */
  readonly #lines = new Map<string, (() => void)[]>();
  #done = 0;
  #isScheduled = false;

  constructor(perTurn: number) {
    this.#perTurn = perTurn;
  }

  /** Runs the work now if this turn has capacity, else in a later turn, each owner's first in, first out. */
  take(owner: string, work: () => void): void {
    if (this.#done < this.#perTurn && this.#lines.size === 0) {
      this.#done++;
      work();
    } else {
      const line = this.#lines.get(owner);
      if (line) line.push(work);
      else this.#lines.set(owner, [work]);
    }
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const now = this.#next();
      this.#done = now.length;
      for (const work of now) work();
      if (now.length > 0) this.#schedule();
    });
  }

  /** Takes the callbacks of one turn. */
  #next(): readonly (() => void)[] {
    const taken: (() => void)[] = [];
    while (taken.length < this.#perTurn) {
      const [owner, line] = this.#lines.entries().next().value ?? [];
      if (owner === undefined || line === undefined) break;
      taken.push(line.shift()!);
      this.#lines.delete(owner);
      if (line.length > 0) this.#lines.set(owner, line);
    }
    return taken;
  }
}
