import {
  partShownFirst,
  ImportError,
  type DiscoveredTable,
  type FileEngine,
  type ImportedTable,
  type Importer,
} from '@belvedere/engine';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { schemaOf } from '../assemble-model.ts';
import type { DelayedWork } from '../delayed-work.ts';
import { inferAhead, parentOf } from '../documents/inferred-models.ts';
import type { WorkspaceFolders } from '../workspace-folders.ts';
import type { TableState, Workspace } from '../workspace.ts';
import type { TablesAndFiles } from './discover-tables.ts';
import { GrowingTables, hasGrown } from './growing-tables.ts';
import { shownFile } from './shown-file.ts';

/** What a table store takes from its workspace, and tells it. */
interface TableStoreOptions {
  readonly folders: Pick<WorkspaceFolders, 'root' | 'data'>;
  readonly engine: Pick<FileEngine, 'attach' | 'detach'>;
  readonly importer: Importer;
  readonly delayed: DelayedWork;
  /** Finds the tables in the files, as they are now. */
  readonly discover: () => Promise<TablesAndFiles>;
  /** Whether a table's model is in a file, so that none is inferred. */
  readonly hasModel: (table: string) => boolean;
  /** Called when there are other tables, or tables in another state. */
  readonly onChange: () => void;
  /** Called often during an import. `current` has the table's state. */
  readonly onProgress: (table: string, percent: number) => void;
}

/** The tables of a workspace's files: finds them, imports new and changed ones, and attaches them to the engine. */
export class TableStore {
  readonly #options: TableStoreOptions;
  #tables = new Map<string, TableState>();
  #skippedFiles: Workspace['skippedFiles'] = [];
  /** Cancels running and waiting imports. */
  readonly #imports = new Map<DiscoveredTable, AbortController>();
  readonly #growing = new GrowingTables();
  #scan: Promise<void> = Promise.resolve();

  constructor(options: TableStoreOptions) {
    this.#options = options;
  }

