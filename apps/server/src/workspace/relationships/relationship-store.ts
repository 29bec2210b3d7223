import type { FileEngine } from '@belvedere/engine';
import type { Inclusion, Relationship, RelationshipEnds } from '@belvedere/model';
import type { SourceStore } from '../sources/source-store.ts';
import type { Workspace } from '../workspace.ts';
import { comparedFiles, comparedSource, type ComparedTables } from './compared-tables.ts';
import { decisionsOf } from './decisions.ts';
import { RelationshipSet } from './relationship-set.ts';

/** Knows how the tables of the files, and those of each database, refer to each other. */
export class RelationshipStore {
  readonly #engine: FileEngine;
  readonly #sources: SourceStore;
  readonly #changed: () => void;
  readonly #sets = new Map<string, RelationshipSet>();

  constructor(engine: FileEngine, sources: SourceStore, changed: () => void) {
    this.#engine = engine;
    this.#sources = sources;
    this.#changed = changed;
  }

  /** By source, with `files` for the imported tables. */
  get current(): ReadonlyMap<string, readonly Relationship[]> {
    return new Map([...this.#sets].map(([source, { current }]) => [source, current]));
  }

  /** Compares the tables as they are now. */
  want({ tables, sources, decisions }: Pick<Workspace, 'tables' | 'sources' | 'decisions'>): void {
    this.#want('files', comparedFiles(tables, decisionsOf(decisions, 'files'), this.#engine));
    for (const [name, source] of sources) {
      const engine = this.#sources.engineOf(name);
      if (source.state === 'ready' && engine)
        this.#want(name, comparedSource(source, decisionsOf(decisions, name), engine));
    }
    for (const [name, set] of this.#sets) {
      if (name === 'files' || sources.has(name)) continue;
      this.#sets.delete(name);
      void set.close();
    }
  }

  /**
   * Measures columns of two tables of a source.
   * @returns undefined where that is not possible, or takes too long
   */
  async measure(source: string, ends: RelationshipEnds, signal: AbortSignal): Promise<Inclusion | undefined> {
    return this.#sets.get(source)?.measure(ends, signal);
  }

  /** Once nothing is being measured any more. */
  async settled(): Promise<void> {
    await Promise.all([...this.#sets.values()].map(set => set.settled()));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sets.values()].map(set => set.close()));
  }

  #want(source: string, compared: ComparedTables): void {
    const set = this.#sets.get(source) ?? new RelationshipSet(this.#changed);
    this.#sets.set(source, set);
    set.want(compared);
  }
}
