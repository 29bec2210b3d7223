import { joinedTables } from '@belvedere/model';
import type { Plan, PlanExpression } from '@belvedere/query';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { EngineError, queryCancelled, refuseCancelled, type QueryResult } from '../result.ts';
import { readRegularFile } from '../regular-file.ts';
import { operandKey } from './encoded-column.ts';
import { startEncodeProcess, type EncodeProcess } from './encoding/encode-process.ts';
import { codesVersion, isWhole, type EncodingManifest } from './encoding/encoding-manifest.ts';
import { withCanonicalJoins } from './plan/canonical-joins.ts';
import { operandsOf, type Operand } from './plan/plan-shape.ts';
import type { FromScans, ScanThreadSettings, ToScans } from './scan/scan-thread.ts';

export interface ColumnStoreSettings {
  readonly tablesFolder: string;
  readonly spillFolder: string;
  readonly memoryBytes: number;
  readonly threads: number;
  /** Smaller tables are not encoded, because the engine is equally fast for them. */
  readonly minRows: number;
  /** Queries of larger tables wait until the columns they need are encoded. */
  readonly patientRows: number;
  /** Passes over fewer rows are not counted by runs: compiling a second loop takes as long as it saves. */
  readonly minRunRows?: number;
  /** Limit for the columns of all tables together. Beyond it, the least recently used tables are evicted. */
  readonly budgetBytes: number;
}

/** A table by the name that queries use, and its location on disk. */
export interface StoredTable {
  readonly name: string;
  /** Identifies one version of the table's data. */
  readonly alias: string;
  readonly database: string;
  readonly rows: number;
}

/** An expression to encode, and the plan to read it with. */
interface Wanted {
  readonly expression: PlanExpression;
  readonly plan: Pick<Plan, 'table' | 'joins' | 'zone'>;
}

interface Kept {
  /** Encoded parts that have been loaded, in the order of their numbers. */
  readonly parts: EncodingManifest[];
  /** Resolves when the search for files of an earlier run has ended. */
  ready: Promise<void>;
  /** Expressions that queries needed and that are not encoded yet. */
  readonly wanted: Map<string, Wanted>;
  /** Expressions that are being encoded. */
  pending: ReadonlySet<string>;
  readonly refused: Set<string>;
  timer: NodeJS.Timeout | undefined;
  /** The current or scheduled build. */
  building: PromiseWithResolvers<void> | undefined;
  /** The process for the next build. It starts while expressions are still being collected. */
  encodeProcess: EncodeProcess | undefined;
  lastAsked: number;
}

/**
 * Display-resolution columns: each charted expression of a table as a small integer per row. The integers are
 * bit-packed into words that a compiled loop scans at memory speed. A separate process builds the columns in
 * the background after a table's first use. Queries that the columns cannot answer exactly, or not yet, go to
 * the engine.
 */
export class ColumnStore {
  readonly #settings: ColumnStoreSettings;
  readonly #tables = new Map<string, Kept>();
  readonly #pending = new Map<
    number,
    { resolve: (result: QueryResult | undefined) => void; reject: (error: Error) => void }
  >();
  readonly #loading = new Map<number, PromiseWithResolvers<void>>();
  #thread: Worker | undefined;
  #nextId = 1;
  #last: Promise<void> = Promise.resolve();
  #isClosed = false;
  readonly #encodeProcesses = new Set<EncodeProcess>();
  executions = 0;
  /** Scans over a table's rows. One scan serves all queries of a moment. */
  passes = 0;
  /** The number of those passes that used runs of rows with common slots. */
  passesByRuns = 0;

  constructor(settings: ColumnStoreSettings) {
    this.#settings = settings;
  }

