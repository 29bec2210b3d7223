import { createHash, randomBytes } from 'node:crypto';
import type { StartLimits } from '../limits.ts';
import type { StateDatabase } from '../state/state-database.ts';
import type { Clock } from '../state/wall-clock.ts';

interface Session {
  /** Times of the wall clock, ms, as they are kept: a session outlives the process. */
  created: number;
  used: number;
  readonly loadedAt: number;
  /**
   * Since it was first used in this process, times of the clock that only goes on: setting the other one ends
   * no session.
   */
  here?: { readonly bornAt: number; usedAt: number };
}

/** An address that lets one browser in. */
interface StartToken {
  readonly issuedAt: number;
  /** Whether it must be opened soon; the one that is printed at the start waits to be opened. */
  readonly isFresh: boolean;
  isOpened: boolean;
}

/** A session that was given for an address, and has not been used: the first that is used is the only one. */
interface Candidate {
  readonly token: string;
  readonly session: Session;
}

/** How long an address may be opened again, ms. */
const openForMs = 10 * 60_000;
/** Of addresses, and of sessions that were given for one of them, the newest. */
const mostTokens = 8;
const mostCandidates = 8;

/** How exactly it is kept when a session was last used, ms: not each request is worth writing to the disk for. */
const keptEveryMs = 60_000;

/**
 * Signing in on one's own machine: an address printed in the console, good for one browser, that sets a session cookie. What previews
 * an address does not spend it: for ten minutes it may be opened again, until a browser uses the session that it gave. Other sessions given
 * for it end then. Only hashes are kept, in
 * the state database: whoever is signed in stays so when Belvedere is started anew. Sessions end by the workspace's limits: unused for so
 * long, or so long in all.
 */
export class SessionStore {
  readonly #sessions = new Map<string, Session>();
  readonly #limits: Pick<StartLimits, 'sessionIdleMs' | 'sessionLifeMs'>;
  readonly #state: StateDatabase;
  readonly #clock: Clock;
  readonly #tokens = new Map<string, StartToken>();
  readonly #candidates = new Map<string, Candidate>();

  constructor(
    limits: Pick<StartLimits, 'sessionIdleMs' | 'sessionLifeMs'>,
    state: StateDatabase,
    clock: Clock,
  ) {
    this.#limits = limits;
    this.#state = state;
    this.#clock = clock;
    const loadedAt = clock.elapsed();
    const kept = state.all<{ hash: string; created: number; used: number }>(
      'select hash, created, used from session',
    );
    for (const { hash: key, created, used } of kept) {
      this.#sessions.set(key, { created, used, loadedAt });
      this.#find(key);
    }
  }

  /** How long a browser keeps what it was given, s. */
  get lifeSeconds(): number {
    return Math.floor(this.#limits.sessionLifeMs / 1000);
  }

  /** The token of the address that is printed at the start: good until it is opened, and then for as long as a fresh one. */
  newStartToken(): string {
    return this.#issue(false);
  }

  /** A token that is good for ten minutes. */
  newFreshToken(): string {
    return this.#issue(true);
  }

  #issue(isFresh: boolean): string {
    const token = randomBytes(24).toString('base64url');
    this.#tokens.set(hash(token), { issuedAt: this.#clock.elapsed(), isFresh, isOpened: false });
    // The one printed at the start stays, however many fresh ones come after it.
    const fresh = [...this.#tokens].filter(([, one]) => one.isFresh);
    for (const [key] of fresh.slice(0, -mostTokens)) this.#spend(key);
    return token;
  }

  /** Trades a token for a session; undefined where it is none, was spent, or is too old. */
  open(token: string): string | undefined {
    const key = hash(token);
    const found = this.#tokens.get(key);
    if (!found) return undefined;
    const elapsed = this.#clock.elapsed();
    if (elapsed - found.issuedAt > openForMs && (found.isFresh || found.isOpened)) {
      // A session that it gave in time may still be used.
      this.#tokens.delete(key);
      return undefined;
    }
    found.isOpened = true;
    const session = randomBytes(32).toString('base64url');
    const now = this.#clock.wall();
    this.#candidates.set(hash(session), {
      token: key,
      session: { created: now, used: now, loadedAt: elapsed, here: { bornAt: elapsed, usedAt: elapsed } },
    });
    for (const [one] of this.#givenFor(key).slice(0, -mostCandidates)) this.#candidates.delete(one);
    return session;
  }

  #givenFor(token: string): [string, Candidate][] {
    return [...this.#candidates].filter(([, candidate]) => candidate.token === token);
  }

  #spend(token: string): void {
    this.#tokens.delete(token);
    for (const [one] of this.#givenFor(token)) this.#candidates.delete(one);
  }

  /** The first session that is used of those given for an address spends it. */
  #settle(key: string): void {
    const candidate = this.#candidates.get(key);
    if (!candidate) return;
    this.#spend(candidate.token);
    this.#sessions.set(key, candidate.session);
    this.#keep(
      'insert into session (hash, created, used) values (?, ?, ?)',
      key,
      candidate.session.created,
      candidate.session.used,
    );
  }

  isValid(session: string | undefined): boolean {
    if (!session) return false;
    const key = hash(session);
    this.#settle(key);
    const found = this.#find(key);
    if (!found) return false;
    const [now, elapsed] = [this.#clock.wall(), this.#clock.elapsed()];
    found.here ??= { bornAt: elapsed - Math.max(0, now - found.created), usedAt: elapsed };
    found.here.usedAt = elapsed;
    if (Math.abs(now - found.used) >= keptEveryMs) {
      // By the wall clock as it is now: what was kept while it was wrong is put right.
      found.used = now;
      found.created = Math.round(now - (elapsed - found.here.bornAt));
      this.#keep('update session set created = ?, used = ? where hash = ?', found.created, now, key);
    }
    return true;
  }

  /** A session that has not ended. One that has is forgotten, unless only a doubtful wall clock says so. */
  #find(key: string): Session | undefined {
    const found = this.#sessions.get(key);
    if (!found) return undefined;
    const [now, elapsed] = [this.#clock.wall(), this.#clock.elapsed()];
    const age = found.here ? elapsed - found.here.bornAt : now - found.created;
    const idle = found.here
      ? elapsed - found.here.usedAt
      : Math.max(now - found.used, elapsed - found.loadedAt);
    if (age <= this.#limits.sessionLifeMs && idle <= this.#limits.sessionIdleMs) return found;
    if (found.here || this.#clock.isTrusted()) {
      this.#sessions.delete(key);
      this.#keep('delete from session where hash = ?', key);
    }
    return undefined;
  }

  /** A disk that is full keeps nobody out: what is not kept holds as long as the process. */
  #keep(change: string, ...values: readonly (string | number)[]): void {
    try {
      this.#state.run(change, ...values);
    } catch (error) {
      console.error(new Date().toISOString(), 'Could not save sessions:', (error as Error).message);
    }
  }
}

/** Names a session without letting anybody in. */
export function sessionName(session: string): string {
  return hash(session);
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
