import type { Plan, PlanExpression } from '@belvedere/query';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { EngineError, type Answer } from '../answer.ts';
import { spawnWorker } from '../pool/spawn-worker.ts';
import { operandKey } from './coded-field.ts';
import type { CodesOrder } from './codes-worker.ts';
import { operandsOf } from './plan-scan.ts';
import type { FromScans, ToScans } from './scan-thread.ts';
import { codesVersion, isWhole, type CodesManifest } from './write-codes.ts';

export interface CodedTablesSettings {
  readonly tablesFolder: string;
  readonly spillFolder: string;
  readonly memoryBytes: number;
  readonly threads: number;
  /** Tables with fewer rows are not worth it: the engine answers as fast. */
  readonly leastRows: number;
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

interface Kept {
  /** As far as reading or building it has come; `undefined` until the file of an earlier run has been looked for. */
  manifest: CodesManifest | undefined;
  ready: Promise<void>;
  /** Expressions that questions needed and that are not coded. */
  readonly wanted: Map<string, PlanExpression>;
  /** Expressions that are coded, so that they are coded again when others join them. */
  readonly coded: Map<string, PlanExpression>;
  readonly refused: Set<string>;
  plan: Pick<Plan, 'table' | 'joins' | 'zone'> | undefined;
  timer: NodeJS.Timeout | undefined;
  isBuilding: boolean;
  lastAsked: number;
}

/**
 * Display-resolution columns: beside a table, each charted expression as a small whole number a row, packed into words that a compiled loop
 * reads at the speed of memory. They are built in the background from a table's first use, in a process of their own; what they cannot
 * answer exactly, or not yet, they leave to the engine.
 */
export class CodedTables {
  readonly #settings: CodedTablesSettings;
  readonly #tables = new Map<string, Kept>();
  readonly #asked = new Map<number, { resolve: (answer: Answer | undefined) => void; reject: (error: Error) => void }>();
  readonly #loading = new Map<string, PromiseWithResolvers<void>>();
  #thread: Worker | undefined;
  #nextId = 1;
  #building: Promise<void> = Promise.resolve();
  #isClosed = false;
  #children = new Set<{ kill: (signal: 'SIGKILL') => boolean }>();
  scans = 0;

  constructor(settings: CodedTablesSettings) {
    this.#settings = settings;
  }

