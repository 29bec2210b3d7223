import type { ChildProcess } from 'node:child_process';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { spawnWorker } from '../pool/spawn-worker.ts';
import { readRegularFile } from '../regular-file.ts';
import type { DiscoveredTable } from './discovery/discovered-table.ts';
import type { FromImporter, ToImporter } from './import-worker.ts';
import { previewFolder, removeAbandonedWork, workFolder } from './work-folder.ts';
import { ImportError, type ImportedTable, type ImportReport } from './report.ts';

export interface ImporterSettings {
  readonly tablesFolder: string;
  /** The workspace's folder. Messages name files relative to it. */
  readonly root: string;
  readonly memoryBytes: number;
  readonly threads: number;
  /** Time limit for importing a small file; by default 5 minutes. */
  readonly minImportMs?: number;
  /**
   * Duration after which an import counts as long, so that others no longer wait for it; by default 5
   * seconds.
   */
  readonly longImportMs?: number;
  /**
   * Duration after which a long import in the second process makes way for waiting ones, once; by default 15
   * seconds.
   */
  readonly maxTurnMs?: number;
}

/** The progress of an import in percent, and the current file if there are several. */
export interface ImportProgress {
  readonly percent: number;
  readonly file?: { readonly number: number; readonly of: number };
}

interface Waiting {
  readonly bytes: number;
  /** Whether it made way for others before. It then runs in the first process, after those that did not. */
  readonly hasMadeWay: boolean;
  readonly run: (lane: Lane) => Promise<unknown>;
}

/** A process that imports files, and its share of the importer's memory and threads. */
interface Lane {
  readonly share: number;
  child?: Promise<ChildProcess> | undefined;
  isBusy: boolean;
  /** Stops the running import, to run it later. */
  stop?: (() => void) | undefined;
  /** Whether the running import has had its turn, so that it makes way for waiting ones. */
  hasHadTurn?: boolean;
}

const madeWay = new Error('The import made way for others.');

const headroomBytes = 3 * 2 ** 30;
/** Time limit for a small file; larger files have more time. Other imports wait meanwhile. */
const minImportMs = 5 * 60_000;
const longImportMs = 5000;
const maxTurnMs = 15_000;
const longestImportMs = 60 * 60_000;
const slowestBytesPerMs = 200;

/**
 * Imports files into database files, small ones first, in a process that runs only while there is work. While
 * one import takes long, a second process runs the others. There, none of them delays the rest for long: it makes
 * way and begins again when the first process is free. So files that are made to take their whole time limit delay
 * others for seconds.
 */
