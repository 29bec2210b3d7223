import { durationMs, sizeBytes, type WorkspaceFile } from '@belvedere/document';
import os from 'node:os';

/** Every bound there is, by name (SPEC part 9). Some a workspace may set: they are asked of it (`workspaceLimits`, `startLimits`). */
export const limits = {
  interactiveMs: 30_000,
  valuesMs: 5_000,
  sqlMs: 5 * 60_000,
  /** Of texts in what somebody's own SQL gives. */
  sqlBytes: 32 * 2 ** 20,
  jobMs: 10 * 60_000,
  marksPerTile: 50_000,
  semanticRows: 50_000,
  /** Rows of a table of measures that are asked for at once; and drawn on paper. */
  tableGroups: 10_000,
  /** Rows of one table in a file that is taken away; in a workbook, whose sheets have 2^20 lines, the first of them names. */
  exportRows: 10_000_000,
  workbookRows: 1_048_575,
  indexCells: 2_000_000,
  leastRefreshMs: 5_000,
  runningQuestions: os.availableParallelism() * 2,
  /** Of rows that are taken away: they last as long as their reader takes. */
  runningExports: 4,
  waitingQuestions: 200,
  waitingMs: 10_000,
  /** Of answers, as they were worked out and as they were sent, and of databases' last ones, for when one is away: all together. */
  cacheBytes: 256 * 2 ** 20,
  engineMemoryBytes: Math.floor(os.totalmem() * 0.6),
  engineThreads: os.availableParallelism(),
  /** Display-resolution columns: tables with fewer rows are answered as fast without; all of them together. */
  codedRows: 200_000,
  /** Questions about larger tables wait for their columns rather than count without them. */
  patientRows: 5_000_000,
  codedBytes: Math.floor(os.totalmem() * 0.25),
  bodyBytes: 2 ** 20,
  /** Of a file that is put among the data through the browser, and of one piece of it. */
  uploadBytes: 8 * 2 ** 30,
  pieceBytes: 8 * 2 ** 20,
  /** Streams of events: of one person, and in all. */
  eventStreams: 20,
  eventStreamsInAll: 5_000,
  /** Of events that wait for one client. */
  eventBytes: 2 ** 20,
  /** How long a client may take nothing of what waits for it. */
  stalledMs: 10_000,
  /** Of one address, cached answers included: a bound for runaways, not for readers. */
  requestsPerMinute: 60_000,
  /** Tried or saved through the API: a person tries a few, who looks for open ports tries many. */
  connectionsPerMinute: 20,
  /** Fresh addresses to sign in by. */
  freshAddressesPerMinute: 20,
  sessionIdleMs: 7 * 86_400_000,
  sessionLifeMs: 30 * 86_400_000,
} as const satisfies Readonly<Record<string, number>>;

/** Bounds that a workspace may set, as they hold for it; another file, other bounds from the next question on. */
export interface WorkspaceLimits {
  readonly questionMs: number;
  readonly sqlMs: number;
  readonly exportMs: number;
  readonly exportRows: number;
  readonly marksPerTile: number;
  readonly indexCells: number;
  readonly uploadBytes: number;
}

export function workspaceLimits({ limits: set = {} }: Pick<WorkspaceFile, 'limits'>): WorkspaceLimits {
  return {
    questionMs: ms(set.questionTime, limits.interactiveMs),
    sqlMs: ms(set.sqlTime, limits.sqlMs),
    exportMs: ms(set.exportTime, limits.jobMs),
    exportRows: set.exportRows ?? limits.exportRows,
    marksPerTile: set.marks ?? limits.marksPerTile,
    indexCells: set.indexCells ?? limits.indexCells,
    uploadBytes: set.uploadSize === undefined ? limits.uploadBytes : sizeBytes(set.uploadSize),
  };
}

/** Bounds that a workspace may set, and that hold from its start on. */
export type StartLimits = {
  readonly [
    name in
      | 'engineMemoryBytes'
      | 'engineThreads'
      | 'codedBytes'
      | 'cacheBytes'
      | 'runningQuestions'
      | 'sessionIdleMs'
      | 'sessionLifeMs'
  ]: number;
};

export function startLimits({ limits: set = {} }: Pick<WorkspaceFile, 'limits'>): StartLimits {
  /** No more than the machine has. */
  const memory = (text: string | undefined, otherwise: number) =>
    text === undefined ? otherwise : Math.min(sizeBytes(text), os.totalmem());
  return {
    engineMemoryBytes: memory(set.engineMemory, limits.engineMemoryBytes),
    engineThreads: set.engineThreads ?? limits.engineThreads,
    codedBytes: memory(set.packedMemory, limits.codedBytes),
    cacheBytes: memory(set.cacheMemory, limits.cacheBytes),
    runningQuestions: set.questionsAtOnce ?? limits.runningQuestions,
    sessionIdleMs: ms(set.sessionIdle, limits.sessionIdleMs),
    sessionLifeMs: ms(set.sessionLife, limits.sessionLifeMs),
  };
}

function ms(text: string | undefined, otherwise: number): number {
  return text === undefined ? otherwise : durationMs(text);
}