  /** A copy of the tables by name, which does not change. */
  get current(): ReadonlyMap<string, TableState> {
    return new Map(this.#tables);
  }

  /** Files that are no tables, also those in archives. Their paths are for display. */
  get skippedFiles(): Workspace['skippedFiles'] {
    const inArchives = [...this.#tables.values()].flatMap(({ imported }) => imported?.skippedFiles ?? []);
    return [...this.#skippedFiles, ...inArchives.map(one => this.#shownSkipped(one))];
  }

  /**
   * Finds the tables, attaches those that were imported earlier, and starts importing the others. One scan at a
   * time. A failed scan does not prevent the next.
   */
  scan(): Promise<void> {
    const scan = this.#scan.then(() => this.#scanNow());
    this.#scan = scan.catch(() => {});
    return scan;
  }

  /**
   * Cancels a table's import. An earlier version stays in use. @returns whether there was an import to cancel
   */
  cancelImport(name: string): boolean {
    const stop = this.#imports.get(this.#tables.get(name)?.found as DiscoveredTable);
    stop?.abort();
    return stop !== undefined;
  }

  /** Retries a table's cancelled or failed import. @returns whether there was one */
  retryImport(name: string): boolean {
    const table = this.#tables.get(name);
    if (table?.state !== 'stopped' && table?.state !== 'rejected') return false;
    for (const { problem: _, ...one } of this.#tablesOf(table.found))
      this.#tables.set(one.name, { ...one, state: 'waiting' });
    this.#options.onChange();
    void this.#import(table.found);
    return true;
  }

  async #scanNow(): Promise<void> {
    const { importer, onChange } = this.#options;
    const { tables, skippedFiles } = await this.#options.discover();
    const importedBefore = await importer.readBefore();
    const next = new Map<string, TableState>();
    const toImport: DiscoveredTable[] = [];
    for (const found of tables) {
      const known = [...this.#tables.values()].filter(
        table => table.found.name === found.name && isSameTable(table.found, found),
      );
      const [first] = known;
      const isSame = known.every(table => table.found.fingerprint === found.fingerprint);
      const kept = first && (isSame || this.#waits(first.found, found)) ? known : undefined;
      const states = kept ?? (await this.#attachedBefore(found, importedBefore));
      if (states.length === 0) {
        toImport.push(found);
        if (first) states.push(...known.map(table => ({ ...table, found, state: 'waiting' as const })));
        else states.push({ name: found.name, found, state: 'waiting' });
      }
      for (const table of states) next.set(table.name, table);
    }
    this.#tables = next;
    this.#growing.keep(new Set([...next.values()].map(table => table.found.name)));
    this.#cancelUnwanted();
    this.#skippedFiles = skippedFiles.map(one => this.#shownSkipped(one));
    onChange();
    // Small files first, so that the first charts need not wait for the largest.
    for (const found of toImport.toSorted((a, b) => a.bytes - b.bytes)) void this.#import(found);
  }

  /** Imports of an earlier run may be damaged. They are only copies, so their files are imported again. */
  async #attachedBefore(
    found: DiscoveredTable,
    importedBefore: ReadonlyMap<string, readonly ImportedTable[]>,
  ): Promise<TableState[]> {
    const imported = importedBefore.get(found.fingerprint) ?? [];
    return Promise.all(imported.map(one => this.#attached(found, one))).catch(() => []);
  }

  /** Whether a table keeps its version for now, because its files keep growing. Then they are looked at later. */
  #waits(before: DiscoveredTable, found: DiscoveredTable): boolean {
    if (!hasGrown(before, found)) return false;
    const pause = this.#growing.pause(found.name, performance.now());
    // A running import looks again at its end.
    if (pause > 0 && pause < Infinity) this.#scanGrowing(found.name, pause);
    return pause > 0;
  }

  #scanGrowing(table: string, ms: number): void {
    this.#options.delayed.soon(`growing ${table}`, ms, () => this.scan());
  }

  /** Cancels imports of changed and removed files. */
  #cancelUnwanted(): void {
    const wanted = new Set([...this.#tables.values()].map(table => table.found));
    for (const [found, stop] of this.#imports) if (!wanted.has(found)) stop.abort();
  }

  async #import(found: DiscoveredTable): Promise<void> {
    const { importer, onChange, onProgress } = this.#options;
    const stop = new AbortController();
    this.#imports.set(found, stop);
    const queued = this.#growing.queued(found.name);
    let began: number | undefined;
    try {
      await this.#importPart(found, stop.signal);
      const imported = await importer.import(
        found,
        ({ percent, file }) => {
          began ??= performance.now();
          this.#update(found, { state: 'importing', percent, ...(file && { file }) });
          onProgress(found.name, percent);
        },
        stop.signal,
      );
      await this.#install(found, imported);
    } catch (error) {
      this.#dropPart(found);
      if (stop.signal.aborted) return this.#update(found, { state: 'stopped' });
      this.#update(found, { state: 'rejected', problem: this.#problemOf(found, error) });
    } finally {
      if (this.#imports.get(found) === stop) {
        this.#imports.delete(found);
        const now = performance.now();
        if (this.#growing.ended(found.name, queued, began ?? now, now)) this.#scanGrowing(found.name, 0);
      }
      onChange();
    }
  }

  /** Shows a part of a large table until all of it is imported for the first time. */
  async #importPart(found: DiscoveredTable, signal: AbortSignal): Promise<void> {
    const shown = partShownFirst(found);
    if (!shown || this.#tablesOf(found).some(table => table.imported)) return;
    try {
      const imported = await this.#options.importer.import(shown.table, () => {}, signal);
      await this.#install(found, imported, { state: 'waiting', part: shown.part });
      this.#options.onChange();
    } catch {
      // The import of the whole table reports the reason.
    }
  }

  /** A part to which the rest will not be added is not the table. */
  #dropPart(found: DiscoveredTable): void {
    for (const { part, imported, alias, ...table } of this.#tablesOf(found)) {
      if (part === undefined) continue;
      this.#tables.set(table.name, table);
      if (imported && alias !== undefined) void this.#detach({ ...table, imported, alias }).catch(() => {});
    }
  }

  /** Replaces the tables of some files by those of their latest import, unless the files have changed since. */
  async #install(
    found: DiscoveredTable,
    imported: readonly ImportedTable[],
    state: Pick<TableState, 'state' | 'part'> = { state: 'ready' },
  ): Promise<void> {
    const isWanted = () => this.#tablesOf(found).length > 0;
    if (!isWanted()) return;
    const attached = await Promise.all(imported.map(one => this.#attached(found, one)));
    const installed = attached.map(table => ({ ...table, ...state }));
    await this.#inferModels(imported);
    const replaced = isWanted()
      ? [...this.#tables.values()].filter(table => table.found.name === found.name)
      : undefined;
    if (replaced) {
      // Synchronous, so that concurrent readers find either the old tables or the new ones.
      for (const table of replaced) this.#tables.delete(table.name);
      for (const table of installed) this.#tables.set(table.name, table);
    }
    // If the server has been closed meanwhile, the engine is gone.
    for (const table of replaced ?? installed) if (table.imported) void this.#detach(table).catch(() => {});
  }

  async #inferModels(imported: readonly ImportedTable[]): Promise<void> {
    const schemaNamed = (name: string) => imported.filter(one => one.name === name).map(schemaOf)[0];
    for (const one of imported)
      if (!this.#options.hasModel(one.name))
        await inferAhead(one.name, one.profile, schemaOf(one), one.fingerprint, parentOf(one, schemaNamed));
  }

  #problemOf(found: DiscoveredTable, error: unknown): NonNullable<TableState['problem']> {
    const { line, file = found.files[0]! } = error instanceof ImportError ? error : {};
    return {
      file: shownFile(file, this.#options.folders.root),
      ...(line !== undefined && { line }),
      message: (error as Error).message,
    };
  }

  #update(found: DiscoveredTable, change: Partial<TableState>): void {
    for (const table of this.#tablesOf(found)) this.#tables.set(table.name, { ...table, ...change });
  }

  /** The tables that come from the same files. */
  #tablesOf(found: DiscoveredTable): readonly TableState[] {
    return [...this.#tables.values()].filter(table => table.found === found);
  }

  async #attached(found: DiscoveredTable, imported: ImportedTable): Promise<TableState> {
    const alias = `${imported.name}-${imported.fingerprint}`;
    await this.#options.engine.attach(alias, imported.database, imported.name);
    return { name: imported.name, found, state: 'ready', imported, alias };
  }

  /** Deletes an old version after a minute, when no query that uses it can still run. */
  async #detach(table: TableState): Promise<void> {
    await new Promise(resolve => setTimeout(resolve, 60_000).unref());
    if (this.#tables.get(table.name)?.alias === table.alias || !table.alias || !table.imported) return;
    await this.#options.engine.detach(table.alias);
    await rm(table.imported.database, { force: true });
    await rm(`${table.imported.database}.json`, { force: true });
  }

  #shownSkipped({ file, reason }: { readonly file: string; readonly reason: string }) {
    return { file: shownFile(file, path.dirname(this.#options.folders.data)), reason };
  }
}

/** Whether one may replace the other. The first of several files may be new. */
function isSameTable(one: DiscoveredTable, other: DiscoveredTable): boolean {
  return one.files[0] === other.files[0] || (one.files.length > 1 && other.files.length > 1);
}