export class Importer {
  readonly #settings: ImporterSettings;
  readonly #waiting: Waiting[] = [];
  readonly #lanes: readonly Lane[] = [
    { share: 1, isBusy: false },
    { share: 0.5, isBusy: false },
  ];
  /** Ends with the preview that was requested last. */
  #previews: Promise<void> = Promise.resolve();
  /** Whether the import in the first process takes long. */
  #isLong = false;
  /** Runs once per start. */
  #cleared: Promise<void> | undefined;

  constructor(settings: ImporterSettings) {
    this.#settings = settings;
  }

  /** The tables that earlier runs imported, by fingerprint. Unchanged files are not imported again. */
  async readBefore(): Promise<Map<string, ImportedTable[]>> {
    await (this.#cleared ??= removeAbandonedWork(this.#settings.tablesFolder));
    const found = new Map<string, ImportedTable[]>();
    const names = await readdir(this.#settings.tablesFolder).catch(() => [] as string[]);
    for (const name of names.filter(candidate => candidate.endsWith('.duckdb.json'))) {
      try {
        const table = JSON.parse(
          String(await readRegularFile(path.join(this.#settings.tablesFolder, name))),
        ) as ImportedTable;
        const database = path.join(this.#settings.tablesFolder, name.slice(0, -'.json'.length));
        if (names.includes(path.basename(database)))
          found.set(table.fingerprint, [...(found.get(table.fingerprint) ?? []), { ...table, database }]);
      } catch {
        // Ignore an incomplete metadata file: the file is imported again.
      }
    }
    return found;
  }

  /**
   * @param onProgress called with 0% when the import begins to run, after others
   * @throws ImportError with file, line and reason; the signal's reason if the import was cancelled at any
   * point
   */
  import(
    found: DiscoveredTable,
    onProgress: (progress: ImportProgress) => void,
    signal?: AbortSignal,
  ): Promise<readonly ImportedTable[]> {
    return this.#queue(found, this.#settings.tablesFolder, onProgress, signal);
  }

  /**
   * The reports of an import whose tables are removed at once. Shows the effect of import options before they
   * are saved. Previews run one after another, so that they delay other imports by one of them at most.
   * @throws as `import`
   */
  async preview(found: DiscoveredTable, signal?: AbortSignal): Promise<readonly ImportReport[]> {
    const folder = previewFolder(this.#settings.tablesFolder);
    const before = this.#previews;
    const ended = Promise.withResolvers<void>();
    this.#previews = ended.promise;
    try {
      await before;
      signal?.throwIfAborted();
      await mkdir(folder, { recursive: true });
      return (await this.#queue(found, folder, () => {}, signal)).map(({ report }) => report);
    } finally {
      await rm(folder, { recursive: true, force: true });
      ended.resolve();
    }
  }

  #queue(
    found: DiscoveredTable,
    tablesFolder: string,
    onProgress: (progress: ImportProgress) => void,
    signal: AbortSignal | undefined,
  ): Promise<readonly ImportedTable[]> {
    return new Promise((resolve, reject) => {
      const wait = (hasMadeWay: boolean) => {
        const callOff = () => {
          const at = this.#waiting.indexOf(waiting);
          if (at >= 0) this.#waiting.splice(at, 1);
          reject(signal!.reason as Error);
        };
        const waiting: Waiting = {
          bytes: found.bytes,
          hasMadeWay,
          run: lane => {
            // From here on, a cancelled import has a process to end and files to remove.
            signal?.removeEventListener('abort', callOff);
            return this.#importNow(lane, found, tablesFolder, onProgress, signal).then(resolve, error =>
              error === madeWay ? wait(true) : reject(error as Error),
            );
          },
        };
        if (signal?.aborted) return callOff();
        signal?.addEventListener('abort', callOff, { once: true });
        this.#waiting.push(waiting);
        // Deferred, so that the smallest of several imports requested together runs first.
        queueMicrotask(() => this.#next());
      };
      wait(false);
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map(lane => end(lane)));
  }

  /** Starts waiting imports while a process is free. */
  #next(): void {
    const [first, second] = this.#lanes as [Lane, Lane];
    const lane = first.isBusy ? (this.#isLong && !second.isBusy ? second : undefined) : first;
    const next = this.#waiting
      .filter(({ hasMadeWay }) => lane === first || !hasMadeWay)
      .reduce<Waiting | undefined>(
        (one, other) => (one === undefined || comesBefore(other, one) ? other : one),
        undefined,
      );
    if (!lane || !next) {
      if (next && second.hasHadTurn) second.stop?.();
      if (this.#waiting.length === 0) for (const one of this.#lanes) if (!one.isBusy) void end(one);
      return;
    }
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    lane.isBusy = true;
    const { longImportMs: longMs = longImportMs, maxTurnMs: turnMs = maxTurnMs } = this.#settings;
    const hadItsTurn =
      lane === first
        ? setTimeout(() => {
            this.#isLong = true;
            this.#next();
          }, longMs)
        : setTimeout(() => {
            lane.hasHadTurn = true;
            this.#next();
          }, turnMs);
    hadItsTurn.unref();
    void next.run(lane).finally(() => {
      clearTimeout(hadItsTurn);
      lane.hasHadTurn = false;
      if (lane === first) this.#isLong = false;
      lane.isBusy = false;
      this.#next();
    });
    this.#next();
  }

  async #importNow(
    lane: Lane,
    found: DiscoveredTable,
    tablesFolder: string,
    onProgress: (progress: ImportProgress) => void,
    signal: AbortSignal | undefined,
  ): Promise<readonly ImportedTable[]> {
    // After a failed start, the next import tries to start a process again.
    const child = await (lane.child ??= this.#start(lane.share)).catch((error: unknown) => {
      lane.child = undefined;
      throw error;
    });
    signal?.throwIfAborted();
    onProgress({ percent: 0 });
    return new Promise((resolve, reject) => {
      const kill = () => {
        // Its last message may still arrive, and no further import may go to it.
        lane.child = undefined;
        child.kill('SIGKILL');
      };
      let isOverdue = false;
      const overdue = () => {
        isOverdue = true;
        kill();
      };
      const timeMs = Math.min(
        longestImportMs,
        (this.#settings.minImportMs ?? minImportMs) + found.bytes / slowestBytesPerMs,
      );
      const timer = setTimeout(overdue, timeMs);
      let makesWay = false;
      lane.stop = () => {
        makesWay = true;
        kill();
      };
      signal?.addEventListener('abort', kill);
      const onMessage = (message: FromImporter) => {
        if (message.kind === 'progress')
          return onProgress({ percent: message.percent, ...(message.file && { file: message.file }) });
        if (message.kind === 'imported') resolve(message.tables);
        else if (message.kind === 'failed')
          reject(new ImportError(message.file, message.line, message.message));
        settle();
      };
      const onExit = () => {
        lane.child = undefined;
        settle();
        const stopped = () =>
          new ImportError(found.files[0]!, undefined, isOverdue ? overdueReason(timeMs) : unboundedReason);
        const why = signal?.aborted ? (signal.reason as Error) : makesWay ? madeWay : stopped();
        // Removes the incomplete output of a killed process.
        void rm(workFolder(tablesFolder, found, child.pid!), {
          recursive: true,
          force: true,
        }).finally(() => reject(why));
      };
      const settle = () => {
        clearTimeout(timer);
        lane.stop = undefined;
        signal?.removeEventListener('abort', kill);
        child.off('message', onMessage);
        child.off('exit', onExit);
      };
      child.on('message', onMessage);
      child.on('exit', onExit);
      child.send({
        kind: 'import',
        found,
        tablesFolder,
        root: this.#settings.root,
      } satisfies ToImporter);
    });
  }

  async #start(share: number): Promise<ChildProcess> {
    const memoryBytes = Math.floor(this.#settings.memoryBytes * share);
    const threads = Math.max(1, Math.floor(this.#settings.threads * share));
    const child = spawnWorker(
      new URL('./import-worker.ts', import.meta.url),
      memoryBytes + headroomBytes,
      { BELVEDERE_MEMORY: String(memoryBytes), BELVEDERE_THREADS: String(threads) },
      'import',
    );
    let lastWords = '';
    child.stderr?.on('data', data => {
      lastWords = (lastWords + String(data)).slice(-2000);
      if (process.env['BELVEDERE_DEBUG']) process.stderr.write(data as Buffer);
    });
    await new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve());
      child.once('exit', () => reject(new Error('The import process did not start.', { cause: lastWords })));
      child.once('error', reject);
    });
    return child;
  }
}

function comesBefore(one: Waiting, other: Waiting): boolean {
  return one.hasMadeWay === other.hasMadeWay ? one.bytes < other.bytes : other.hasMadeWay;
}

async function end(lane: Lane): Promise<void> {
  const { child } = lane;
  lane.child = undefined;
  (await child?.catch(() => undefined))?.kill('SIGKILL');
}

const unboundedReason =
  'This import needed more memory than the limit and was stopped. Other imports are not affected.';

function overdueReason(timeMs: number): string {
  const minutes = Math.ceil(timeMs / 60_000);
  return `This import was stopped after ${minutes} min, the time limit for a file of its size. Other imports are not affected.`;
}
