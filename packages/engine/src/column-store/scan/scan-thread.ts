// The thread that keeps display-resolution columns in memory and runs queries on them, so that the server's
// main thread never blocks.
import type { Plan } from '@belvedere/query';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { QueryResult } from '../../result.ts';
import { ClusteredRows, type ClusteredField } from './clustered-rows.ts';
import { operandKey } from '../encoded-column.ts';
import type { EncodingManifest } from '../encoding/encoding-manifest.ts';
import { countRows, ownMemory } from '../kernel/count-rows.ts';
import { bitFieldKey, type BitField } from '../kernel/scan.ts';
import { addTotals, totalsIn, type ScanLayout } from '../kernel/totals.ts';
import { beginOf, pagesOf } from '../kernel/memory-layout.ts';
import { useHugePages } from '../encoding/huge-pages.ts';
import { fewRows, planBatch, type LoadedTable } from '../plan/plan-batch.ts';
import { Lookups } from '../plan/lookups.ts';
import { planScan, type PlannedScan } from '../plan/plan-scan.ts';
import { operandsOf } from '../plan/plan-shape.ts';
import { readEncoded, type Reading } from '../encoding/read-encoded.ts';
import type { FromScanWorker, ToScanWorker } from './scan-worker.ts';
import { beginZoning, isClustered, readZones } from './zone-map.ts';

export interface ScanThreadSettings {
  readonly threads: number;
  /** See `ColumnStoreSettings`. */
  readonly minRunRows: number;
}

export type ToScans =
  /** More fields of a table, in the row order of its existing fields. */
  | {
      readonly kind: 'load';
      readonly id: number;
      readonly table: string;
      readonly file: string;
      readonly manifest: EncodingManifest;
    }
  | { readonly kind: 'drop'; readonly table: string }
  | { readonly kind: 'ask'; readonly id: number; readonly table: string; readonly plan: Plan }
  | { readonly kind: 'cancel'; readonly id: number }
  /**
   * The thread finishes the current scan and exits by itself. Terminating a thread while it loads koffi
   * crashes the process.
   */
  | { readonly kind: 'end' };

export type FromScans =
  | { readonly kind: 'answered'; readonly id: number; readonly result: QueryResult }
  /**
   * `missing`: the keys of fields that have to be encoded first; empty if encoded columns can never answer
   * the query.
   */
  | { readonly kind: 'cannot'; readonly id: number; readonly missing: readonly string[] }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }
  /** A pass over a table's rows, for all queries collected. */
  | { readonly kind: 'passed'; readonly byRuns: boolean }
  | { readonly kind: 'loaded'; readonly id: number; readonly problem?: string };

interface Waiting {
  readonly id: number;
  readonly planned: PlannedScan;
}

const tables = new Map<string, LoadedTable>();
const waiting = new Map<string, Waiting[]>();
/**
 * Tables that are being loaded, with the id of the order, so that a table dropped meanwhile is not added
 * afterwards.
 */
const loading = new Map<string, number>();

/** A worker thread that runs orders one after another. */
class Helper {
  readonly own = ownMemory();
  readonly #worker = new Worker(new URL('./scan-worker.ts', import.meta.url), {
    workerData: { own: this.own },
  });
  readonly #ordered: PromiseWithResolvers<void>[] = [];

  constructor() {
    this.#worker.on('message', (message: FromScanWorker) => {
      const order = this.#ordered.shift()!;
      if (message.kind === 'done') order.resolve();
      else order.reject(new Error(message.message));
    });
    // The error of a worker ends this thread too. The next thread reloads the tables.
    this.#worker.on('error', error => {
      throw error;
    });
  }

  /** Runs an order. The counts of a scan are then in the totals of the worker's memory. */
  run(order: Exclude<ToScanWorker, { kind: 'end' }>): Promise<void> {
    const ordered = Promise.withResolvers<void>();
    this.#ordered.push(ordered);
    this.#worker.postMessage(order);
    return ordered.promise;
  }

  end(): void {
    this.#worker.postMessage({ kind: 'end' } satisfies ToScanWorker);
  }
}

const { threads, minRunRows } = workerData as ScanThreadSettings;
const helpers = Array.from({ length: threads - 1 }, () => new Helper());
const own = ownMemory();
let isScanning = false;

parentPort!.on('message', (message: ToScans) => {
  switch (message.kind) {
    case 'load':
      return void load(message);
    case 'drop':
      tables.delete(message.table);
      loading.delete(message.table);
      return;
    case 'ask':
      return enqueue(message);
    case 'cancel':
      for (const queries of waiting.values()) {
        const bitField = queries.findIndex(({ id }) => id === message.id);
        if (bitField >= 0) queries.splice(bitField, 1);
      }
      return;
    case 'end':
      clearTimeout(timer);
      waiting.clear();
      for (const helper of helpers) helper.end();
      parentPort!.close();
  }
});

