import {
  findCandidates,
  judgeCandidates,
  minMatched,
  type Candidate,
  type Inclusion,
  type Relationship,
  type RelationshipEnds,
  type TableColumns,
} from '@belvedere/model';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ComparedTables } from './compared-tables.ts';

/** More tables than this are not compared with each other. */
const maxTables = 200;
/** More candidates than this are not measured: the most likely ones come first. */
const maxCandidates = 2000;

/** Counts for users at a time. A model's editor asks for one of each join. */
const countsAtOnce = 4;

/**
 * Knows how the tables of one source refer to each other. Candidates are measured one after another, once for
 * each version of their two tables.
 */
export class RelationshipSet {
  readonly #changed: () => void;
  /** By the versions of the tables and the columns. */
  readonly #measured = new Map<string, Inclusion | undefined>();
  /**
   * Whether keys of tables that are too large to be counted when they are read are unique, by version and
   * columns.
   */
  readonly #unique = new Map<string, boolean>();
  #compared: ComparedTables | undefined;
  #version = '';
  #abort = new AbortController();
  #work: Promise<void> = Promise.resolve();
  /** The last counts that users wait for, each of which ends after those before it. */
  readonly #counts: Promise<unknown>[] = Array.from({ length: countsAtOnce }, () => Promise.resolve());
  #nextCount = 0;
  current: readonly Relationship[] = [];

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /**
   * Compares the tables as they are now, where that was not done; what was measured for an earlier set is
   * cancelled.
   */
  want(compared: ComparedTables): void {
    const { tables, declared, decisions } = compared;
    const version = JSON.stringify([tables.map(one => one.version), declared, decisions]);
    this.#compared = compared;
    if (version === this.#version) return;
    this.#version = version;
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const before = this.#work;
    this.#work = before.then(() => this.#compare(compared, signal)).catch(() => {});
  }

  /** Once nothing is being measured any more. */
  async settled(): Promise<void> {
    for (let work; work !== this.#work;) await (work = this.#work);
  }

  async close(): Promise<void> {
    this.#abort.abort();
    await this.#work;
  }

  /**
   * Measures columns that a user chose: a few at a time, since each may keep the database busy for seconds.
   * @returns undefined where that is not possible, or takes too long
   */
  async measure(ends: RelationshipEnds, signal: AbortSignal): Promise<Inclusion | undefined> {
    const known = this.#compared && this.#measured.get(endsKey(this.#compared, ends));
    if (isCounted(known)) return known;
    const place = this.#nextCount++ % countsAtOnce;
    const counted = this.#counts[place]!.then(() =>
      this.#compared && !signal.aborted ? measured(this.#compared, ends, signal, this.#unique, 0) : undefined,
    );
    this.#counts[place] = counted;
    return counted;
  }

  async #compare(compared: ComparedTables, signal: AbortSignal): Promise<void> {
    if (compared.settleMs > 0) await sleep(compared.settleMs, undefined, { signal });
    if (signal.aborted) return;
    const profiles = compared.tables.map(({ profile }) => profile);
    const isMany = compared.tables.length > maxTables;
    const candidates = findCandidates(profiles, compared, isMany ? 'given' : 'all').slice(0, maxCandidates);
    const wanted = new Set<string>();
    for (const candidate of candidates) {
      const key = endsKey(compared, candidate);
      wanted.add(key).add(toKey(compared, candidate));
      // A given one counts however few of its references match, so that its key must be counted in any case.
      const isGiven = candidate.match === 'declared' || candidate.match === 'chosen';
      const isKnown = isGiven ? isCounted(this.#measured.get(key)) : this.#measured.has(key);
      if (!isKnown) {
        const minShare = isGiven ? 0 : minMatched;
        this.#measured.set(key, await measured(compared, candidate, signal, this.#unique, minShare));
      }
      if (signal.aborted) return void this.#measured.delete(key);
    }
    for (const known of [this.#measured, this.#unique])
      for (const key of known.keys()) if (!wanted.has(key)) known.delete(key);
    const next = judgeCandidates(
      candidates,
      profiles,
      candidate => this.#measured.get(endsKey(compared, candidate)),
      compared.decisions,
    );
    const isNew = JSON.stringify(next) !== JSON.stringify(this.current);
    this.current = next;
    if (isNew) this.#changed();
  }
}

/** Whether it is known if the key is unique, which is not counted of candidates with few matches. */
function isCounted(known: Inclusion | undefined): known is Inclusion {
  return known !== undefined && (known.isUnique || known.matched >= known.rows * minMatched);
}

/**
 * Measures a candidate. Whether its key is unique is counted only if enough references match.
 * @param unique what is known about keys already; what is counted is added
 */
async function measured(
  compared: ComparedTables,
  candidate: RelationshipEnds & Partial<Pick<Candidate, 'isKeyKnown'>>,
  signal: AbortSignal,
  unique: Map<string, boolean>,
  minShare: number,
): Promise<Inclusion | undefined> {
  const { isKeyKnown = false } = candidate;
  try {
    const inclusion = await compared.inclusion(candidate, signal);
    const isWorthCounting = inclusion.matched >= inclusion.rows * minShare;
    const key = toKey(compared, candidate);
    if (!isKeyKnown && isWorthCounting && !unique.has(key))
      unique.set(key, await compared.isUnique(candidate, signal));
    return { ...inclusion, isUnique: isKeyKnown || unique.get(key) === true };
  } catch {
    // A table that has gone, or a measurement that takes too long, is no relationship.
    return undefined;
  }
}

function endsKey(compared: ComparedTables, { from, to, between }: RelationshipEnds): string {
  return keyOf(compared, from, to) + (between ? JSON.stringify(between) : '');
}

/** What is unique: the keys of a table, or its keys with their ranges. */
function toKey(compared: ComparedTables, { to, between }: RelationshipEnds): string {
  return keyOf(compared, to) + (between ? JSON.stringify([between.begin, between.end]) : '');
}

function keyOf({ tables }: ComparedTables, ...columns: readonly TableColumns[]): string {
  const version = (name: string) => tables.find(({ profile }) => profile.name === name)?.version;
  return JSON.stringify(columns.map(one => [version(one.table), one.columns]));
}
