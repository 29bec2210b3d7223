import {
  inclusionIn,
  inclusionStatement,
  repeatedKeysStatement,
  type QueryResult,
  type FileEngine,
} from '@belvedere/engine';
import {
  findCandidates,
  judgeCandidates,
  leastMatched,
  type Candidate,
  type Inclusion,
  type Relationship,
  type TableColumns,
  type TableProfile,
} from '@belvedere/model';
import type { Statement } from '@belvedere/sql';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TableState } from './workspace.ts';

/** Of one candidate at most: one that takes longer is not measured. */
const longestMs = 5000;
/** So long a measurement lets queries of pages go first. */
const politeMs = 2000;
/** More tables than this are not compared with each other. */
const mostTables = 200;

/** An imported table, and the engine's name for this version of it. */
interface Version {
  readonly alias: string;
  readonly profile: TableProfile;
}

/**
 * Knows how the imported tables refer to each other. Candidates are measured by the engine, one after another
 * and behind the queries of
 * pages, once for each version of their two tables.
 */
export class RelationshipStore {
  readonly #engine: FileEngine;
  readonly #changed: () => void;
  /** By the versions of the tables and the columns. */
  readonly #measured = new Map<string, Inclusion | undefined>();
  /**
   * Whether keys of tables that are too large to be counted when they are read are unique, by version and
   * columns.
   */
  readonly #unique = new Map<string, boolean>();
  #version = '';
  #abort = new AbortController();
  #work: Promise<void> = Promise.resolve();
  current: readonly Relationship[] = [];

  constructor(engine: FileEngine, changed: () => void) {
    this.#engine = engine;
    this.#changed = changed;
  }

  /**
   * Compares the tables as they are now, where that was not done; what was measured for an earlier set is
   * cancelled.
   */
  want(tables: ReadonlyMap<string, TableState>): void {
    const versions = [...tables.values()].flatMap(({ alias, imported }): Version[] =>
      alias !== undefined && imported ? [{ alias, profile: imported.profile }] : [],
    );
    const version = versions.map(({ alias }) => alias).join('\n');
    if (version === this.#version) return;
    this.#version = version;
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const before = this.#work;
    this.#work = before.then(() => this.#compare(versions, signal)).catch(() => {});
  }

  /** Once nothing is being measured any more. */
  async settled(): Promise<void> {
    for (let work; work !== this.#work;) await (work = this.#work);
  }

  async close(): Promise<void> {
    this.#abort.abort();
    await this.#work;
  }

  async #compare(versions: readonly Version[], signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const profiles = versions.map(({ profile }) => profile);
    const candidates = versions.length <= mostTables ? findCandidates(profiles) : [];
    const byName = new Map(versions.map(version => [version.profile.name, version]));
    const wanted = new Set<string>();
    for (const candidate of candidates) {
      const key = keyOf(byName, candidate.from, candidate.to);
      wanted.add(key).add(keyOf(byName, candidate.to));
      if (!this.#measured.has(key)) this.#measured.set(key, await this.#measure(candidate, byName, signal));
      if (signal.aborted) return void this.#measured.delete(key);
    }
    for (const known of [this.#measured, this.#unique])
      for (const key of known.keys()) if (!wanted.has(key)) known.delete(key);
    const next = judgeCandidates(candidates, profiles, ({ from, to }) =>
      this.#measured.get(keyOf(byName, from, to)),
    );
    const isNew = JSON.stringify(next) !== JSON.stringify(this.current);
    this.current = next;
    if (isNew) this.#changed();
  }

  async #measure(
    candidate: Candidate,
    versions: ReadonlyMap<string, Version>,
    signal: AbortSignal,
  ): Promise<Inclusion | undefined> {
    const [source, target] = [candidate.from, candidate.to].map(({ table }) => versions.get(table)!.profile);
    const addressOf = (table: string) =>
      `${this.#engine.dialect.quote(versions.get(table)!.alias)}."main"."data"`;
    try {
      const statement = inclusionStatement(candidate, addressOf, source!, target!);
      const inclusion = inclusionIn(await this.#run(statement, signal), candidate, source!, target!);
      const isWorthCounting = inclusion.matched >= inclusion.rows * leastMatched;
      const key = keyOf(versions, candidate.to);
      if (!candidate.isKeyKnown && isWorthCounting && !this.#unique.has(key)) {
        const { columns } = await this.#run(repeatedKeysStatement(candidate.to, addressOf), signal);
        this.#unique.set(key, columns[0]!.values[0] === 0);
      }
      return { ...inclusion, isUnique: candidate.isKeyKnown || this.#unique.get(key) === true };
    } catch {
      // A table that has gone, or a measurement that takes too long, is no relationship.
      return undefined;
    }
  }

  /** Behind the queries of pages: while one runs, this waits for a while. */
  async #run(statement: Statement, signal: AbortSignal): Promise<QueryResult> {
    for (const end = Date.now() + politeMs; this.#engine.status.running > 0 && Date.now() < end;)
      await sleep(5, undefined, { signal });
    return this.#engine.run(statement, { as: 'numbers', timeoutMs: longestMs, maxRows: 1, signal });
  }
}

function keyOf(versions: ReadonlyMap<string, Version>, ...columns: readonly TableColumns[]): string {
  return JSON.stringify(columns.map(one => [versions.get(one.table)!.alias, one.columns]));
}
