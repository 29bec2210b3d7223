import { limits, type StartLimits } from '../../limits.ts';
import { ActiveOwners } from './active-owners.ts';
import { QueryQueue } from './query-queue.ts';

/** The queues of a server's queries. Each kind of query has its own, so that none delays another. */
export class QueryQueues {
  /** Queries of files, for pages. */
  readonly files: QueryQueue;
  /** Sample queries are short and must not wait behind long ones. */
  readonly samples: QueryQueue;
  /** Streams of tiles, which users wait for in lines of their own; undefined where there is one user only. */
  readonly streams: QueryQueue | undefined;
  /** Exports run at the client's reading speed, so they have their own queue and never delay page queries. */
  readonly exports: QueryQueue;
  /**
   * For an export's other queries: row counts and the charts of its pages. Separate, since they may run while
   * rows stream. A refusal of one would fail the whole export, so all of them wait for their turn, however many
   * its pages have.
   */
  readonly exportQueries: QueryQueue;
  readonly #databases = new Map<string, QueryQueue>();
  readonly #atOnce: number;
  readonly #perUser: number;
  /** The users who share the places of the queues. */
  readonly #active: ActiveOwners | undefined;

  /** @param isShared several users share the server, so none of them may have all places to run */
  constructor(runningQueries: StartLimits['runningQueries'], isShared: boolean) {
    this.#atOnce = runningQueries;
    this.#active = isShared ? new ActiveOwners() : undefined;
    this.#perUser = isShared
      ? Math.max(1, Math.min(limits.runningQueriesPerUser, runningQueries - 1))
      : runningQueries;
    this.files = this.#newQueue();
    this.samples = this.#newQueue();
    this.streams = isShared
      ? new QueryQueue({
          atOnce: Infinity,
          perOwner: limits.streamsPerUser,
          active: this.#active,
          ofFlood: limits.streamsOfFlood,
        })
      : undefined;
    // A client may read its export as slowly as it likes, so one user cannot have all places.
    const ofExports = {
      atOnce: limits.runningExports,
      perOwner: limits.runningExports - (isShared ? 1 : 0),
    };
    this.exports = new QueryQueue(ofExports);
    this.exportQueries = new QueryQueue({
      ...ofExports,
      limits: { waiting: Infinity, waitingMs: limits.jobMs },
    });
  }

  /** The queue of a source's page queries. Each source has its own, so a slow source does not delay the others. */
  ofSource(source: string): QueryQueue {
    if (source === 'files') return this.files;
    const queue = this.#databases.get(source) ?? this.#newQueue();
    this.#databases.set(source, queue);
    return queue;
  }

  /** Counts a user as active, who then has a part of the places. */
  noteActive(userId: string): void {
    this.#active?.note(userId);
  }

  /** Number of running page queries of all sources. */
  get running(): number {
    return this.#ofPages.reduce((sum, queue) => sum + queue.running, 0);
  }

  get waiting(): number {
    return this.#ofPages.reduce((sum, queue) => sum + queue.waiting, 0);
  }

  get #ofPages(): readonly QueryQueue[] {
    return [this.files, ...this.#databases.values()];
  }

  #newQueue(): QueryQueue {
    return new QueryQueue({ atOnce: this.#atOnce, perOwner: this.#perUser, active: this.#active });
  }
}
