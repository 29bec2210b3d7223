import { limits } from '../limits.ts';
import { ProblemError } from '../problems.ts';

/**
 * Counts open event streams, per session and in total, so that the tabs of one browser cannot use up all of
 * them.
 */
export class EventStreams {
  readonly #open = new Map<string, number>();
  #all = 0;

  /** @returns a function that ends the stream's count. @throws ProblemError if there are too many */
  begin(session: string): () => void {
    const own = this.#open.get(session) ?? 0;
    if (own >= limits.eventStreams)
      throw new ProblemError('rate-limited', `This browser has ${own} open pages. Close some of them.`);
    if (this.#all >= limits.eventStreamsInAll)
      throw new ProblemError('overloaded', 'Too many open pages on this server.');
    this.#open.set(session, own + 1);
    this.#all++;
    return () => {
      this.#all--;
      const left = this.#open.get(session)! - 1;
      if (left > 0) this.#open.set(session, left);
      else this.#open.delete(session);
    };
  }
}
