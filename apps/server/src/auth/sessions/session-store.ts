import { createHash, randomBytes } from 'node:crypto';
import type { StartLimits } from '../../limits.ts';
import type { StateDatabase } from '../../state/database/state-database.ts';
import type { Clock } from '../../state/database/wall-clock.ts';
import { keyedHash } from '../secrets/local-secret.ts';

type SessionLimits = Pick<StartLimits, 'sessionIdleMs' | 'sessionLifeMs'>;

interface Session {
  /** Wall-clock times, ms, as stored: a session outlives the process. */
  created: number;
  used: number;
  readonly loadedAt: number;
  /** Monotonic times, set on first use in this process, so that setting the wall clock ends no session. */
  here?: { readonly bornAt: number; usedAt: number };
}

/** A one-time address that signs in one browser. */
interface StartToken {
  readonly issuedAt: number;
  /** Whether it expires unopened; the one printed at start does not. */
  readonly isFresh: boolean;
  isOpened: boolean;
}

/** A session issued for an address but not used yet. The first one used invalidates the others. */
interface Candidate {
  readonly token: string;
  readonly session: Session;
}

/** How long an opened or fresh address stays valid, ms. */
const openForMs = 10 * 60_000;
/** Limits of addresses, and of sessions issued for one of them; only the newest are kept. */
const maxTokens = 8;
const maxCandidates = 8;

/** Precision of the stored time of last use, ms: a disk write for each request is not worth it. */
const keptEveryMs = 60_000;

/**
 * Signs in browsers on the same machine: an address printed in the console, valid for one browser, sets a
 * session cookie.
 * Link previews do not spend the address. It stays valid for ten minutes, until a browser uses a session
 * issued for it; the other sessions issued for it then end.
 * Only keyed hashes are stored, in the state database, so users stay signed in across restarts. Sessions end by the
 * workspace's limits: unused for a time, or older than a total age.
 */
export class SessionStore {
  readonly #sessions = new Map<string, Session>();
  readonly #limits: SessionLimits;
  readonly #state: StateDatabase;
  readonly #clock: Clock;
  readonly #tokens = new Map<string, StartToken>();
  readonly #candidates = new Map<string, Candidate>();
  readonly #hash: (token: string) => string;
  #saving: Promise<void> = Promise.resolve();

  private constructor(limits: SessionLimits, state: StateDatabase, clock: Clock, secret: string) {
    this.#limits = limits;
    this.#state = state;
    this.#clock = clock;
    this.#hash = token => keyedHash(token, secret);
  }

  /**
   * Opens the sessions of earlier runs.
   *
   * @param secret of this account, without which no one can add a session to the state database
   */
  static async open(
    limits: SessionLimits,
    state: StateDatabase,
    clock: Clock,
    secret: string,
  ): Promise<SessionStore> {
    const sessions = new SessionStore(limits, state, clock, secret);
    const loadedAt = clock.elapsed();
    const kept = await state.db.selectFrom('local_session').select(['hash', 'created', 'used']).execute();
    for (const { hash: key, created, used } of kept) {
      sessions.#sessions.set(key, { created, used, loadedAt });
      sessions.#find(key);
    }
    return sessions;
  }

  /** Resolves when all changes so far are saved. */
  settled(): Promise<void> {
    return this.#saving;
  }

  /** Lifetime of the session cookie, s. */
  get lifeSeconds(): number {
    return Math.floor(this.#limits.sessionLifeMs / 1000);
  }

  /**
   * Returns the token of the address printed at start: valid until it is opened, and then for as long as a
   * fresh one.
   */
  newStartToken(): string {
    return this.#issue(false);
  }

  /** Returns a token that is valid for ten minutes. */
  newFreshToken(): string {
    return this.#issue(true);
  }

  #issue(isFresh: boolean): string {
    const token = randomBytes(24).toString('base64url');
    this.#tokens.set(this.#hash(token), { issuedAt: this.#clock.elapsed(), isFresh, isOpened: false });
    // The token printed at start is kept, however many fresh ones follow.
    const fresh = [...this.#tokens].filter(([, one]) => one.isFresh);
    for (const [key] of fresh.slice(0, -maxTokens)) this.#spend(key);
    return token;
  }

  /** Exchanges a token for a session; undefined if it is unknown, spent or expired. */
  open(token: string): string | undefined {
    const key = this.#hash(token);
    const found = this.#tokens.get(key);
    if (!found) return undefined;
    const elapsed = this.#clock.elapsed();
    if (elapsed - found.issuedAt > openForMs && (found.isFresh || found.isOpened)) {
      // A session issued before the token expired may still be used.
      this.#tokens.delete(key);
      return undefined;
    }
    found.isOpened = true;
    const session = randomBytes(32).toString('base64url');
    const now = this.#clock.wall();
    this.#candidates.set(this.#hash(session), {
      token: key,
      session: { created: now, used: now, loadedAt: elapsed, here: { bornAt: elapsed, usedAt: elapsed } },
    });
    for (const [one] of this.#givenFor(key).slice(0, -maxCandidates)) this.#candidates.delete(one);
    return session;
  }

  #givenFor(token: string): [string, Candidate][] {
    return [...this.#candidates].filter(([, candidate]) => candidate.token === token);
  }

  #spend(token: string): void {
    this.#tokens.delete(token);
    for (const [one] of this.#givenFor(token)) this.#candidates.delete(one);
  }

  /** The first use of a session issued for an address spends that address. */
  #settle(key: string): void {
    const candidate = this.#candidates.get(key);
    if (!candidate) return;
    this.#spend(candidate.token);
    this.#sessions.set(key, candidate.session);
    const { created, used } = candidate.session;
    this.#keep(({ db }) => db.insertInto('local_session').values({ hash: key, created, used }).execute());
  }

  isValid(session: string | undefined): boolean {
    if (!session) return false;
    const key = this.#hash(session);
    this.#settle(key);
    const found = this.#find(key);
    if (!found) return false;
    const [now, elapsed] = [this.#clock.wall(), this.#clock.elapsed()];
    found.here ??= { bornAt: elapsed - Math.max(0, now - found.created), usedAt: elapsed };
    found.here.usedAt = elapsed;
    if (Math.abs(now - found.used) >= keptEveryMs) {
      // Uses the current wall clock, which corrects times stored while it was wrong.
      found.used = now;
      found.created = Math.round(now - (elapsed - found.here.bornAt));
      const { created } = found;
      this.#keep(({ db }) =>
        db.updateTable('local_session').set({ created, used: now }).where('hash', '=', key).execute(),
      );
    }
    return true;
  }

  /**
   * Returns a valid session. Deletes an expired one, unless its age comes only from an untrusted wall clock.
   */
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
      this.#keep(({ db }) => db.deleteFrom('local_session').where('hash', '=', key).execute());
    }
    return undefined;
  }

  /**
   * Saves a change after those before it. A full disk does not prevent signing in: an unsaved session lasts
   * as
   * long as the process.
   */
  #keep(change: (state: StateDatabase) => Promise<unknown>): void {
    this.#saving = this.#saving
      .then(() => change(this.#state))
      .then(
        () => {},
        (error: Error) => console.error(new Date().toISOString(), 'Could not save sessions:', error.message),
      );
  }
}

/** Identifies a session without authorizing it. */
export function sessionName(session: string): string {
  return createHash('sha256').update(session).digest('base64url');
}
