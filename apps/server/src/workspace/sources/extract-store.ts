import { readRegularFile, type DiscoveredTable } from '@belvedere/engine';
import { durationMs, nameFrom, type ModelFile, type TableFile } from '@belvedere/document';
import type { DataType } from '@belvedere/model';
import type { Plan } from '@belvedere/query';
import { writeSql } from '@belvedere/sql';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import path from 'node:path';
import { limits } from '../../limits.ts';
import type { SourceStore } from './source-store.ts';
import { sourceTableOf } from './source.ts';

/** A database table to extract, and how often. */
export interface WantedExtract {
  readonly source: string;
  readonly table: string;
  readonly everyMs: number;
}

/** The name of a table's extract among the files' tables. */
export const extractName = (source: string, table: string) => nameFrom(`${source}_${table}`);

const retryMs = 30_000;
const lookMs = 2_000;
/** A copy that waits for its source looks for it every few seconds. If it does not any more, it has ended. */
const waitingMs = 60_000;

/**
 * Returns the tables to extract: the models' own tables and those they join, each at the shortest interval of
 * its models.
 */
export function wantedExtracts(models: Iterable<ModelFile>): WantedExtract[] {
  const wanted = new Map<string, WantedExtract>();
  for (const model of models) {
    if (!model.extract || model.table === undefined) continue;
    const everyMs = Math.max(limits.minRefreshMs, durationMs(model.extract.every));
    const own = { source: model.source ?? 'files', table: model.table };
    for (const { source, table } of [
      own,
      ...Object.values(model.joins ?? {}).map(join => ({
        source: join.source ?? own.source,
        table: join.table,
      })),
    ]) {
      if (source === 'files') continue;
      const key = extractName(source, table);
      const before = wanted.get(key);
      wanted.set(key, { source, table, everyMs: Math.min(everyMs, before?.everyMs ?? Infinity) });
    }
  }
  return [...wanted.values()];
}

/** Has a table copied, once for a key, now or soon. @throws Error if that could not be recorded */
export type BeginCopy = (name: string, key: string) => Promise<unknown>;

/**
 * Extracts database tables on their schedules. An extract is complete or absent, and the last one is used
 * until the next is complete.
 */
export class ExtractStore {
  readonly #folder: string;
  readonly #sources: SourceStore;
  readonly #changed: () => void;
  readonly #running = new Map<string, { readonly wanted: WantedExtract; readonly stop: AbortController }>();
  /** The last copy of each table, which has ended or will end. */
  readonly #copying = new Map<string, Promise<unknown>>();
  /** When a copy last found its source not ready, ms since 1970. */
  readonly #waitedAt = new Map<string, number>();
  #begin: BeginCopy | undefined;

  constructor(state: string, sources: SourceStore, changed: () => void) {
    this.#folder = path.join(state, 'extracts');
    this.#sources = sources;
    this.#changed = changed;
  }

  /** Lets a server copy tables by jobs, which are listed and retried. Without it, they are copied here. */
  copyBy(begin: BeginCopy): void {
    this.#begin = begin;
  }

