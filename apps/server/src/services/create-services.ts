import { readDocument, type WorkspaceFile } from '@belvedere/document';
import { Importer, openDuckDb } from '@belvedere/engine';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { QueryService } from '../queries/query-service.ts';
import { limits, startLimits, type StartLimits } from '../limits.ts';
import type { ResolvedWorkspace } from '../workspace/resolve-workspace.ts';
import { Confirmations } from '../workspace/sources/confirmations.ts';
import { lockWorkspace } from '../workspace/workspace-lock.ts';
import { readSettings } from '../workspace/documents/read-documents.ts';
import { WorkspaceStore } from '../workspace/workspace-store.ts';
import { tablesFolderOf } from '../workspace/tables/tables-folder.ts';

export interface Services {
  readonly hold: Awaited<ReturnType<typeof lockWorkspace>>;
  readonly engine: ReturnType<typeof openDuckDb>;
  /** Not opened yet, so no documents have been read. */
  readonly store: WorkspaceStore;
  readonly queries: QueryService;
  readonly confirmations: Confirmations;
  /** The workspace's limits at its start. */
  readonly limits: StartLimits;
  /** `belvedere.yaml` at the start; undefined if it has errors. */
  readonly settings: WorkspaceFile | undefined;
}

interface ServiceOptions {
  /** For several users, who share the queues fairly. */
  readonly isShared?: boolean;
  /** Gives sums of doubles the same last digits each time. Queries of large tables take longer. */
  readonly isRepeatable?: boolean;
}

/**
 * Creates the services that run queries on a folder, without a server.
 * @throws WorkspaceLockedError if another process has the folder open
 */
export async function createServices(
  location: ResolvedWorkspace,
  { isShared = false, isRepeatable = false }: ServiceOptions = {},
): Promise<Services> {
  const tables = tablesFolderOf(location.state);
  await mkdir(tables, { recursive: true, mode: 0o700 });
  const hold = await lockWorkspace(location.state);
  const { settings, problems } = await readSettings(location.root, (text, file) =>
    readDocument('workspace', text, file),
  );
  const bounds = startLimits(settings);
  const { engineMemoryBytes: memoryBytes, engineThreads: threads, codedBytes } = bounds;
  const engine = openDuckDb({
    tablesFolder: tables,
    spillFolder: path.join(location.state, 'spill'),
    memoryBytes,
    // Threads add up doubles in the order in which they happen to be done, and so do encoded columns.
    threads: isRepeatable ? 1 : threads,
    codedRows: isRepeatable ? Infinity : limits.codedRows,
    patientRows: limits.patientRows,
    codedBytes,
  });
  const importer = new Importer({ tablesFolder: tables, root: location.root, memoryBytes, threads });
  const confirmations = new Confirmations(location.root, location.isTrusted ?? false);
  const store = new WorkspaceStore(
    { root: location.root, data: location.data, tables, state: location.state },
    engine,
    importer,
    confirmations,
    { title: location.title, zone: Intl.DateTimeFormat().resolvedOptions().timeZone, isShared },
  );
  return {
    hold,
    engine,
    store,
    confirmations,
    queries: new QueryService(engine, store.sources, { ...bounds, isShared }),
    limits: bounds,
    settings: problems.length > 0 ? undefined : settings,
  };
}
