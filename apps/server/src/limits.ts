import type { Role } from '@belvedere/api';
import { durationMs, sizeBytes, type WorkspaceFile } from '@belvedere/document';
import os from 'node:os';

/**
 * All limits by name (SPEC part 9). A workspace may set some of them: see `workspaceLimits` and
 * `startLimits`.
 */
export const limits = {
  interactiveMs: 30_000,
  valuesMs: 5_000,
  /** Tiles that a search returns. */
  foundTiles: 50,
  sqlMs: 5 * 60_000,
  /** Total size of texts in the result of custom SQL. */
  sqlBytes: 32 * 2 ** 20,
  jobMs: 10 * 60_000,
  marksPerTile: 50_000,
  semanticRows: 50_000,
  /** Rows of an aggregated table in one query, and in a drawing. */
  tableGroups: 10_000,
  /** Rows of one table in a CSV or Parquet file. */
  exportRows: 10_000_000,
  indexCells: 2_000_000,
  minRefreshMs: 5_000,
  runningQueries: os.availableParallelism() * 2,
  /** In team mode, of each user and data source. One place is always left to others. */
  runningQueriesPerUser: 4,
  /** Streams of tiles of each user that are computed at once in team mode, and those of a user who floods. */
  streamsPerUser: 4,
  streamsOfFlood: 1,
  /** Concurrent exports. They run at the client's reading speed. */
  runningExports: 4,
  waitingQuestions: 200,
  waitingMs: 10_000,
  /**
   * Total size of all cached results: computed ones, encoded ones, and last results of databases, for when
   * one is unreachable.
   */
  cacheBytes: 256 * 2 ** 20,
  engineMemoryBytes: Math.floor(os.totalmem() * 0.6),
  engineThreads: os.availableParallelism(),
  /**
   * Smaller tables are as fast without an in-memory column index. `codedBytes` limits the indexes of all
   * tables.
   */
  codedRows: 200_000,
  /** Queries on larger tables wait for their column index rather than count without it. */
  patientRows: 5_000_000,
  codedBytes: Math.floor(os.totalmem() * 0.25),
  bodyBytes: 2 ** 20,
  /** Size of an upload through the browser, and of one of its chunks. */
  uploadBytes: 8 * 2 ** 30,
  pieceBytes: 8 * 2 ** 20,
  /** Read and discarded after a refusal, so that a client that is still sending receives it. */
  discardedBytes: 256 * 2 ** 20,
  discardingMs: 10_000,
  /** Event streams: per user (in local mode, per session), and in total. */
  eventStreams: 20,
  eventStreamsInAll: 5_000,
  /** Size of the events that wait for one client. */
  eventBytes: 2 ** 20,
  /** How long a client may read nothing while data is waiting for it. */
  stalledMs: 10_000,
  /** Per address, cached results included: stops runaway clients, not users. */
  requestsPerMinute: 60_000,
  /** Of a user in team mode, or of an address without a session. */
  readsPerMinute: 600,
  writesPerMinute: 60,
  exportsPerMinute: 10,
  uploadsPerMinute: 5,
  /** Connections tested or saved through the API. Users test a few; port scans test many. */
  connectionsPerMinute: 20,
  /** Fresh sign-in addresses. */
  freshAddressesPerMinute: 20,
  sessionIdleMs: 7 * 86_400_000,
  sessionLifeMs: 30 * 86_400_000,
  auditRetentionMs: 365 * 86_400_000,
  trashRetentionMs: 30 * 86_400_000,
  /** For every revision of a document. Older ones are thinned out to one of each day. */
  historyRetentionMs: 90 * 86_400_000,
} as const satisfies Readonly<Record<string, number>>;

/** Limits that a workspace may set. A changed file applies from the next query on. */
export interface WorkspaceLimits {
  readonly queryMs: number;
  readonly sqlMs: number;
  readonly exportMs: number;
  readonly exportRows: number;
  /** In team mode, by role. */
  readonly exportRowsOf: Readonly<Partial<Record<Role, number>>>;
  readonly marksPerTile: number;
  readonly indexCells: number;
  readonly uploadBytes: number;
  readonly auditRetentionMs: number;
  readonly trashRetentionMs: number;
  readonly historyRetentionMs: number;
}

export function workspaceLimits({ limits: set = {} }: Pick<WorkspaceFile, 'limits'>): WorkspaceLimits {
  return {
    queryMs: ms(set.questionTime, limits.interactiveMs),
    sqlMs: ms(set.sqlTime, limits.sqlMs),
    exportMs: ms(set.exportTime, limits.jobMs),
    exportRows: set.exportRows ?? limits.exportRows,
    exportRowsOf: set.exportRowsOf ?? {},
    marksPerTile: set.marks ?? limits.marksPerTile,
    indexCells: set.indexCells ?? limits.indexCells,
    uploadBytes: set.uploadSize === undefined ? limits.uploadBytes : sizeBytes(set.uploadSize),
    auditRetentionMs: ms(set.auditRetention, limits.auditRetentionMs),
    trashRetentionMs: ms(set.trashRetention, limits.trashRetentionMs),
    historyRetentionMs: ms(set.historyRetention, limits.historyRetentionMs),
  };
}

/** Limits that a workspace may set and that apply from its next start on. */
export type StartLimits = {
  readonly [
    name in
      | 'engineMemoryBytes'
      | 'engineThreads'
      | 'codedBytes'
      | 'cacheBytes'
      | 'runningQueries'
      | 'readsPerMinute'
      | 'writesPerMinute'
      | 'exportsPerMinute'
      | 'uploadsPerMinute'
      | 'sessionIdleMs'
      | 'sessionLifeMs'
  ]: number;
};

export function startLimits({ limits: set = {} }: Pick<WorkspaceFile, 'limits'>): StartLimits {
  /** Capped at the machine's memory. */
  const memory = (text: string | undefined, otherwise: number) =>
    text === undefined ? otherwise : Math.min(sizeBytes(text), os.totalmem());
  return {
    engineMemoryBytes: memory(set.engineMemory, limits.engineMemoryBytes),
    engineThreads: set.engineThreads ?? limits.engineThreads,
    codedBytes: memory(set.packedMemory, limits.codedBytes),
    cacheBytes: memory(set.cacheMemory, limits.cacheBytes),
    runningQueries: set.questionsAtOnce ?? limits.runningQueries,
    readsPerMinute: set.readsPerMinute ?? limits.readsPerMinute,
    writesPerMinute: set.writesPerMinute ?? limits.writesPerMinute,
    exportsPerMinute: set.exportsPerMinute ?? limits.exportsPerMinute,
    uploadsPerMinute: set.uploadsPerMinute ?? limits.uploadsPerMinute,
    sessionIdleMs: ms(set.sessionIdle, limits.sessionIdleMs),
    sessionLifeMs: ms(set.sessionLife, limits.sessionLifeMs),
  };
}

function ms(text: string | undefined, otherwise: number): number {
  return text === undefined ? otherwise : durationMs(text);
}
