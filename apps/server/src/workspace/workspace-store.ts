import type { ServerEvent } from '@belvedere/api';
import type { TableFile } from '@belvedere/document';
import {
  discover,
  FirstLines,
  Importer,
  type FileEngine,
  type DiscoveredTable,
  type ImportedTable,
  type SkippedFile,
} from '@belvedere/engine';
import { ImportError, type ImportReport } from '@belvedere/engine';
import { watch } from 'chokidar';
import { realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Confirmations } from './sources/confirmations.ts';
import { ExtractStore, wantedExtracts } from './sources/extract-store.ts';
import { RelationshipStore } from './relationships/relationship-store.ts';
import { SourceStore } from './sources/source-store.ts';
import { SqlTables } from './sources/sql-tables.ts';
import { UploadedFiles } from './sources/uploaded-files.ts';
import { schemaOf } from './assemble-model.ts';
import { assembleWorkspace } from './assemble-workspace.ts';
import { DataOutside } from './data-entries.ts';
import { GrowingTables, hasGrown } from './growing-tables.ts';
import { inferAhead, parentOf } from './documents/inferred-models.ts';
import { namedTables } from './documents/named-tables.ts';
import { DocumentReader } from './documents/document-reader.ts';
import { documentFolders, readDocuments, type Documents } from './documents/read-documents.ts';
import type { TableState, Workspace } from './workspace.ts';

export interface WorkspaceFolders {
  /** The folder of the documents, which may not exist yet. */
  readonly root: string;
  /** The data: a folder or a single file. */
  readonly data: string;
  readonly tables: string;
  /** Remembered tables of sources, and stored secrets. */
  readonly state: string;
}

