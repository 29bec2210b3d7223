import { joinedTables } from '@belvedere/model';
import type { Plan, PlanExpression } from '@belvedere/query';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { EngineError, queryCancelled, refuseCancelled, type Answer } from '../result.ts';
import { readRegularFile } from '../regular-file.ts';
import { operandKey } from './encoded-column.ts';
import { startEncodeProcess, type EncodeProcess } from './encode-process.ts';
import { codesVersion, isWhole, type EncodingManifest } from './encoding-manifest.ts';
import { withCanonicalJoins } from './canonical-joins.ts';
import { operandsOf, type Operand } from './plan-scan.ts';
import type { FromScans, ScanThreadSettings, ToScans } from './scan-thread.ts';

export interface ColumnStoreSettings {
  readonly tablesFolder: string;
  readonly spillFolder: string;
  readonly memoryBytes: number;
  readonly threads: number;
  /** Tables with fewer rows are not worth it: the engine answers as fast. */
  readonly leastRows: number;
  /** Questions about tables with more rows wait until what they need is coded. */
  readonly patientRows: number;
  /** Passes over fewer rows are not counted by runs: a second loop takes as long to be compiled as it saves. */
  readonly leastRunRows?: number;
  /** All tables' codes together; past it, those asked least lately go. */
  readonly budgetBytes: number;
}

/** A table as the questions name it, and as it lies on the disk. */
export interface StoredTable {
  readonly name: string;
  /** Names the very version of its data. */
  readonly alias: string;
  readonly database: string;
  readonly rows: number;
}

/** An expression, and what it is to be read by. */
interface Wanted {
  readonly expression: PlanExpression;
  readonly plan: Pick<Plan, 'table' | 'joins' | 'zone'>;
}

interface Kept {
  /** What has been built and loaded, in the order of its numbers. */
  readonly parts: EncodingManifest[];
  /** Once the files of an earlier run have been looked for. */
  ready: Promise<void>;
  /** Expressions that questions needed and that are not coded. */
  readonly wanted: Map<string, Wanted>;
  /** Those that are being coded. */
  coming: ReadonlySet<string>;
  readonly refused: Set<string>;
  timer: NodeJS.Timeout | undefined;
  /** The build under way, or about to begin. */
  building: PromiseWithResolvers<void> | undefined;
  /** The process that will do it, started while what is wanted is still gathered. */
  coder: EncodeProcess | undefined;
  lastAsked: number;
}

/**
 * Display-resolution columns: beside a table, each charted expression as a small whole number a row, packed into words that a compiled loop
 * reads at the speed of memory. They are built in the background from a table's first use, in a process of their own; what they cannot
 * answer exactly, or not yet, they leave to the engine.
 */
export class ColumnStore {
  readonly #settings: ColumnStoreSettings;
  readonly #tables = new Map<string, Kept>();
  readonly #asked = new Map<
    number,
    { resolve: (answer: Answer | undefined) => void; reject: (error: Error) => void }
  >();
  readonly #loading = new Map<number, PromiseWithResolvers<void>>();
  #thread: Worker | undefined;
  #nextId = 1;
  #last: Promise<void> = Promise.resolve();
  #isClosed = false;
  readonly #coders = new Set<EncodeProcess>();
  answered = 0;
  /** Over a table's rows: the questions of a moment are gathered into one. */
  passes = 0;
  /** So many of them counted rows that have slots in common together. */
  passesByRuns = 0;

  constructor(settings: ColumnStoreSettings) {
    this.#settings = settings;
  }

