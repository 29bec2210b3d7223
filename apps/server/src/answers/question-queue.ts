import { limits } from '../limits.ts';
import { ProblemError } from '../problems.ts';

interface Waiting {
  readonly begin: () => void;
  readonly owner: string;
}

/** Lets so many questions run at once; the others wait their turn, owner by owner, and are turned away past the bounds. */
export class QuestionQueue {
  readonly #waiting: Waiting[] = [];
  #running = 0;

  get running(): number {
    return this.#running;
  }
  get waiting(): number {
    return this.#waiting.length;
  }

  /** @throws ProblemError `overloaded` where too many wait, or this one waited too long. */
  async run<T>(owner: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    await this.#turn(owner, signal);
    try {
      return await work();
    } finally {
      this.#running--;
      this.#next();
    }
  }

  #turn(owner: string, signal: AbortSignal | undefined): Promise<void> {
    if (this.#running < limits.runningQuestions) {
      this.#running++;
      return Promise.resolve();
    }
    if (this.#waiting.length >= limits.waitingQuestions) throw new ProblemError('overloaded', 'Too many questions are waiting. Try again in a few seconds.');
    return new Promise((resolve, reject) => {
      const leave = (error: unknown) => {
        const place = this.#waiting.indexOf(waiting);
        if (place >= 0) this.#waiting.splice(place, 1);
        settle();
        reject(error as Error);
      };
      const onAbort = () => leave(new DOMException('The question was cancelled.', 'AbortError'));
      const timer = setTimeout(() => leave(new ProblemError('overloaded', 'This question waited too long for its turn. Try again in a few seconds.')), limits.waitingMs);
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const waiting: Waiting = {
        owner,
        begin: () => {
          settle();
          this.#running++;
          resolve();
        },
      };
      signal?.addEventListener('abort', onAbort);
      this.#waiting.push(waiting);
    });
  }

  #lastOwner = '';
  /** The first in line whose owner was not served last, so that one owner's many cannot starve another's few. */
  #next(): void {
    if (this.#running >= limits.runningQuestions) return;
    const other = this.#waiting.findIndex(waiting => waiting.owner !== this.#lastOwner);
    const [next] = this.#waiting.splice(Math.max(0, other), 1);
    if (!next) return;
    this.#lastOwner = next.owner;
    next.begin();
  }
}
