import type { ServerEvent } from '@belvedere/api';
import type { TableFile } from '@belvedere/document';
import type { DiscoveredTable, FileEngine, Importer, ImportReport } from '@belvedere/engine';
import type { Steps } from '@belvedere/model';
import type { Confirmations } from './sources/confirmations.ts';
import { ExtractStore, wantedExtracts } from './sources/extract-store.ts';
import { RelationshipStore } from './relationships/relationship-store.ts';
import { SourceStore } from './sources/source-store.ts';
import { SqlTables } from './sources/sql-tables.ts';
import { UploadedFiles } from './sources/uploaded-files.ts';
import { assembleInSteps, assembleWorkspace } from './assemble-workspace.ts';
import { DelayedWork } from './delayed-work.ts';
import { finishInTurns, takeTurn } from './steps.ts';
import { DocumentReader } from './documents/document-reader.ts';
import { readDocuments, type Documents } from './documents/read-documents.ts';
import { TableDiscovery } from './tables/discover-tables.ts';
import { TableStore } from './tables/table-store.ts';
import { watchWorkspace, type ChangedFile } from './watch-workspace.ts';
import type { WorkspaceFolders } from './workspace-folders.ts';
import type { Workspace } from './workspace.ts';

const noDocuments: Documents = {
  settings: {},
  declaredGrants: [],
  problems: [],
  models: new Map(),
  sources: new Map(),
  tableFiles: new Map(),
  translations: new Map(),
  dashboards: new Map(),
  alerts: new Map(),
  reports: new Map(),
  tests: [],
};

/** Changes of files in quick succession count as one: editors write in several steps, git writes many files. */
const documentsPauseMs = 80;
const dataPauseMs = 500;
const sourcesPauseMs = 20;

/** Holds the current workspace, and creates a new one whenever a file changes or an import finishes. */
export class WorkspaceStore {
  readonly folders: WorkspaceFolders;
  readonly reader = new DocumentReader();
  readonly sources: SourceStore;
  readonly confirmations: Confirmations;
  readonly extracts: ExtractStore;
  readonly relationships: RelationshipStore;
  readonly uploaded: UploadedFiles;
  readonly tables: TableStore;
  readonly #sqlTables: SqlTables;
  readonly #importer: Importer;
  readonly #defaults: { readonly title: string; readonly zone: string };
  readonly #listeners = new Set<(event: ServerEvent) => void>();
  readonly #delayed = new DelayedWork();
  #documents = noDocuments;
  #reading: Promise<void> = Promise.resolve();
  /** Runs while the next workspace is assembled in turns. */
  #assembling: Promise<void> | undefined;
  #isOutdated = false;
  #isClosed = false;
  #watcher: ReturnType<typeof watchWorkspace> | undefined;
  current: Workspace;

