import { inclusionIn, inclusionStatement, type FileEngine } from '@belvedere/engine';
import {
  findCandidates,
  judgeCandidates,
  type Candidate,
  type Inclusion,
  type Relationship,
  type TableProfile,
} from '@belvedere/model';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '../limits.ts';
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
 * Knows how the imported tables refer to each other. Candidates are measured by the engine, one after another and behind the queries of
 * pages, once for each version of their two tables.
 */
export class RelationshipStore {
  readonly #engine: FileEngine;
  readonly #changed: () => void;
  /** By the versions of the tables and the columns. */
  readonly #measured = new Map<string, Inclusion | undefined>();
  #version = '';
  #abort = new AbortController();
  #work: Promise<void> = Promise.resolve();
  current: readonly Relationship[] = [];

  constructor(engine: FileEngine, changed: () => void) {
    this.#engine = engine;
    this.#changed = changed;
  }

  /** Compares the tables as they are now, where that was not done; what was measured for an earlier set is cancelled. */
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
    const aliases = new Map(versions.map(({ alias, profile }) => [profile.name, alias]));
    const keyOf = ({ from, to }: Candidate) =>
      JSON.stringify([aliases.get(from.table), from.columns, aliases.get(to.table), to.columns]);
    for (const candidate of candidates) {
      const key = keyOf(candidate);
      if (this.#measured.has(key)) continue;
      const profile = profiles.find(({ name }) => name === candidate.from.table)!;
      const inclusion = await this.#measure(candidate, aliases, profile, signal);
      if (signal.aborted) return;
      this.#measured.set(key, inclusion);
    }
    const wanted = new Set(candidates.map(keyOf));
    for (const key of this.#measured.keys()) if (!wanted.has(key)) this.#measured.delete(key);
    const next = judgeCandidates(candidates, profiles, candidate => this.#measured.get(keyOf(candidate)));
    const isNew = JSON.stringify(next) !== JSON.stringify(this.current);
    this.current = next;
    if (isNew) this.#changed();
  }

  async #measure(
    candidate: Candidate,
    aliases: ReadonlyMap<string, string>,
    profile: TableProfile,
    signal: AbortSignal,
  ): Promise<Inclusion | undefined> {
    for (const end = Date.now() + politeMs; this.#engine.status.running > 0 && Date.now() < end;)
      await sleep(5, undefined, { signal });
    const addressOf = (table: string) => `${this.#engine.dialect.quote(aliases.get(table)!)}."main"."data"`;
    try {
      const answer = await this.#engine.run(inclusionStatement(candidate, addressOf, profile), {
        as: 'numbers',
        timeoutMs: Math.min(longestMs, limits.interactiveMs),
        maxRows: 1,
        signal,
      });
      return inclusionIn(answer, candidate, profile);
    } catch {
      return undefined;
    }
  }
}
