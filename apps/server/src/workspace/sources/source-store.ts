import { labelFrom, type ReadDocument, type ServerSource, type SourceFile } from '@belvedere/document';
import type { Model } from '@belvedere/model';
import path from 'node:path';
import type { Confirmations } from './confirmations.ts';
import { evenFailures } from './even-failures.ts';
import { RememberedTables } from './remembered-tables.ts';
import { accessOf } from './source-access.ts';
import { SourceConnection, type SourceEnvironment } from './source-connection.ts';
import type { SourceEngine, SourceState } from './source.ts';

/** The files in `sources/`, by the names of their sources. */
type SourceFiles = ReadonlyMap<string, { readonly file: string; readonly read: ReadDocument<SourceFile> }>;

interface AddedSource {
  readonly name: string;
  readonly file: string;
  readonly source: SourceFile;
  /** Higher than before its file changed: results of then are not current. */
  readonly dataVersion: number;
}

/** Connects the workspace's sources, remembers their tables, and notifies of all changes to them. */
export class SourceStore {
  readonly #confirmations: Confirmations;
  readonly #isShared: boolean;
  readonly #environment: SourceEnvironment;
  readonly #connections = new Map<string, SourceConnection>();
  #updating: Promise<void> = Promise.resolve();

  /**
   * @param state the folder for remembered tables
   * @param onChange called after each change of state
   * @param isShared whether users connect sources who may not know the network
   */
  constructor(
    root: string,
    state: string,
    confirmations: Confirmations,
    onChange: () => void,
    isShared = false,
  ) {
    this.#isShared = isShared;
    this.#confirmations = confirmations;
    this.#environment = {
      root,
      remembered: new RememberedTables(path.join(state, 'sources')),
      contact: (source, work) => this.contact(source, work),
      onChange,
    };
  }

  get states(): ReadonlyMap<string, SourceState> {
    return new Map([...this.#connections].map(([name, { state }]) => [name, state]));
  }

  /** Runs the first contact with a server. In a team, failures tell nothing of the network. */
  contact<T>(source: ServerSource, work: () => Promise<T>): Promise<T> {
    return this.#isShared ? evenFailures(source, work) : work();
  }

  engineOf(source: string): SourceEngine | undefined {
    return this.#connections.get(source)?.engine;
  }

  /**
   * Applies the files in `sources/`: connects new and changed sources once they are confirmed, and closes
   * removed ones.
   */
  update(files: SourceFiles): Promise<void> {
    const update = this.#updating.then(() => this.#updateNow(files));
    this.#updating = update.catch(() => {});
    return update;
  }

  async #updateNow(files: SourceFiles): Promise<void> {
    const versions = new Map([...this.#connections].map(([name, { state }]) => [name, state.dataVersion]));
    for (const [name, connection] of this.#connections) {
      if (await this.#isUnchanged(connection, files.get(name)?.read)) continue;
      this.#connections.delete(name);
      void connection.close();
    }
    for (const [name, { file, read }] of files)
      if (read.ok && !this.#connections.has(name))
        await this.#add({ name, file, source: read.value, dataVersion: (versions.get(name) ?? 0) + 1 });
  }

  async #isUnchanged(
    { source, content }: SourceConnection,
    next: ReadDocument<SourceFile> | undefined,
  ): Promise<boolean> {
    if (!next?.ok || JSON.stringify(next.value) !== JSON.stringify(source)) return false;
    // A link in the folder may have a new target, though the file is unchanged.
    return (await accessOf(source, this.#environment.root))?.content === content;
  }

  async #add({ name, file, source, dataVersion }: AddedSource): Promise<void> {
    const tables = await this.#environment.remembered.read(name, source);
    const wanted = await accessOf(source, this.#environment.root);
    const isConfirmed = !wanted || (await this.#confirmations.has(name, wanted.content));
    const connection = new SourceConnection(
      {
        source,
        content: wanted?.content,
        isProven: !this.#isShared || tables.length > 0,
        state: {
          name,
          file,
          label: source.label ?? labelFrom(name),
          kind: source.kind,
          ...('host' in source.connection && { host: source.connection.host }),
          state: isConfirmed ? 'unchecked' : 'unconfirmed',
          ...(!isConfirmed && { unconfirmed: wanted }),
          since: new Date().toISOString(),
          tables,
          dataVersion,
          watermarks: new Map(),
          drift: [],
        },
      },
      this.#environment,
    );
    this.#connections.set(name, connection);
    if (isConfirmed) connection.start();
  }

  /**
   * Confirms a source with the access that the user has seen, and connects it.
   * @returns whether its access is still the same
   * @throws ProblemError `state-unavailable` if the confirmation cannot be saved
   */
  async confirm(name: string, content: string): Promise<boolean> {
    const connection = this.#connections.get(name);
    if (!connection || connection.content !== content) return false;
    await this.#confirmations.add(name, content);
    connection.confirm();
    return true;
  }

  /** Queries the watermarks of the models that define one. */
  follow(models: readonly Model[]): void {
    for (const connection of this.#connections.values()) connection.follow(models);
  }

  /** Reconnects a source now. @throws ProblemError `source-unconfirmed`, `source-paused` */
  async retry(name: string): Promise<void> {
    await this.#connections.get(name)?.retry();
  }

  /**
   * Checks for newer data before the source's next refresh, if the last one was longer ago than this. The pages
   * that show the source learn of newer data by events.
   * @param everyMs pages ask at about this interval, so that slightly less counts as well
   */
  async refreshWithin(source: string, everyMs: number): Promise<void> {
    await this.#connections.get(source)?.refreshWithin(everyMs);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#connections.values()].map(connection => connection.close()));
  }
}