  /** Applies the models' current extracts. */
  async update(wanted: readonly WantedExtract[]): Promise<void> {
    const names = new Map(wanted.map(one => [extractName(one.source, one.table), one]));
    for (const [name, { wanted: before, stop }] of this.#running) {
      if (JSON.stringify(names.get(name)) === JSON.stringify(before)) continue;
      stop.abort();
      this.#running.delete(name);
    }
    for (const [name, one] of names) {
      if (this.#running.has(name)) continue;
      const stop = new AbortController();
      this.#running.set(name, { wanted: one, stop });
      void this.#keep(name, one, stop.signal);
    }
  }

  /** Returns the existing extracts, as files to import. */
  async found(): Promise<DiscoveredTable[]> {
    const files = (await readdir(this.#folder).catch(() => [] as string[])).filter(name =>
      name.endsWith('.csv'),
    );
    const tables = await Promise.all(
      files.map(async (file): Promise<DiscoveredTable | undefined> => {
        const name = file.slice(0, -'.csv'.length);
        const full = path.join(this.#folder, file);
        try {
          const reading = JSON.parse(
            String(await readRegularFile(path.join(this.#folder, `${name}.json`))),
          ) as TableFile;
          const stats = await stat(full, { bigint: true });
          const fingerprint = createHash('sha256')
            .update(`extract ${stats.size} ${stats.mtimeNs} ${JSON.stringify(reading)}`)
            .digest('hex')
            .slice(0, 16);
          return {
            name,
            kind: 'csv',
            files: [full],
            isHive: false,
            bytes: Number(stats.size),
            fingerprint,
            reading,
          };
        } catch {
          return undefined;
        }
      }),
    );
    return tables.filter(table => table !== undefined && this.#running.has(table.name)) as DiscoveredTable[];
  }

  close(): void {
    for (const { stop } of this.#running.values()) stop.abort();
    this.#running.clear();
  }

  /**
   * Copies a table now, unless its copy is young enough. @returns whether it is copied; undefined if nothing
   * wants it any more, false if the source is not ready yet. @throws EngineError
   */
  copy(name: string, signal: AbortSignal): Promise<boolean | undefined> {
    // One after another, since each writes the same draft. Then the last one may be young enough.
    const before = this.#copying.get(name) ?? Promise.resolve();
    const copied = before.then(() => this.#copyIfOld(name, signal));
    const ended = copied.then(
      isCopied =>
        void (isCopied === false ? this.#waitedAt.set(name, Date.now()) : this.#waitedAt.delete(name)),
      () => void this.#waitedAt.delete(name),
    );
    this.#copying.set(name, ended);
    return copied;
  }

  async #copyIfOld(name: string, signal: AbortSignal): Promise<boolean | undefined> {
    if (signal.aborted) return undefined;
    const wanted = this.#running.get(name)?.wanted;
    if (!wanted) return undefined;
    if (Date.now() - (await this.#copiedAt(name)) < wanted.everyMs) return true;
    return this.#copy(name, wanted, signal);
  }

  /** When a table was copied last, ms since 1970; 0 if it was not. */
  async #copiedAt(name: string): Promise<number> {
    return stat(path.join(this.#folder, `${name}.csv`)).then(
      stats => stats.mtimeMs,
      () => 0,
    );
  }

  async #keep(name: string, { everyMs }: WantedExtract, signal: AbortSignal): Promise<void> {
    for (;;) {
      const copiedAt = await this.#copiedAt(name);
      const wait = copiedAt + everyMs - Date.now();
      if (wait > 0) {
        if (!(await pause(wait, signal))) return;
        continue;
      }
      const waitMs = await this.#copyDue(name, copiedAt, everyMs, signal);
      if (!(await pause(Math.min(waitMs, everyMs), signal))) return;
    }
  }

  /** @returns after how long to look again */
  async #copyDue(name: string, copiedAt: number, everyMs: number, signal: AbortSignal): Promise<number> {
    try {
      // A copy that waits for its source goes on by itself. A further one would only wait beside it.
      if (this.#begin && Date.now() - (this.#waitedAt.get(name) ?? 0) < waitingMs) return retryMs;
      // The key is the same while nothing is copied, so that a copy that was given up is due again later.
      if (this.#begin) await this.#begin(name, `${Math.round(copiedAt)}:${Math.floor(Date.now() / everyMs)}`);
      else if (!(await this.copy(name, signal))) return lookMs;
    } catch (error) {
      if (process.env['BELVEDERE_DEBUG'])
        process.stderr.write(`Could not copy ${name}: ${(error as Error).message}\n`);
      return retryMs;
    }
    return this.#begin ? retryMs : everyMs;
  }

  /** @returns false if the source is not ready yet */
  async #copy(name: string, wanted: WantedExtract, signal: AbortSignal): Promise<boolean> {
    const source = this.#sources.engineOf(wanted.source);
    const state = this.#sources.states.get(wanted.source);
    const table = state && sourceTableOf(state, wanted.table);
    if (!source || state?.state !== 'ready' || !table) return false;
    const { engine, circuit } = source;
    const plan: Plan = {
      table: wanted.table,
      joins: {},
      zone: 'UTC',
      where: [],
      order: [],
      columns: table.columns.map(({ name: column, type }, i) => ({
        name: `c${i}`,
        type,
        expression: { kind: 'model', expression: { kind: 'column', name: column, type } },
      })),
    };
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const draft = path.join(this.#folder, `${name}.part`);
    const out = createWriteStream(draft, { mode: 0o600 });
    try {
      out.write(`${table.columns.map(column => quoted(column.name)).join(',')}\n`);
      const types = table.columns.map(column => column.type);
      await circuit.run(() =>
        engine.copy(
          writeSql(plan, engine.dialect, () => engine.tableName(table.schema, table.name)),
          { timeoutMs: limits.jobMs, signal },
          row => {
            const isRoomLeft = out.write(`${row.map((cell, i) => cellText(cell, types[i]!)).join(',')}\n`);
            return isRoomLeft ? undefined : once(out, 'drain').then(() => {});
          },
        ),
      );
      await new Promise<void>((resolve, reject) =>
        out.end((error?: Error | null) => (error ? reject(error) : resolve())),
      );
      const reading: TableFile = {
        version: 1,
        encoding: 'UTF-8',
        delimiter: ',',
        header: true,
        skip: 0,
        nulls: ['\\N'],
        columns: Object.fromEntries(
          table.columns.flatMap(({ name: column, type }) =>
            type === 'instant' ? [] : [[column, type === 'other' ? 'text' : type]],
          ),
        ),
      };
      await writeFile(path.join(this.#folder, `${name}.json`), JSON.stringify(reading));
      await rename(draft, path.join(this.#folder, `${name}.csv`));
    } finally {
      out.destroy();
      await rm(draft, { force: true });
    }
    this.#changed();
    return true;
  }
}

/** Quotes texts, which distinguishes empty texts from nulls, and writes instants with their zone. */
function cellText(cell: string | null, type: DataType): string {
  if (cell === null) return '\\N';
  if (type === 'instant') return /(Z|[+-]\d\d(:?\d\d)?)$/.test(cell.slice(11)) ? cell : `${cell}+00`;
  return type === 'text' || type === 'other' ? quoted(cell.replaceAll('\0', '')) : cell;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** @returns false if it was cancelled */
function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise(resolve => {
    if (signal.aborted) return resolve(false);
    const timer = setTimeout(() => resolve(true), Math.min(ms, 2 ** 31 - 1)).unref();
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve(false);
      },
      { once: true },
    );
  });
}
