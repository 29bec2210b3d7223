/**
 * Runs a limited number of callbacks per event-loop turn and defers the rest, so that a burst of a thousand
 * requests does not block other work.
 */
export class FairScheduler {
  readonly #perTurn: number;
  readonly #waiting: (() => void)[] = [];
  #done = 0;
  #isScheduled = false;

  constructor(perTurn: number) {
    this.#perTurn = perTurn;
  }

  /** Runs the work now if this turn has capacity, else in a later turn, first in, first out. */
  take(work: () => void): void {
    if (this.#done < this.#perTurn && this.#waiting.length === 0) {
      this.#done++;
      work();
    } else this.#waiting.push(work);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#done = 0;
      const now = this.#waiting.splice(0, this.#perTurn);
      this.#done = now.length;
      for (const work of now) work();
      if (now.length > 0) this.#schedule();
    });
  }
}
