import { limits } from '../limits.ts';
import { ProblemError } from '../http/problems.ts';

/**
 * Counts open event streams, per user and in total, so that one user cannot take all of them. In local mode
 * each browser counts for itself.
 */
export class EventStreams {
  readonly #open = new Map<string, number>();
  #all = 0;

  /** @returns a function that ends the stream's count. @throws ProblemError if there are too many */
  begin(owner: string): () => void {
    const own = this.#open.get(owner) ?? 0;
    if (own >= limits.eventStreams)
      throw new ProblemError('rate-limited', `You have ${own} open pages. Close some of them.`);
    if (this.#all >= limits.eventStreamsInAll)
      throw new ProblemError('overloaded', 'Too many open pages on this server.');
    this.#open.set(owner, own + 1);
    this.#all++;
    return () => {
      this.#all--;
      const left = this.#open.get(owner)! - 1;
      if (left > 0) this.#open.set(owner, left);
      else this.#open.delete(owner);
    };
  }
}