/** Holds the current workspace, and creates a new one whenever a file changes or an import finishes. */
export class WorkspaceStore {
  readonly folders: WorkspaceFolders;
  readonly reader = new DocumentReader();
  readonly sources: SourceStore;
  readonly confirmations: Confirmations;
  readonly extracts: ExtractStore;
  readonly #sqlTables: SqlTables;
  readonly relationships: RelationshipStore;
  readonly uploaded: UploadedFiles;
  readonly #engine: FileEngine;
  readonly #importer: Importer;
  readonly #defaults: { readonly title: string; readonly zone: string };
  readonly #listeners = new Set<(event: ServerEvent) => void>();
  #documents: Documents = {
    settings: {},
    declaredGrants: [],
    problems: [],
    models: new Map(),
    sources: new Map(),
    readings: new Map(),
    translations: new Map(),
    dashboards: new Map(),
    alerts: new Map(),
    reports: new Map(),
    tests: [],
  };
  #tables = new Map<string, TableState>();
  /** Cancels running and waiting imports. */
  readonly #stops = new Map<DiscoveredTable, AbortController>();
  readonly #growing = new GrowingTables();
  readonly #firstLines = new FirstLines();
  readonly #dataOutside = new DataOutside();
  #skippedFiles: Workspace['skippedFiles'] = [];
  #watcher: ReturnType<typeof watch> | undefined;
  readonly #timers = new Map<string, { readonly timer: NodeJS.Timeout; readonly since: number }>();
  #findingTables: Promise<void> = Promise.resolve();
  #readingDocuments: Promise<void> = Promise.resolve();
  current: Workspace;

  constructor(
    folders: WorkspaceFolders,
    engine: FileEngine,
    importer: Importer,
    confirmations: Confirmations,
    defaults: { title: string; zone: string; isShared?: boolean },
  ) {
    this.folders = folders;
    this.#engine = engine;
    this.#importer = importer;
    this.#defaults = { title: defaults.title, zone: defaults.zone };
    this.confirmations = confirmations;
    this.sources = new SourceStore(
      folders.root,
      folders.state,
      confirmations,
      () => this.#soon('sources', 20, async () => this.#changed()),
      defaults.isShared,
    );
    this.extracts = new ExtractStore(folders.state, this.sources, () =>
      this.#soon('tables', 20, () => this.#findTablesAgain()),
    );
    this.uploaded = new UploadedFiles(folders.state);
    this.#sqlTables = new SqlTables(engine, this.sources, () =>
      this.#soon('sql', 20, async () => this.#changed()),
    );
    this.relationships = new RelationshipStore(engine, this.sources, () => this.#changed());
    this.current = assembleWorkspace(this.#documents, this.#tables, {
      revision: 0,
      skippedFiles: [],
      sources: new Map(),
      sqlTables: new Map(),
      relationships: new Map(),
      ...defaults,
    });
  }

  /**
   * Reads the documents, finds the tables, attaches tables imported earlier, and starts importing the others.
   */
  async open(): Promise<void> {
    // Import options must be known before any import.
    this.#documents = await readDocuments(this.folders.root, this.reader);
    await this.#findTables();
    await this.#readDocuments();
    this.#watch();
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The documents as last read. */
  get documents(): Documents {
    return this.#documents;
  }

  /** Reads the documents again at once, for a save that must be visible immediately. */
  async refresh(): Promise<void> {
    await this.#readDocuments();
  }

  /** Looks for changed files soon, for changes that the watcher might miss. */
  findTablesSoon(): void {
    this.#soon('tables', 500, () => this.#findTablesAgain());
  }

  /** Reads the documents, then imports the tables whose options changed. */
  async readAnew(): Promise<void> {
    await this.#readDocuments();
    await this.#findTablesAgain();
  }

  /**
   * Cancels a table's import. An earlier version stays in use. @returns whether there was an import to cancel
   */
  cancelImport(name: string): boolean {
    const stop = this.#stops.get(this.#tables.get(name)?.found as DiscoveredTable);
    stop?.abort();
    return stop !== undefined;
  }

  /** The reports of importing a table's files with other options. Nothing is kept. */
  previewImport(
    found: DiscoveredTable,
    reading: TableFile,
    signal: AbortSignal,
  ): Promise<readonly ImportReport[]> {
    return this.#importer.preview({ ...found, reading }, signal);
  }

  /** Retries a table's cancelled or failed import. @returns whether there was one */
  retryImport(name: string): boolean {
    const table = this.#tables.get(name);
    if (table?.state !== 'stopped' && table?.state !== 'rejected') return false;
    for (const { problem: _, ...one } of [...this.#tables.values()].filter(
      ({ found }) => found === table.found,
    ))
      this.#tables.set(one.name, { ...one, state: 'waiting' });
    this.#changed();
    void this.#read(table.found);
    return true;
  }

  async close(): Promise<void> {
    for (const { timer } of this.#timers.values()) clearTimeout(timer);
    await this.#watcher?.close();
    this.extracts.close();
    await this.relationships.close();
    await this.sources.close();
    await this.#importer.close();
    await this.reader.close();
  }

  /**
   * One at a time: of two concurrent reads, the first to start might finish last, with outdated documents.
   */
  #readDocuments(): Promise<void> {
    const read = this.#readingDocuments.then(() => this.#readDocumentsNow());
    this.#readingDocuments = read.catch(() => {});
    return read;
  }

  async #readDocumentsNow(): Promise<void> {
    this.#documents = await readDocuments(this.folders.root, this.reader);
    await this.sources.update(this.#documents.sources);
    await this.extracts.update(
      wantedExtracts(
        [...this.#documents.models.values()].flatMap(({ read }) => (read.ok ? [read.value] : [])),
      ),
    );
    this.#changed();
  }

  /** One scan at a time. A failed scan does not prevent the next. */
  #findTablesAgain(): Promise<void> {
    const look = this.#findingTables.then(() => this.#findTables());
    this.#findingTables = look.catch(() => {});
    return look;
  }

  async #findTables(): Promise<void> {
    // The permitted database files must be known before the scan.
    await this.sources.update(this.#documents.sources);
    const { tables, skippedFiles } = await this.#discover();
    const before = await this.#importer.readBefore();
    const next = new Map<string, TableState>();
    const toRead: DiscoveredTable[] = [];
    for (const found of tables) {
      const known = [...this.#tables.values()].filter(
        table => table.found.name === found.name && isSameTable(table.found, found),
      );
      const isSame = known.length > 0 && known.every(table => table.found.fingerprint === found.fingerprint);
      if (isSame) {
        for (const table of known) next.set(table.name, table);
        continue;
      }
      if (known[0] && this.#waits(known[0].found, found)) {
        for (const table of known) next.set(table.name, table);
        continue;
      }
      // Imports of an earlier run may be damaged. They are only copies, so their files are imported again.
      const ready = await Promise.all(
        (before.get(found.fingerprint) ?? []).map(imported => this.#attached(found, imported)),
      ).catch(() => []);
      if (ready.length > 0) {
        for (const table of ready) next.set(table.name, table);
        continue;
      }
      if (known.length > 0)
        for (const table of known) next.set(table.name, { ...table, found, state: 'waiting' });
      else next.set(found.name, { name: found.name, found, state: 'waiting' });
      toRead.push(found);
    }
    this.#tables = next;
    this.#growing.keep(new Set([...next.values()].map(table => table.found.name)));
    const wanted = new Set([...next.values()].map(table => table.found));
    // Imports of changed or removed files are cancelled.
    for (const [found, stop] of this.#stops) if (!wanted.has(found)) stop.abort();
    this.#skippedFiles = skippedFiles.map(({ file, reason }) => ({
      file: this.shownFile(file, path.dirname(this.folders.data)),
      reason,
    }));
    this.#changed();
    // Small files first, so that the first charts need not wait for the largest.
    for (const found of toRead.toSorted((a, b) => a.bytes - b.bytes)) void this.#read(found);
  }

  /** Whether a table keeps its version for now, because its files keep growing. Then they are looked at later. */
  #waits(before: DiscoveredTable, found: DiscoveredTable): boolean {
    if (!hasGrown(before, found)) return false;
    const pause = this.#growing.pause(found.name, performance.now());
    // A running import looks again at its end.
    if (pause > 0 && pause < Infinity)
      this.#soon(`growing ${found.name}`, pause, () => this.#findTablesAgain());
    return pause > 0;
  }

  /** Finds the tables of the data folder, and those of the sources' database files. */
  async #discover(): ReturnType<typeof discover> {
    const importOptions = new Map(
      [...this.#documents.readings].flatMap(([name, { read }]) =>
        read.ok ? importOptionsIn(name, read.value) : [],
      ),
    );
    const nothing = { tables: [], skippedFiles: [] };
    const unread = (error: NodeJS.ErrnoException) => ({
      tables: [],
      skippedFiles: [
        {
          file: this.folders.data,
          reason: `Could not read this, so there are no tables: the system reported ${error.code ?? 'an error'}.`,
        },
      ],
    });
    const found = await discover(this.folders.data, {
      importOptions,
      named: namedTables(this.#documents),
      firstLines: this.#firstLines,
    }).catch(unread);
    const uploaded = await this.uploaded.sizes();
    const isUploaded = ({ files: [file], bytes }: DiscoveredTable) =>
      path.dirname(file!) === this.folders.data && uploaded.get(path.basename(file!)) === bytes;
    const more = await Promise.all(
      [...this.#documents.sources].map(async ([name, { read }]) => {
        if (
          !read.ok ||
          (read.value.kind !== 'sqlite' && read.value.kind !== 'duckdb') ||
          this.sources.states.get(name)?.state !== 'ready'
        )
          return nothing;
        const named = path.resolve(this.folders.root, read.value.connection.path);
        // A linked file was confirmed as the link's target.
        const file = await realpath(named).catch(() => named);
        const {
          tables: [table],
          skippedFiles: [left],
        } = await discover(file, { importOptions }).catch(() => nothing);
        if (table) return { tables: [{ ...table, name }], skippedFiles: [] };
        const reason = `The source \`${name}\` uses this file. ${left?.reason ?? 'File not found.'}`;
        return { tables: [], skippedFiles: [{ file, reason }] };
      }),
    );
    const own = found.tables.map(table => (isUploaded(table) ? { ...table, isUploaded: true } : table));
    const tables = [...own, ...more.flatMap(one => one.tables), ...(await this.extracts.found())];
    const outside = await this.#dataOutside.find(this.folders, this.#documents);
    const skippedFiles = [found, ...more].flatMap(one => one.skippedFiles);
    return { tables, skippedFiles: [...outside, ...skippedFiles] };
  }

  async #read(found: DiscoveredTable): Promise<void> {
    const update = (change: Partial<TableState>) => {
      for (const table of [...this.#tables.values()].filter(candidate => candidate.found === found))
        this.#tables.set(table.name, { ...table, ...change });
    };
    const stop = new AbortController();
    this.#stops.set(found, stop);
    const begun = this.#growing.began(found.name, performance.now());
    try {
      const imported = await this.#importer.import(
        found,
        ({ percent, file }) => {
          update({ state: 'importing', percent, ...(file && { file }) });
          // Models and dashboards do not change during the import.
          this.current = { ...this.current, tables: new Map(this.#tables) };
          this.tell({ kind: 'importing', table: found.name, percent });
        },
        stop.signal,
      );
      const replaced = () => [...this.#tables.values()].filter(table => table.found.name === found.name);
      const isWanted = () => replaced().some(table => table.found === found);
      if (!isWanted()) return;
      const read = await Promise.all(imported.map(one => this.#attached(found, one)));
      const schemaNamed = (name: string) => imported.filter(one => one.name === name).map(schemaOf)[0];
      for (const one of imported)
        if (!this.#documents.models.has(one.name))
          await inferAhead(one.name, one.profile, schemaOf(one), one.fingerprint, parentOf(one, schemaNamed));
      const old = isWanted() ? replaced() : read;
      if (old !== read) {
        // Synchronous, so that concurrent readers find either the old tables or the new ones.
        for (const table of old) this.#tables.delete(table.name);
        for (const table of read) this.#tables.set(table.name, table);
      }
      // If the server has been closed meanwhile, the engine is gone.
      for (const table of old) if (table.imported) void this.#forget(table).catch(() => {});
    } catch (error) {
      if (stop.signal.aborted) return update({ state: 'stopped' });
      const line = error instanceof ImportError ? error.line : undefined;
      const file = error instanceof ImportError ? error.file : found.files[0]!;
      const shown = this.shownFile(file, this.folders.root);
      update({
        state: 'rejected',
        problem: { file: shown, ...(line !== undefined && { line }), message: (error as Error).message },
      });
    } finally {
      if (this.#stops.get(found) === stop) {
        this.#stops.delete(found);
        if (this.#growing.ended(found.name, begun, performance.now()))
          this.#soon(`growing ${found.name}`, 0, () => this.#findTablesAgain());
      }
      this.#changed();
    }
  }

  /**
   * Returns a file's path for display: relative to a folder of the user's, or its name if it lies outside.
   */
  shownFile(file: string, from: string): string {
    const relative = path.relative(from, file);
    return relative === '' || relative.startsWith('..') || path.isAbsolute(relative)
      ? path.basename(file)
      : relative;
  }

  async #attached(found: DiscoveredTable, imported: ImportedTable): Promise<TableState> {
    const alias = `${imported.name}-${imported.fingerprint}`;
    await this.#engine.attach(alias, imported.database, imported.name);
    return { name: imported.name, found, state: 'ready', imported, alias };
  }

  /** Deletes an old version after a minute, when no query that uses it can still run. */
  async #forget(table: TableState): Promise<void> {
    await new Promise(resolve => setTimeout(resolve, 60_000).unref());
    if (this.#tables.get(table.name)?.alias === table.alias || !table.alias || !table.imported) return;
    await this.#engine.detach(table.alias);
    await rm(table.imported.database, { force: true });
    await rm(`${table.imported.database}.json`, { force: true });
  }

  #watch(): void {
    const { root, data } = this.folders;
    const documents = [
      path.join(root, 'belvedere.yaml'),
      path.join(root, 'access.yaml'),
      ...documentFolders.map(folder => path.join(root, folder)),
    ];
    this.#watcher = watch([...documents, data], {
      ignoreInitial: true,
      followSymlinks: false,
      ignored: file =>
        path.basename(file) === '.belvedere' ||
        path.basename(file) === 'node_modules' ||
        path.basename(file) === '.git',
    });
    this.#watcher.on('all', (_, file) => {
      const isDocument = documents.some(
        document => file === document || file.startsWith(document + path.sep),
      );
      // Editors write in several steps and git writes many files, so events in quick succession count as one
      // change.
      const isReading =
        file.startsWith(path.join(root, 'tables') + path.sep) ||
        file.startsWith(path.join(root, 'sources') + path.sep);
      if (isReading) this.#soon('readings', 80, () => this.readAnew());
      else if (isDocument) this.#soon('documents', 80, () => this.#readDocuments());
      else this.findTablesSoon();
    });
    this.#watcher.on('error', () => {});
  }

  /** Does something once there was no request for it for `ms`, but at most four times as late. */
  #soon(what: string, ms: number, work: () => Promise<void>): void {
    const now = performance.now();
    const before = this.#timers.get(what);
    clearTimeout(before?.timer);
    const since = before?.since ?? now;
    const timer = setTimeout(
      () => {
        this.#timers.delete(what);
        void work().catch(() => {});
      },
      Math.max(0, Math.min(ms, since + 4 * ms - now)),
    );
    this.#timers.set(what, { timer, since });
  }

  #changed(): void {
    // First, so that the columns are not those of tables that have changed since.
    for (const { read } of this.#documents.models.values())
      if (read.ok && read.value.sql !== undefined) this.wantSql(read.value.source ?? 'files', read.value.sql);
    this.current = assembleWorkspace(this.#documents, new Map(this.#tables), {
      revision: this.current.revision + 1,
      skippedFiles: [...this.#skippedFiles, ...this.#leftOutInside()],
      sources: this.sources.states,
      sqlTables: this.#sqlTables.current,
      relationships: this.relationships.current,
      ...this.#defaults,
    });
    this.relationships.want(this.current);
    this.sources.follow([...this.current.models.values()].map(({ model }) => model));
    this.tell({ kind: 'workspace', revision: this.current.revision });
  }

  /** Files in archives that are not tables. */
  #leftOutInside(): SkippedFile[] {
    const inside = [...this.#tables.values()].flatMap(({ imported }) => imported?.skippedFiles ?? []);
    return inside.map(({ file, reason }) => ({
      file: this.shownFile(file, path.dirname(this.folders.data)),
      reason,
    }));
  }

  /** Determines the columns of custom SQL. The workspace changes once they are known. */
  wantSql(source: string, sql: string): void {
    this.#sqlTables.want(source, sql, [...this.#tables.values()].map(table => table.alias ?? '').join());
  }

  /** Notifies all subscribers. */
  tell(event: ServerEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

/** The import options of a table's file. One that only decides about relationships has none. */
function importOptionsIn(
  name: string,
  { relationships: _, ...options }: TableFile,
): readonly (readonly [string, TableFile])[] {
  return Object.keys(options).length > 1 || _ === undefined ? [[name, options]] : [];
}

/** Whether one may replace the other. The first of several files may be new. */
function isSameTable(one: DiscoveredTable, other: DiscoveredTable): boolean {
  return one.files[0] === other.files[0] || (one.files.length > 1 && other.files.length > 1);
}