  /** Bytes of all words in memory. */
  get bytes(): number {
    return [...this.#tables.values()].reduce((sum, kept) => sum + bytesOf(kept), 0);
  }

  /**
   * The answer to a plan, from codes alone.
   * @param stored gives a table the plan names; its codes belong to that version of its data and to no other
   * @returns undefined where the engine must be asked
   */
  async answer(
    asked: Plan,
    stored: (name: string) => StoredTable | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Answer | undefined> {
    const table = stored(asked.table);
    if (!table || table.rows < this.#settings.leastRows || this.#isClosed) return undefined;
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
    // How many rows a table has the engine knows without looking at one.
    if (operands.length === 0 && kept.parts.length === 0) return undefined;
    const missing = operands.filter(({ key }) => !isCoded(key));
    if (missing.length > 0) {
      this.#want(kept, table, plan, missing, stored);
      if (table.rows < this.#settings.patientRows || !kept.building) return undefined;
      // A table so large takes the engine longer to count once than to code: better to wait than to stand in the way.
      await Promise.race([
        kept.building.promise,
        new Promise(resolve => setTimeout(resolve, patienceMs(table.rows)).unref()),
      ]);
      refuseCancelled(signal);
      if (isHopeless() || !operands.every(({ key }) => isCoded(key))) return undefined;
    }
    return this.#ask(table.alias, plan, signal);
  }

  /** Forgets a version of a table; its files go. */
  async forget(alias: string): Promise<void> {
    const kept = this.#tables.get(alias);
    clearTimeout(kept?.timer);
    kept?.coder?.end();
    this.#tables.delete(alias);
    this.#thread?.postMessage({ kind: 'drop', table: alias } satisfies ToScans);
    const names = await readdir(this.#settings.tablesFolder).catch(() => [] as string[]);
    await Promise.all(
      names
        .filter(name => name.startsWith(`${alias}.`) && /\.codes(\.json)?$/.test(name))
        .map(name => rm(path.join(this.#settings.tablesFolder, name), { force: true })),
    );
  }

  /** Once everything wanted so far is built. */
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
    for (const coder of this.#coders) coder.end();
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

  /** What an earlier run left serves at once. */
  #find(table: StoredTable): Kept {
    const kept: Kept = {
      parts: [],
      ready: Promise.resolve(),
      wanted: new Map(),
      coming: new Set(),
      refused: new Set(),
      timer: undefined,
      building: undefined,
      coder: undefined,
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
    // Where the next part is missing or torn, it will be built when it is wanted; what a killed build left goes.
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

  /** Drops the codes of tables asked least lately until the rest fits; they stay on the disk. */
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
    const unheard = missing.filter(({ key }) => !kept.coming.has(key) && !kept.wanted.has(key));
    // Whoever asks the same again and again must not put it off again and again.
    if (unheard.length === 0) return;
    for (const { key, expression } of unheard) {
      // One table's codes never outgrow the budget: what does not fit any more is asked of the engine.
      if (
        fields + kept.wanted.size >= mostFields ||
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
    if (this.#coders.size === 0) kept.coder = this.#startEncodeProcess();
    // Ready when the codes are.
    this.#started();
    clearTimeout(kept.timer);
    kept.timer = setTimeout(() => {
      kept.timer = undefined;
      // One table at a time: each takes all cores.
      this.#last = this.#last
        .then(() => this.#build(kept, table, stored))
        .catch(() => {})
        .then(() => {
          const { building } = kept;
          kept.building = undefined;
          // What was asked for meanwhile.
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
    const coder = kept.coder ?? this.#startEncodeProcess();
    kept.coder = undefined;
    // In one pass goes what is read by one clock; the others are next.
    const wanted = [...kept.wanted].filter(([, { plan }]) => plan.zone === first.plan.zone);
    for (const [key] of wanted) kept.wanted.delete(key);
    kept.coming = new Set(wanted.map(([key]) => key));
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
      const manifest = await coder.code({
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
      // Not tried again before the next start: the engine answers these.
      for (const [key] of wanted) kept.refused.add(key);
      if (process.env['BELVEDERE_DEBUG'])
        process.stderr.write(`Columns of ${table.name} could not be coded: ${(error as Error).message}\n`);
    } finally {
      kept.coming = new Set();
      coder.end();
    }
  }

  #startEncodeProcess(): EncodeProcess {
    const coder = startEncodeProcess(this.#settings);
    this.#coders.add(coder);
    void coder.ended.then(() => this.#coders.delete(coder));
    return coder;
  }

  #ask(table: string, plan: Plan, signal: AbortSignal | undefined): Promise<Answer | undefined> {
    const id = this.#nextId++;
    const thread = this.#started();
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#asked.delete(id);
        thread.postMessage({ kind: 'cancel', id } satisfies ToScans);
        reject(queryCancelled());
      };
      const settle = () => signal?.removeEventListener('abort', onAbort);
      signal?.addEventListener('abort', onAbort);
      this.#asked.set(id, {
        resolve: answer => {
          settle();
          resolve(answer);
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
    const thread = new Worker(new URL('./scan-thread.ts', import.meta.url), {
      workerData: {
        threads: this.#settings.threads,
        leastRunRows: this.#settings.leastRunRows ?? 20_000_000,
      } satisfies ScanThreadSettings,
    });
    thread.unref();
    thread.on('message', (message: FromScans) => this.#receive(message));
    // Whatever went wrong there, the engine still answers; the next question begins with the files on the disk.
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
    for (const { resolve } of this.#asked.values()) resolve(undefined);
    this.#asked.clear();
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
    const asked = this.#asked.get(message.id);
    this.#asked.delete(message.id);
    if (message.kind === 'answered') this.answered++;
    asked?.resolve(message.kind === 'answered' ? message.answer : undefined);
  }
}

/** A page's tiles ask within a moment of one another; all they need is coded at once. */
const gatherMs = 150;
/** How long a question waits for its fields to be coded before the engine is asked after all: some three times as long as that takes here. */
const patienceMs = (rows: number) => 20_000 + rows / 4000;
/** Of one table; what is wanted beyond is asked of the engine. */
const mostFields = 48;

function bytesOf({ parts }: Kept): number {
  return parts.reduce((sum, { rows, words }) => sum + rows * words * 4, 0);
}
