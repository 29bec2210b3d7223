import { queryCancelled } from '@belvedere/engine';
import { limits } from '../limits.ts';
import { ProblemError } from '../problems.ts';

interface Waiting {
  readonly begin: () => void;
}

/**
 * Lets so many questions run at once; the others wait their turn, owner by owner, and are turned away at once where their turn would
 * come too late: an early no can be tried again, a late one has cost its asker the wait.
 */
export class QueryQueue {
  /** Each owner's own line; the first owner is served next and then goes to the end. */
  readonly #lines = new Map<string, Waiting[]>();
  readonly #atOnce: number;
  #running = 0;
  #waiting = 0;
  /** How long questions take of late, ms. */
  #usualMs = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  get running(): number {
    return this.#running;
  }
  get waiting(): number {
    return this.#waiting;
  }

  /** How long a question that came now would wait, as far as the last ones tell. */
  get expectedWaitMs(): number {
    return this.#running < this.#atOnce ? 0 : ((this.#waiting + 1) / this.#atOnce) * this.#usualMs;
  }

  /** @throws ProblemError `overloaded` where nothing can be begun in time; for requests of many questions, before any. */
  refuseOverload(): void {
    const wait = this.expectedWaitMs;
    if (this.#waiting >= limits.waitingQuestions || wait > limits.waitingMs)
      throw new ProblemError('overloaded', 'Too many queries are waiting. Try again in a few seconds.', {
        retryAfterSeconds: Math.max(1, Math.min(30, Math.ceil(wait / 2000))),
      });
  }

  /** @throws ProblemError `overloaded` where too many wait, or this one waited too long. */
  async run<T>(owner: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    await this.#turn(owner, signal);
    const began = performance.now();
    try {
      return await work();
    } finally {
      const took = performance.now() - began;
      this.#usualMs = this.#usualMs === 0 ? took : this.#usualMs * 0.8 + took * 0.2;
      this.#running--;
      this.#next();
    }
  }

  #turn(owner: string, signal: AbortSignal | undefined): Promise<void> {
    if (this.#running < this.#atOnce) {
      this.#running++;
      return Promise.resolve();
    }
    this.refuseOverload();
    const turn = Promise.withResolvers<void>();
    const line = this.#lines.get(owner) ?? [];
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      this.#waiting--;
    };
    const leave = (error: Error) => {
      line.splice(line.indexOf(waiting), 1);
      if (line.length === 0 && this.#lines.get(owner) === line) this.#lines.delete(owner);
      settle();
      turn.reject(error);
    };
    const waiting: Waiting = {
      begin: () => {
        settle();
        this.#running++;
        turn.resolve();
      },
    };
    const onAbort = () => leave(queryCancelled());
    const timer = setTimeout(
      () =>
        leave(
          new ProblemError(
            'overloaded',
            'This query waited too long in the queue. Try again in a few seconds.',
          ),
        ),
      limits.waitingMs,
    );
    signal?.addEventListener('abort', onAbort);
    this.#waiting++;
    line.push(waiting);
    this.#lines.set(owner, line);
    return turn.promise;
  }

  #next(): void {
    const [first] = this.#lines;
    if (!first || this.#running >= this.#atOnce) return;
    const [owner, line] = first;
    const next = line.shift()!;
    this.#lines.delete(owner);
    if (line.length > 0) this.#lines.set(owner, line);
    next.begin();
  }
}
