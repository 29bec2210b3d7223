/**
 * Lets so much be done in one turn of the event loop; what is more comes in the next ones. A thousand requests that arrive in one moment
 * are then a thousand short waits, not one long one in which nothing else is heard.
 */
export class FairScheduler {
  readonly #perTurn: number;
  readonly #waiting: (() => void)[] = [];
  #done = 0;
  #isScheduled = false;

  constructor(perTurn: number) {
    this.#perTurn = perTurn;
  }

  /** Does it now where this turn has room, else in a later one, in the order of asking. */
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