  /** Size of all words in memory. */
  get bytes(): number {
    return [...this.#tables.values()].reduce((sum, kept) => sum + bytesOf(kept), 0);
  }

  /**
   * Runs a plan on the encoded columns alone.
   * @param stored looks up a table of the plan; encoded columns belong to exactly that version of its data
   * @returns undefined if the engine has to run the plan
   */
  async run(
    asked: Plan,
    stored: (name: string) => StoredTable | undefined,
    signal: AbortSignal | undefined,
  ): Promise<QueryResult | undefined> {
    const table = stored(asked.table);
    if (!table || table.rows < this.#settings.minRows || this.#isClosed) return undefined;
    const plan = withCanonicalJoins(asked, name => stored(name)?.alias ?? '');
    const operands = operandsOf(plan, expression => operandKey(expression, plan.zone));
    if (!operands) return undefined;
    const kept = this.#tables.get(table.alias) ?? this.#find(table);
    kept.lastAsked = performance.now();
    await kept.ready;
    refuseCancelled(signal);
    const isCoded = (key: string) => kept.parts.some(part => part.fields.some(field => field.key === key));
    const isHopeless = () => operands.some(({ key }) => kept.refused.has(key));
    if (isHopeless()) return undefined;
    // The engine reads the row count of a table from metadata.
    if (operands.length === 0 && kept.parts.length === 0) return undefined;
    const missing = operands.filter(({ key }) => !isCoded(key));
    if (missing.length > 0) {
      this.#want(kept, table, plan, missing, stored);
      if (table.rows < this.#settings.patientRows || !kept.building) return undefined;
      // For a table this large, one query in the engine takes longer than encoding. Waiting also avoids
      // slowing the build down.
      await Promise.race([
        kept.building.promise,
        new Promise(resolve => setTimeout(resolve, patienceMs(table.rows)).unref()),
      ]);
      refuseCancelled(signal);
      if (isHopeless() || !operands.every(({ key }) => isCoded(key))) return undefined;
    }
    return this.#request(table.alias, plan, signal);
  }

  /** Evicts a version of a table and deletes its files. */
  async forget(alias: string): Promise<void> {
    const kept = this.#tables.get(alias);
    clearTimeout(kept?.timer);
    kept?.encodeProcess?.end();
    this.#tables.delete(alias);
    this.#thread?.postMessage({ kind: 'drop', table: alias } satisfies ToScans);
    const names = await readdir(this.#settings.tablesFolder).catch(() => [] as string[]);
    await Promise.all(
      names
        .filter(name => name.startsWith(`${alias}.`) && /\.codes(\.json)?$/.test(name))
        .map(name => rm(path.join(this.#settings.tablesFolder, name), { force: true })),
    );
  }

  /** Resolves when all expressions requested so far are encoded. */
  async settled(): Promise<void> {
    for (;;) {
      const building = [...this.#tables.values()].flatMap(kept => kept.building?.promise ?? []);
      if (building.length === 0) return;
      await Promise.all(building);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const kept of this.#tables.values()) clearTimeout(kept.timer);
    for (const encodeProcess of this.#encodeProcesses) encodeProcess.end();
    const thread = this.#thread;
    if (!thread) return;
    const ended = Promise.withResolvers<void>();
    thread.once('exit', () => ended.resolve());
    thread.ref();
    thread.postMessage({ kind: 'end' } satisfies ToScans);
    await ended.promise;
  }

  #file(alias: string, part: number): string {
    return path.join(this.#settings.tablesFolder, `${alias}.${part}.codes`);
  }

  /** Registers a table and loads the columns that an earlier run stored. */
  #find(table: StoredTable): Kept {
    const kept: Kept = {
      parts: [],
      ready: Promise.resolve(),
      wanted: new Map(),
      pending: new Set(),
      refused: new Set(),
      timer: undefined,
      building: undefined,
      encodeProcess: undefined,
      lastAsked: 0,
    };
    this.#tables.set(table.alias, kept);
    const next = async (): Promise<void> => {
      const file = this.#file(table.alias, kept.parts.length);
      const manifest = JSON.parse(String(await readRegularFile(`${file}.json`))) as EncodingManifest;
      if (manifest.version !== codesVersion || manifest.rows !== table.rows || !isWhole(file, manifest))
        return;
      await this.#load(table.alias, kept, manifest);
      return next();
    };
    // A missing or incomplete next part is rebuilt when needed. Files of a killed build are deleted first.
    kept.ready = this.#clearDrafts(table.alias)
      .then(next)
      .catch(() => {});
    return kept;
  }

  async #clearDrafts(alias: string): Promise<void> {
    const names = await readdir(this.#settings.tablesFolder);
    const drafts = names.filter(
      name => name.startsWith(`${alias}.`) && name.includes('.codes') && /\.(part|parquet)$/.test(name),
    );
    await Promise.all(drafts.map(name => rm(path.join(this.#settings.tablesFolder, name), { force: true })));
  }

  async #load(alias: string, kept: Kept, manifest: EncodingManifest): Promise<void> {
    const loaded = Promise.withResolvers<void>();
    const id = this.#nextId++;
    this.#loading.set(id, loaded);
    this.#started().postMessage({
      kind: 'load',
      id,
      table: alias,
      file: this.#file(alias, kept.parts.length),
      manifest,
    } satisfies ToScans);
    await loaded.promise;
    kept.parts.push(manifest);
    for (const key of manifest.refused) kept.refused.add(key);
    this.#keepWithin(alias);
  }

  /** Evicts the least recently used tables until the rest fits the budget. Their files stay on disk. */
  #keepWithin(latest: string): void {
    for (const [alias, kept] of [...this.#tables].toSorted(([, a], [, b]) => a.lastAsked - b.lastAsked)) {
      if (this.bytes <= this.#settings.budgetBytes) return;
      if (alias === latest || kept.building) continue;
      this.#tables.delete(alias);
      this.#thread?.postMessage({ kind: 'drop', table: alias } satisfies ToScans);
    }
  }

  #want(
    kept: Kept,
    table: StoredTable,
    plan: Plan,
    missing: readonly Operand[],
    stored: (name: string) => StoredTable | undefined,
  ): void {
    const fields = kept.parts.reduce((sum, part) => sum + part.fields.length, 0);
    const perField = bytesOf(kept) / Math.max(1, fields);
    const unrequested = missing.filter(({ key }) => !kept.pending.has(key) && !kept.wanted.has(key));
    // Repeated identical queries must not postpone the build.
    if (unrequested.length === 0) return;
    for (const { key, expression } of unrequested) {
      // The columns of one table never exceed the budget. Further expressions are left to the engine.
      if (
        fields + kept.wanted.size >= maxFields ||
        bytesOf(kept) + perField * kept.wanted.size > this.#settings.budgetBytes
      )
        kept.refused.add(key);
      else
        kept.wanted.set(key, { expression, plan: { table: plan.table, zone: plan.zone, joins: plan.joins } });
    }
    this.#buildSoon(kept, table, stored);
  }

  #buildSoon(kept: Kept, table: StoredTable, stored: (name: string) => StoredTable | undefined): void {
    if (kept.wanted.size === 0 || this.#isClosed) return;
    const isWaiting = kept.timer !== undefined;
    if (kept.building && !isWaiting) return;
    kept.building ??= Promise.withResolvers<void>();
    if (this.#encodeProcesses.size === 0) kept.encodeProcess = this.#startEncodeProcess();
    // Start the scan thread now, so that it is ready when the columns are.
    this.#started();
    clearTimeout(kept.timer);
    kept.timer = setTimeout(() => {
      kept.timer = undefined;
      // Tables are built one at a time, because each build uses all cores.
      this.#last = this.#last
        .then(() => this.#build(kept, table, stored))
        .catch(() => {})
        .then(() => {
          const { building } = kept;
          kept.building = undefined;
          // Build the expressions that were requested meanwhile.
          this.#buildSoon(kept, table, stored);
          building?.resolve();
        });
    }, gatherMs);
  }

  async #build(
    kept: Kept,
    table: StoredTable,
    stored: (name: string) => StoredTable | undefined,
  ): Promise<void> {
    const [[, first] = []] = kept.wanted;
    if (this.#isClosed || !first) return;
    const encodeProcess = kept.encodeProcess ?? this.#startEncodeProcess();
    kept.encodeProcess = undefined;
    // One build reads expressions of one time zone. The others follow in the next build.
    const wanted = [...kept.wanted].filter(([, { plan }]) => plan.zone === first.plan.zone);
    for (const [key] of wanted) kept.wanted.delete(key);
    kept.pending = new Set(wanted.map(([key]) => key));
    const plan = {
      ...first.plan,
      joins: Object.assign(
        {},
        ...wanted.map(
          ([
            ,
            {
              plan: { joins },
            },
          ]) => joins,
        ),
      ) as Plan['joins'],
    };
    const names = [plan.table, ...joinedTables(plan.joins)];
    const tables = [...new Set(names)]
      .flatMap(name => stored(name) ?? [])
      .map(({ name, alias, database }) => ({ name, alias, database }));
    try {
      const manifest = await encodeProcess.code({
        plan: {
          ...plan,
          columns: wanted.map(([, { expression }], i) => ({
            name: `c${i}`,
            expression,
            type: 'other' as const,
          })),
          where: [],
          order: [],
        },
        wanted: wanted.map(([key], i) => ({ key, column: `c${i}` })),
        tables,
        file: this.#file(table.alias, kept.parts.length),
        spillFolder: this.#settings.spillFolder,
      });
      if (this.#tables.get(table.alias) !== kept) return;
      if (manifest.rows === table.rows) await this.#load(table.alias, kept, manifest);
      else for (const key of manifest.refused) kept.refused.add(key);
    } catch (error) {
      // Failed expressions are not retried before the next start. The engine runs their queries.
      for (const [key] of wanted) kept.refused.add(key);
      if (process.env['BELVEDERE_DEBUG'])
        process.stderr.write(`Columns of ${table.name} could not be coded: ${(error as Error).message}\n`);
    } finally {
      kept.pending = new Set();
      encodeProcess.end();
    }
  }

  #startEncodeProcess(): EncodeProcess {
    const encodeProcess = startEncodeProcess(this.#settings);
    this.#encodeProcesses.add(encodeProcess);
    void encodeProcess.ended.then(() => this.#encodeProcesses.delete(encodeProcess));
    return encodeProcess;
  }

  #request(table: string, plan: Plan, signal: AbortSignal | undefined): Promise<QueryResult | undefined> {
    const id = this.#nextId++;
    const thread = this.#started();
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#pending.delete(id);
        thread.postMessage({ kind: 'cancel', id } satisfies ToScans);
        reject(queryCancelled());
      };
      const settle = () => signal?.removeEventListener('abort', onAbort);
      signal?.addEventListener('abort', onAbort);
      this.#pending.set(id, {
        resolve: result => {
          settle();
          resolve(result);
        },
        reject: error => {
          settle();
          reject(error);
        },
      });
      thread.postMessage({ kind: 'ask', id, table, plan } satisfies ToScans);
    });
  }

  #started(): Worker {
    if (this.#thread) return this.#thread;
    const thread = new Worker(new URL('./scan/scan-thread.ts', import.meta.url), {
      workerData: {
        threads: this.#settings.threads,
        minRunRows: this.#settings.minRunRows ?? 20_000_000,
      } satisfies ScanThreadSettings,
    });
    thread.unref();
    thread.on('message', (message: FromScans) => this.#receive(message));
    // After any failure of the thread the engine still answers, and the next query reloads the files from
    // disk.
    thread.on('error', () => this.#lost(thread));
    thread.on('exit', () => this.#lost(thread));
    this.#thread = thread;
    return thread;
  }

  #lost(thread: Worker): void {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    this.#tables.clear();
    for (const { reject } of this.#loading.values())
      reject(new EngineError('source-unreachable', 'The thread that scans codes ended.'));
    this.#loading.clear();
    for (const { resolve } of this.#pending.values()) resolve(undefined);
    this.#pending.clear();
  }

  #receive(message: FromScans): void {
    if (message.kind === 'loaded') {
      const loading = this.#loading.get(message.id);
      this.#loading.delete(message.id);
      if (message.problem === undefined) loading?.resolve();
      else loading?.reject(new EngineError('query-failed', message.problem));
      return;
    }
    if (message.kind === 'passed') {
      if (message.byRuns) this.passesByRuns++;
      this.passes++;
      return;
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.kind === 'answered') this.executions++;
    pending?.resolve(message.kind === 'answered' ? message.result : undefined);
  }
}

/** Tiles of a page send their queries within a moment. All expressions they need are encoded together. */
const gatherMs = 150;
/**
 * How long a query waits for its columns before it falls back to the engine: about three times the typical
 * encoding time.
 */
const patienceMs = (rows: number) => 20_000 + rows / 4000;
/** Limit per table. Expressions beyond it are left to the engine. */
const maxFields = 48;

function bytesOf({ parts }: Kept): number {
  return parts.reduce((sum, { rows, words }) => sum + rows * words * 4, 0);
}