  /** Bytes of all words in memory. */
  get bytes(): number {
    return [...this.#tables.values()].reduce((sum, { manifest }) => sum + (manifest ? bytesOf(manifest) : 0), 0);
  }

  /**
   * The answer to a plan, from codes alone.
   * @param stored gives a table the plan names; its codes belong to that version of its data and to no other
   * @returns undefined where the engine must be asked
   */
  async answer(plan: Plan, stored: (name: string) => StoredTable | undefined, as: 'numbers' | 'values', signal: AbortSignal | undefined): Promise<Answer | undefined> {
    const table = stored(plan.table);
    if (!table || table.rows < this.#settings.leastRows || this.#isClosed) return undefined;
    const versions = Object.fromEntries(Object.entries(plan.joins).map(([name, join]) => [name, stored(join.table)?.alias ?? '']));
    const operands = operandsOf(plan, expression => operandKey(expression, plan.zone, versions));
    if (!operands) return undefined;
    const kept = this.#tables.get(table.alias) ?? this.#find(table);
    kept.lastAsked = performance.now();
    await kept.ready;
    signal?.throwIfAborted();
    const byKey = new Map(operands.map(({ key, expression }) => [key, expression]));
    for (const key of byKey.keys()) if (kept.refused.has(key)) return undefined;
    if (!kept.manifest || operands.some(({ key }) => !kept.manifest!.fields.some(field => field.key === key))) {
      this.#want(kept, table, plan, byKey, stored);
      return undefined;
    }
    return this.#ask(table.alias, plan, as, versions, signal);
  }

  /** Forgets a version of a table; its files go. */
  async forget(alias: string): Promise<void> {
    const kept = this.#tables.get(alias);
    clearTimeout(kept?.timer);
    this.#tables.delete(alias);
    this.#thread?.postMessage({ kind: 'drop', table: alias } satisfies ToScans);
    await Promise.all([rm(this.#file(alias), { force: true }), rm(`${this.#file(alias)}.json`, { force: true })]);
  }

  /** Once everything wanted so far is built. */
  async settled(): Promise<void> {
    for (;;) {
      await this.#building;
      if ([...this.#tables.values()].every(kept => kept.wanted.size === 0 && !kept.isBuilding)) return;
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const kept of this.#tables.values()) clearTimeout(kept.timer);
    for (const child of this.#children) child.kill('SIGKILL');
    await this.#thread?.terminate();
  }

  #file(alias: string): string {
    return path.join(this.#settings.tablesFolder, `${alias}.codes`);
  }

  /** What an earlier run left serves at once. */
  #find(table: StoredTable): Kept {
    const kept: Kept = { manifest: undefined, ready: Promise.resolve(), wanted: new Map(), coded: new Map(), refused: new Set(), plan: undefined, timer: undefined, isBuilding: false, lastAsked: 0 };
    this.#tables.set(table.alias, kept);
    kept.ready = readFile(`${this.#file(table.alias)}.json`, 'utf8')
      .then(async written => {
        const manifest = JSON.parse(written) as CodesManifest;
        if (manifest.version === codesVersion && manifest.rows === table.rows && isWhole(this.#file(table.alias), manifest)) await this.#load(table.alias, kept, manifest);
      })
      .catch(() => {});
    return kept;
  }

  async #load(alias: string, kept: Kept, manifest: CodesManifest): Promise<void> {
    const loaded = Promise.withResolvers<void>();
    this.#loading.set(alias, loaded);
    this.#started().postMessage({ kind: 'load', table: alias, file: this.#file(alias), manifest } satisfies ToScans);
    await loaded.promise;
    kept.manifest = manifest;
    for (const key of manifest.refused) kept.refused.add(key);
    this.#keepWithin(alias);
  }

  /** Drops the codes of tables asked least lately until the rest fits; they stay on the disk. */
  #keepWithin(latest: string): void {
    for (const [alias, kept] of [...this.#tables].toSorted(([, a], [, b]) => a.lastAsked - b.lastAsked)) {
      if (this.bytes <= this.#settings.budgetBytes) return;
      if (alias === latest || !kept.manifest) continue;
      this.#tables.delete(alias);
      this.#thread?.postMessage({ kind: 'drop', table: alias } satisfies ToScans);
    }
  }

  #want(kept: Kept, table: StoredTable, plan: Plan, operands: ReadonlyMap<string, PlanExpression>, stored: (name: string) => StoredTable | undefined): void {
    for (const [key, expression] of operands) {
      if (kept.manifest?.fields.some(field => field.key === key)) kept.coded.set(key, expression);
      else kept.wanted.set(key, expression);
    }
    kept.plan = { table: plan.table, zone: plan.zone, joins: { ...kept.plan?.joins, ...plan.joins } };
    if (kept.isBuilding) return;
    clearTimeout(kept.timer);
    kept.timer = setTimeout(() => {
      kept.isBuilding = true;
      // One table at a time: each takes all cores.
      this.#building = this.#building.then(() => this.#build(kept, table, stored)).catch(() => {}).finally(() => {
        kept.isBuilding = false;
      });
    }, gatherMs);
  }

  async #build(kept: Kept, table: StoredTable, stored: (name: string) => StoredTable | undefined): Promise<void> {
    if (this.#isClosed || !kept.plan) return;
    const all = new Map([...kept.coded, ...kept.wanted]);
    kept.wanted.clear();
    const keys = [...all.keys()].slice(-mostFields);
    const names = [kept.plan.table, ...Object.values(kept.plan.joins).map(join => join.table)];
    const tables = [...new Set(names)].flatMap(name => stored(name) ?? []).map(({ name, alias, database }) => ({ name, alias, database }));
    const order: CodesOrder = {
      plan: { ...kept.plan, columns: keys.map((key, i) => ({ name: `c${i}`, expression: all.get(key)! })), where: [], order: [] },
      wanted: keys.map((key, i) => ({ key, column: `c${i}` })),
      tables,
      file: this.#file(table.alias),
      spillFolder: this.#settings.spillFolder,
    };
    const manifest = await this.#run(order);
    if (manifest.rows === table.rows && this.#tables.get(table.alias) === kept) {
      for (const [key, expression] of all) if (manifest.fields.some(field => field.key === key)) kept.coded.set(key, expression);
      await this.#load(table.alias, kept, manifest);
    } else for (const key of manifest.refused) kept.refused.add(key);
  }

  #run(order: CodesOrder): Promise<CodesManifest> {
    const { memoryBytes, threads } = this.#settings;
    const child = spawnWorker(new URL('./codes-worker.ts', import.meta.url), memoryBytes + headroomBytes, { BELVEDERE_MEMORY: String(memoryBytes), BELVEDERE_THREADS: String(threads) });
    this.#children.add(child);
    return new Promise<CodesManifest>((resolve, reject) => {
      child.on('message', (message: { kind: 'ready' } | { kind: 'done'; manifest: CodesManifest } | { kind: 'failed'; message: string }) => {
        if (message.kind === 'ready') child.send(order);
        else if (message.kind === 'done') resolve(message.manifest);
        else reject(new EngineError('query-failed', message.message));
      });
      child.on('error', reject);
      child.on('exit', () => reject(new EngineError('source-unreachable', 'The process that codes columns ended early.')));
    }).finally(() => {
      this.#children.delete(child);
      child.kill('SIGKILL');
    });
  }

  #ask(table: string, plan: Plan, as: 'numbers' | 'values', versions: Readonly<Record<string, string>>, signal: AbortSignal | undefined): Promise<Answer | undefined> {
    const id = this.#nextId++;
    const thread = this.#started();
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#asked.delete(id);
        thread.postMessage({ kind: 'cancel', id } satisfies ToScans);
        reject(new EngineError('query-cancelled', 'The question was cancelled.'));
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
      thread.postMessage({ kind: 'ask', id, table, plan, as, versions } satisfies ToScans);
    });
  }

  #started(): Worker {
    if (this.#thread) return this.#thread;
    const thread = new Worker(new URL('./scan-thread.ts', import.meta.url), { workerData: { threads: this.#settings.threads } });
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
    for (const { reject } of this.#loading.values()) reject(new EngineError('source-unreachable', 'The thread that scans codes ended.'));
    this.#loading.clear();
    for (const { resolve } of this.#asked.values()) resolve(undefined);
    this.#asked.clear();
  }

  #receive(message: FromScans): void {
    if (message.kind === 'loaded') {
      const loading = this.#loading.get(message.table);
      this.#loading.delete(message.table);
      if (message.problem === undefined) loading?.resolve();
      else loading?.reject(new EngineError('query-failed', message.problem));
      return;
    }
    const asked = this.#asked.get(message.id);
    this.#asked.delete(message.id);
    if (message.kind === 'answered') this.scans++;
    asked?.resolve(message.kind === 'answered' ? message.answer : undefined);
  }
}

/** A page's tiles ask within a moment of one another; all they need is coded at once. */
const gatherMs = 400;
/** A table's codes beyond this many fields: those wanted first go. */
const mostFields = 48;
const headroomBytes = 3 * 2 ** 30;

function bytesOf({ rows, words }: CodesManifest): number {
  return rows * words * 4;
}