async function load({ id, table, file, manifest }: ToScans & { kind: 'load' }): Promise<void> {
  loading.set(table, id);
  try {
    const before = tables.get(table);
    const firstWord = before?.words.length ?? 0;
    const words = Array.from({ length: manifest.words }, (_, i) => {
      const pages = pagesOf(firstWord + i, manifest.rows);
      return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
    });
    words.forEach(useHugePages);
    const reading: Reading = {
      file,
      words: words.map(({ buffer }, i) => new Uint8Array(buffer, beginOf(firstWord + i), manifest.rows * 4)),
      progress: new Int32Array(new SharedArrayBuffer(4)),
    };
    const helping =
      manifest.rows > fewRows ? helpers.map(helper => helper.run({ kind: 'read', reading })) : [];
    await Promise.all([...helping, Promise.try(readEncoded, reading)]);
    const added = manifest.fields.map(
      field =>
        [
          field.key,
          { ...field, bitField: { ...field.bitField, word: firstWord + field.bitField.word } },
        ] as const,
    );
    const all = [...(before?.words ?? []), ...words];
    const clustered = (before?.clustered ?? new ClusteredRows(manifest.rows, new Map())).with(
      await clusteredAmong(
        added.map(([, { bitField }]) => bitField),
        all,
        manifest.rows,
      ),
    );
    if (loading.get(table) !== id) throw new RangeError('The table has gone.');
    tables.set(table, {
      rows: manifest.rows,
      fields: new Map([...(before?.fields ?? []), ...added]),
      lookups: before?.lookups ?? new Lookups(),
      words: all,
      clustered,
    });
    post({ kind: 'loaded', id });
  } catch (error) {
    post({ kind: 'loaded', id, problem: (error as Error).message });
  } finally {
    if (loading.get(table) === id) loading.delete(table);
  }
}

/** For tables that take a while to scan: the fields whose equal codes are adjacent, by `bitFieldKey`. */
async function clusteredAmong(
  bitFields: readonly BitField[],
  words: readonly WebAssembly.Memory[],
  rows: number,
): Promise<Map<string, ClusteredField>> {
  const found = new Map<string, ClusteredField>();
  if (rows <= fewRows) return found;
  for (const bitField of bitFields) {
    const codes = new Uint32Array(words[bitField.word]!.buffer, beginOf(bitField.word), rows);
    if (found.has(bitFieldKey(bitField)) || !isClustered(codes, bitField)) continue;
    const zoning = beginZoning(codes, bitField);
    const helping = helpers.map(helper => helper.run({ kind: 'zones', zoning }));
    readZones(zoning);
    await Promise.all(helping);
    found.set(bitFieldKey(bitField), { zones: zoning.map, words: codes });
  }
  return found;
}

function enqueue({ id, table, plan }: ToScans & { kind: 'ask' }): void {
  try {
    const found = tables.get(table);
    const keyOf = (expression: Parameters<typeof operandKey>[0]) => operandKey(expression, plan.zone);
    const planned = found && planScan(plan, found, keyOf);
    if (!planned)
      return post({
        kind: 'cannot',
        id,
        missing: (operandsOf(plan, keyOf) ?? []).flatMap(({ key }) => (found?.fields.has(key) ? [] : [key])),
      });
    const queries = waiting.get(table) ?? [];
    waiting.set(table, queries);
    queries.push({ id, planned });
    soon();
  } catch (error) {
    post({ kind: 'failed', id, message: (error as Error).message });
  }
}

/**
 * Tiles send their queries within a few milliseconds. A wait this long combines a dozen of them into one
 * pass.
 */
const gatherMs = 3;
let timer: NodeJS.Timeout | undefined;

function soon(): void {
  if (isScanning) return;
  const isLarge = [...waiting].some(
    ([table, queries]) => queries.length > 0 && (tables.get(table)?.rows ?? 0) > fewRows,
  );
  clearTimeout(timer);
  timer = setTimeout(() => void scanAll(), isLarge ? gatherMs : 0);
}

async function scanAll(): Promise<void> {
  isScanning = true;
  try {
    for (;;) {
      const next = [...waiting].find(([, queries]) => queries.length > 0);
      if (!next) return;
      const [table, queries] = next;
      await scanTable(table, queries.splice(0, maxTogether));
    }
  } finally {
    isScanning = false;
  }
}

/** With more cubes in one pass, their cells evict one another from the processor's cache. */
const maxTogether = 40;

async function scanTable(name: string, queries: readonly Waiting[]): Promise<void> {
  try {
    const table = tables.get(name);
    if (!table) throw new RangeError('The table has gone.');
    const { share, layout, isShort, byRuns, results } = planBatch(
      queries.map(({ planned }) => planned),
      table,
      minRunRows,
    );
    const helping = isShort ? [] : helpers;
    const helped = helping.map(helper => helper.run({ kind: 'count', share }));
    countRows(share, own);
    await Promise.all(helped);
    await addUp(helping, layout);
    post({ kind: 'passed', byRuns });
    const totals = totalsIn(own.buffer, layout);
    queries.forEach(({ id }, i) => post({ kind: 'answered', id, result: results[i]!(totals) }));
  } catch (error) {
    for (const { id } of queries) post({ kind: 'failed', id, message: (error as Error).message });
  }
}

/**
 * With few threads, this thread adds up the others' totals. With many, that would take longer than counting,
 * so each thread adds up a portion of the cells.
 */
async function addUp(helping: readonly Helper[], layout: ScanLayout): Promise<void> {
  const from = helping.map(helper => helper.own);
  const of = helping.length > 1 ? threads : 1;
  const helped =
    of > 1
      ? helping.map((helper, i) =>
          helper.run({ kind: 'add', into: own, from, portion: { bitField: i + 1, of } }),
        )
      : [];
  addTotals(
    own.buffer,
    from.map(({ buffer }) => buffer),
    layout,
    { bitField: 0, of },
  );
  await Promise.all(helped);
}

function post(message: FromScans): void {
  parentPort!.postMessage(message);
}
