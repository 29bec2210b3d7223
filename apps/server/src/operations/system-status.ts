import type { SystemReport } from '@belvedere/api';
import type { Engine } from '@belvedere/engine';
import type { Health } from './health.ts';
import { presentQuery } from '../presenters/present-queries.ts';
import type { QueryService } from '../queries/query-service.ts';
import type { StreamCache } from '../queries/cache/stream-cache.ts';
import type { ServerCertificate } from '../http/server-certificate.ts';
import type { StateDatabase, StateLocation } from '../state/database/state-database.ts';
import { stateSize } from '../state/database/state-size.ts';
import { StorageSizes } from './storage-sizes.ts';
import type { ExternalSettings } from '../workspace/external-settings.ts';
import type { WorkspaceStore } from '../workspace/workspace-store.ts';

interface Parts {
  readonly version: string;
  readonly mode: 'local' | 'team';
  readonly health: Health;
  readonly store: WorkspaceStore;
  readonly queries: QueryService;
  readonly streams: StreamCache;
  readonly engine: Engine;
  readonly state: StateDatabase;
  readonly stateLocation: StateLocation;
  readonly certificate: ServerCertificate | undefined;
  readonly external: ExternalSettings;
}

/** What admins see of the server on the system screen. */
export class SystemStatus {
  readonly #parts: Parts;
  readonly #storage: StorageSizes;
  readonly #startedAt = new Date().toISOString();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#storage = new StorageSizes(parts.stateLocation.folder);
  }

  async report(): Promise<SystemReport> {
    const { version, mode, store, queries, streams, engine, state, stateLocation, certificate, external } =
      this.#parts;
    const [storage, stateOf] = await Promise.all([this.#storage.get(), stateSize(state, stateLocation)]);
    return {
      version,
      mode,
      startedAt: this.#startedAt,
      at: new Date().toISOString(),
      problems: this.#problems(),
      unconfirmed: external.unconfirmed,
      state: stateOf,
      storage,
      ...(certificate && { certificate: { validUntil: certificate.validUntil } }),
      running: queries.queues.running,
      waiting: queries.queues.waiting,
      executions: queries.executions,
      cacheHits: queries.cache.hits + streams.hits,
      cacheBytes: queries.memory.bytes,
      cacheLimitBytes: queries.memory.limitBytes,
      restarts: engine.status.restarts,
      rssBytes: process.memoryUsage.rss(),
      queries: queries.listed.list().map(query => presentQuery(query, store.current)),
    };
  }

  #problems(): SystemReport['problems'] {
    const { current } = this.#parts.store;
    const { saving, records, others = {} } = this.#parts.health.state();
    const rejected = [...current.tables.values()].filter(({ state }) => state === 'rejected');
    return [
      ...(saving === undefined ? [] : [{ kind: 'saving' as const, message: saving }]),
      ...(records === undefined ? [] : [{ kind: 'state' as const, message: records }]),
      ...(['audit-log', 'certificate', 'clean-up'] as const).flatMap(kind => {
        const message = others[kind];
        return message === undefined ? [] : [{ kind, message }];
      }),
      ...(rejected.length === 0
        ? []
        : [
            named(
              'import',
              rejected.map(({ name }) => name),
            ),
          ]),
      ...(current.problems.length === 0 ? [] : [named('documents', filesOf(current.problems))]),
    ];
  }
}

const named = (kind: 'import' | 'documents', names: string[]) => ({ kind, message: names.join(', '), names });

function filesOf(problems: readonly { readonly file?: string | undefined }[]): string[] {
  return [...new Set(problems.flatMap(({ file }) => file ?? []))].slice(0, 10);
}
