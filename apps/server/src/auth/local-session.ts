import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { StartLimits } from '../limits.ts';
import type { StateDatabase } from '../records/state-database.ts';
import type { Clock } from '../records/wall-clock.ts';

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

/** How exactly it is kept when a session was last used, ms: not each request is worth writing to the disk for. */
const keptEveryMs = 60_000;

/**
 * Signing in on one's own machine: an address printed in the console, good for one use, that sets a session cookie. Only hashes are kept, in
 * the state database: whoever is signed in stays so when Belvedere is started anew. Sessions end by the workspace's limits: unused for so
 * long, or so long in all.
 */
export class LocalSessions {
  readonly #sessions = new Map<string, Session>();
  readonly #limits: Pick<StartLimits, 'sessionIdleMs' | 'sessionLifeMs'>;
  readonly #state: StateDatabase;
  readonly #clock: Clock;
  #startHash: string | undefined;

  constructor(limits: Pick<StartLimits, 'sessionIdleMs' | 'sessionLifeMs'>, state: StateDatabase, clock: Clock) {
    this.#limits = limits;
    this.#state = state;
    this.#clock = clock;
    const loadedAt = clock.elapsed();
    const kept = state.all<{ hash: string; created: number; used: number }>('select hash, created, used from session');
    for (const { hash: key, created, used } of kept) {
      this.#sessions.set(key, { created, used, loadedAt });
      this.#find(key);
    }
  }

  /** How long a browser keeps what it was given, s. */
  get lifeSeconds(): number {
    return Math.floor(this.#limits.sessionLifeMs / 1000);
  }

  /** A new one-time token; an older unused one is void. */
  newStartToken(): string {
    const token = randomBytes(24).toString('base64url');
    this.#startHash = hash(token);
    return token;
  }

  /** Trades the one-time token for a session; undefined where it is not, or no longer, the one. */
  open(token: string): string | undefined {
    const expected = this.#startHash;
    if (!expected || !timingSafeEqual(Buffer.from(hash(token)), Buffer.from(expected))) return undefined;
    this.#startHash = undefined;
    const session = randomBytes(32).toString('base64url');
    const [now, loadedAt] = [this.#clock.wall(), this.#clock.elapsed()];
    const key = hash(session);
    this.#sessions.set(key, { created: now, used: now, loadedAt, here: { bornAt: loadedAt, usedAt: loadedAt } });
    this.#keep('insert into session (hash, created, used) values (?, ?, ?)', key, now, now);
    return session;
  }

  isValid(session: string | undefined): boolean {
    if (!session) return false;
    const key = hash(session);
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
    const idle = found.here ? elapsed - found.here.usedAt : Math.max(now - found.used, elapsed - found.loadedAt);
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
      console.error(new Date().toISOString(), 'Sessions could not be kept:', (error as Error).message);
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