  constructor(
    folders: WorkspaceFolders,
    engine: FileEngine,
    importer: Importer,
    confirmations: Confirmations,
    defaults: { title: string; zone: string; isShared?: boolean },
  ) {
    this.folders = folders;
    this.#importer = importer;
    this.#defaults = { title: defaults.title, zone: defaults.zone };
    this.confirmations = confirmations;
    const changedSoon = (name: string) => this.#delayed.soon(name, sourcesPauseMs, () => this.#changed());
    this.sources = new SourceStore(
      folders.root,
      folders.state,
      confirmations,
      () => changedSoon('sources'),
      defaults.isShared,
    );
    this.extracts = new ExtractStore(folders.state, this.sources, () => this.#scanSoon(sourcesPauseMs));
    this.uploaded = new UploadedFiles(folders.state);
    this.#sqlTables = new SqlTables(engine, this.sources, () => changedSoon('sql'));
    this.relationships = new RelationshipStore(engine, this.sources, () => void this.#changed());
    const discovery = new TableDiscovery(folders, this.sources, this.extracts, this.uploaded);
    this.tables = new TableStore({
      folders,
      engine,
      importer,
      delayed: this.#delayed,
      discover: async () => {
        // The permitted database files must be known before the scan.
        await this.sources.update(this.#documents.sources);
        return discovery.find(this.#documents);
      },
      hasModel: table => this.#documents.models.has(table),
      onChange: () => void this.#changed(),
      onProgress: (table, percent) => {
        // Models and dashboards do not change during an import.
        this.current = { ...this.current, tables: this.tables.current };
        this.tell({ kind: 'importing', table, percent });
      },
    });
    this.current = assembleWorkspace(this.#documents, this.tables.current, {
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
    await this.tables.scan();
    await this.refresh();
    this.#watcher = watchWorkspace(this.folders, file => this.#readSoon(file));
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The documents as last read. */
  get documents(): Documents {
    return this.#documents;
  }

  /**
   * Reads the documents again at once, for a save that must be visible immediately. One at a time: of two
   * concurrent reads, the first to start might finish last, with outdated documents.
   */
  refresh(): Promise<void> {
    const reading = this.#reading.then(() => this.#readDocuments());
    this.#reading = reading.catch(() => {});
    return reading;
  }

  /** Looks for changed files soon, for changes that the watcher might miss. */
  findTablesSoon(): void {
    this.#scanSoon(dataPauseMs);
  }

  /** Reads the documents, then imports the tables whose options changed. */
  async reload(): Promise<void> {
    await this.refresh();
    await this.tables.scan();
  }

  /** The reports of importing a table's files with other options. Nothing is kept. */
  previewImport(
    found: DiscoveredTable,
    reading: TableFile,
    signal: AbortSignal,
  ): Promise<readonly ImportReport[]> {
    return this.#importer.preview({ ...found, reading }, signal);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#delayed.close();
    await this.#assembling;
    await this.#watcher?.close();
    this.extracts.close();
    await this.relationships.close();
    await this.sources.close();
    await this.#importer.close();
    await this.reader.close();
  }

  async #readDocuments(): Promise<void> {
    this.#documents = await readDocuments(this.folders.root, this.reader);
    await this.sources.update(this.#documents.sources);
    await this.extracts.update(
      wantedExtracts(
        [...this.#documents.models.values()].flatMap(({ read }) => (read.ok ? [read.value] : [])),
      ),
    );
    await this.#changed();
  }

  #scanSoon(ms: number): void {
    this.#delayed.soon('tables', ms, () => this.tables.scan());
  }

  #readSoon(file: ChangedFile): void {
    if (file === 'data') this.findTablesSoon();
    else if (file === 'documents') this.#delayed.soon('documents', documentsPauseMs, () => this.refresh());
    else this.#delayed.soon('import options', documentsPauseMs, () => this.reload());
  }

  /**
   * Assembles the next workspace: a small one at once, and one of many large documents in several turns, so that
   * requests need not wait.
   */
  #changed(): Promise<void> {
    this.#isOutdated = true;
    if (this.#assembling) return this.#assembling;
    const steps = this.#assembled();
    const first = takeTurn(steps);
    if (first) {
      this.#install(first[0]);
      return Promise.resolve();
    }
    this.#assembling = this.#finishAssembling(steps).finally(() => (this.#assembling = undefined));
    return this.#assembling;
  }

  /** Finishes a workspace, and assembles another if something has changed meanwhile. */
  async #finishAssembling(first: Steps<Workspace>): Promise<void> {
    let steps: Steps<Workspace> | undefined = first;
    while (steps) {
      const workspace = await finishInTurns(steps);
      if (this.#isClosed) return;
      this.#install(workspace);
      steps = this.#isOutdated ? this.#assembled() : undefined;
    }
  }

  #assembled(): Steps<Workspace> {
    this.#isOutdated = false;
    // First, so that the columns are not those of tables that have changed since.
    for (const { read } of this.#documents.models.values())
      if (read.ok && read.value.sql !== undefined) this.wantSql(read.value.source ?? 'files', read.value.sql);
    return assembleInSteps(this.#documents, this.tables.current, {
      revision: this.current.revision + 1,
      skippedFiles: this.tables.skippedFiles,
      sources: this.sources.states,
      sqlTables: this.#sqlTables.current,
      relationships: this.relationships.current,
      ...this.#defaults,
    });
  }

  #install(workspace: Workspace): void {
    this.current = workspace;
    this.relationships.want(this.current);
    this.sources.follow([...this.current.models.values()].map(({ model }) => model));
    this.tell({ kind: 'workspace', revision: this.current.revision });
  }

  /** Determines the columns of custom SQL. The workspace changes once they are known. */
  wantSql(source: string, sql: string): void {
    const tables = [...this.tables.current.values()].map(table => table.alias ?? '').join();
    this.#sqlTables.want(source, sql, tables);
  }

  /** Notifies all subscribers. */
  tell(event: ServerEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
