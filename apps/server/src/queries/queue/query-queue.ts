import { queryCancelled, refuseCancelled } from '@belvedere/engine';
import { limits } from '../../limits.ts';
import { ProblemError } from '../../http/problems.ts';
import type { ActiveOwners } from './active-owners.ts';

/** The least number of queries that any owner may have waiting: those of one page. */
const fewestPlaces = 20;
/** The first queries of a flood run before it is known as one. Those of the next one in this time do not. */
const floodKnownMs = 30_000;

/** How many queries may wait in a queue, and for how long each. */
interface QueueLimits {
  readonly waiting: number;
  readonly waitingMs: number;
}

export interface QueueOptions {
  /** Queries that run at once. */
  readonly atOnce: number;
  /** Queries of one owner that run at once; all of them unless given. */
  readonly perOwner?: number;
  /** The owners who share the places; each may have an equal part, and one in any case. */
  readonly active?: ActiveOwners | undefined;
  /** Queries that run at once of an owner who floods the queue while no other is active. */
  readonly ofFlood?: number;
  readonly limits?: QueueLimits;
  /** A monotonic clock, ms. */
  readonly now?: () => number;
}

interface Waiting {
  readonly begin: () => void;
}

/**
 * Runs a limited number of queries at once, and of each owner, and queues the rest. A free place goes to the
 * owner with the fewest running queries, in turn.
 * Rejects a query at once if its wait would be too long: the client can retry after an early error, but a
 * late one has cost it the wait.
 */
export class QueryQueue {
  /** One line per owner. The first owner is served next and then moves to the end. */
  readonly #lines = new Map<string, Waiting[]>();
  readonly #atOnce: number;
  readonly #maxPerOwner: number;
  readonly #active: ActiveOwners | undefined;
  readonly #maxOfFlood: number;
  readonly #limits: QueueLimits;
  readonly #runningOf = new Map<string, number>();
  /**
   * Owners who had more queries in line than a page has, and until when that counts: infinity while any of
   * their queries runs or waits.
   */
  readonly #flooding = new Map<string, number>();
  readonly #now: () => number;
  #running = 0;
  #waiting = 0;
  /** Exponential moving average of query durations, ms. */
  #usualMs = 0;

  constructor({ atOnce, perOwner = atOnce, active, ofFlood = perOwner, ...rest }: QueueOptions) {
    this.#now = rest.now ?? (() => performance.now());
    this.#atOnce = atOnce;
    this.#maxPerOwner = perOwner;
    this.#active = active;
    this.#maxOfFlood = ofFlood;
    this.#limits = rest.limits ?? { waiting: limits.waitingQuestions, waitingMs: limits.waitingMs };
  }

  get #perOwner(): number {
    const owners = Math.max(1, this.#active?.count ?? 1);
    return Math.max(1, Math.min(this.#maxPerOwner, Math.floor(this.#atOnce / owners)));
  }

  /** Beside others, a flood has one place: it fills the processor caches, whatever its priority. */
  get #perFlood(): number {
    const hasOthers = (this.#active?.count ?? 1) > 1;
    return hasOthers ? 1 : Math.min(this.#maxOfFlood, this.#perOwner);
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
    if (this.#mayRun(owner)) return 0;
    const turns = this.#waitingOf(owner) + 1;
    const ahead = [...this.#lines].reduce(
      (sum, [other, line]) => sum + (other === owner ? 0 : Math.min(line.length, turns)),
      turns,
    );
    return Math.max(ahead / this.#atOnce, turns / this.#perOwner) * this.#usualMs;
  }

  #mayRun(owner: string): boolean {
    const max = this.#isFlooding(owner) ? this.#perFlood : this.#perOwner;
    return this.#running < this.#atOnce && this.#count(owner) < max;
  }

  #count(owner: string): number {
    return this.#runningOf.get(owner) ?? 0;
  }

  #begin(owner: string): void {
    this.#running++;
    this.#runningOf.set(owner, this.#count(owner) + 1);
  }

  #end(owner: string): void {
    this.#running--;
    const left = this.#count(owner) - 1;
    if (left > 0) this.#runningOf.set(owner, left);
    else this.#runningOf.delete(owner);
    this.#endFlood(owner);
  }

  #isFlooding(owner: string): boolean {
    const until = this.#flooding.get(owner);
    if (until === undefined) return false;
    if (until > this.#now()) return true;
    this.#flooding.delete(owner);
    return false;
  }

  #endFlood(owner: string): void {
    if (this.#flooding.get(owner) !== Infinity) return;
    if (this.#count(owner) > 0 || this.#lines.has(owner)) return;
    const now = this.#now();
    for (const [other, until] of this.#flooding) if (until <= now) this.#flooding.delete(other);
    this.#flooding.set(owner, now + floodKnownMs);
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
    const share = Math.max(fewestPlaces, Math.floor(this.#limits.waiting / owners));
    if (this.#waitingOf(owner) >= share || wait > this.#limits.waitingMs)
      throw new ProblemError('overloaded', 'Too many queries are waiting. Try again in a few seconds.', {
        retryAfterSeconds: Math.max(1, Math.min(30, Math.ceil(wait / 2000))),
      });
  }

  /**
   * @param work called with whether others go first: its owner floods a queue that others share
   * @throws ProblemError `overloaded` if too many queries wait, or this one waited too long
   * @throws EngineError `query-cancelled` if the signal has been aborted, before or while the query waits
   */
  async run<T>(
    owner: string,
    signal: AbortSignal | undefined,
    work: (isBackground: boolean) => Promise<T>,
  ): Promise<T> {
    refuseCancelled(signal);
    await this.#turn(owner, signal);
    const began = performance.now();
    try {
      return await work(this.#active !== undefined && this.#isFlooding(owner));
    } finally {
      const took = performance.now() - began;
      this.#usualMs = this.#usualMs === 0 ? took : this.#usualMs * 0.8 + took * 0.2;
      this.#end(owner);
      while (this.#next());
    }
  }

  #turn(owner: string, signal: AbortSignal | undefined): Promise<void> {
    if (this.#mayRun(owner)) {
      this.#begin(owner);
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
      this.#endFlood(owner);
      settle();
      turn.reject(error);
    };
    const waiting: Waiting = {
      begin: () => {
        settle();
        this.#begin(owner);
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
      this.#limits.waitingMs,
    );
    signal?.addEventListener('abort', onAbort);
    this.#waiting++;
    line.push(waiting);
    this.#lines.set(owner, line);
    if (line.length > fewestPlaces) this.#flooding.set(owner, Infinity);
    return turn.promise;
  }

  /** Starts one waiting query. @returns false if none may run */
  #next(): boolean {
    // The sort is stable, so owners with equally many take turns.
    const next = Array.from(this.#lines.keys())
      .filter(owner => this.#mayRun(owner))
      .toSorted((a, b) => this.#count(a) - this.#count(b))[0];
    if (next === undefined) return false;
    const line = this.#lines.get(next)!;
    const first = line.shift()!;
    this.#lines.delete(next);
    if (line.length > 0) this.#lines.set(next, line);
    first.begin();
    return true;
  }
}
