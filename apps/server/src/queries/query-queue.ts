import { queryCancelled } from '@belvedere/engine';
import { limits } from '../limits.ts';
import { ProblemError } from '../problems.ts';

/** The least number of queries that any owner may have waiting: those of one page. */
const fewestPlaces = 20;

interface Waiting {
  readonly begin: () => void;
}

/**
 * Runs a limited number of queries at once and queues the rest, round-robin by owner.
 * Rejects a query at once if its wait would be too long: the client can retry after an early error, but a
 * late one has cost it the wait.
 */
export class QueryQueue {
  /** One line per owner. The first owner is served next and then moves to the end. */
  readonly #lines = new Map<string, Waiting[]>();
  readonly #atOnce: number;
  #running = 0;
  #waiting = 0;
  /** Exponential moving average of query durations, ms. */
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

  /**
   * Expected wait of an owner's new query, estimated from recent durations. Before it, every other owner has
   * as many turns as this owner has queries, and no more: a flood of one does not delay the others.
   */
  #expectedWaitMs(owner: string): number {
    if (this.#running < this.#atOnce) return 0;
    const turns = this.#waitingOf(owner) + 1;
    const ahead = [...this.#lines].reduce(
      (sum, [other, line]) => sum + (other === owner ? 0 : Math.min(line.length, turns)),
      turns,
    );
    return (ahead / this.#atOnce) * this.#usualMs;
  }

  #waitingOf(owner: string): number {
    return this.#lines.get(owner)?.length ?? 0;
  }

  /**
   * Each owner has an equal share of the places to wait, and a few in any case.
   * @throws ProblemError `overloaded` if no query of this owner can start in time; requests with many queries
   * call it before the first
   */
  refuseOverload(owner: string): void {
    const wait = this.#expectedWaitMs(owner);
    const owners = this.#lines.size + (this.#lines.has(owner) ? 0 : 1);
    const share = Math.max(fewestPlaces, Math.floor(limits.waitingQuestions / owners));
    if (this.#waitingOf(owner) >= share || wait > limits.waitingMs)
      throw new ProblemError('overloaded', 'Too many queries are waiting. Try again in a few seconds.', {
        retryAfterSeconds: Math.max(1, Math.min(30, Math.ceil(wait / 2000))),
      });
  }

  /** @throws ProblemError `overloaded` if too many queries wait, or this one waited too long */
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
    this.refuseOverload(owner);
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
