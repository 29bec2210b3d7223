import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { StartLimits } from '../limits.ts';
import type { StateDatabase } from '../records/state-database.ts';

/** Times as the clock on the wall has them, ms: a session outlives the process. */
interface Session {
  readonly created: number;
  used: number;
  /** `used`, as it is kept. */
  kept: number;
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
  #startHash: string | undefined;

  constructor(limits: Pick<StartLimits, 'sessionIdleMs' | 'sessionLifeMs'>, state: StateDatabase) {
    this.#limits = limits;
    this.#state = state;
    const kept = state.sql.prepare('select hash, created, used from session').all() as unknown as { readonly hash: string; readonly created: number; readonly used: number }[];
    for (const { hash: key, created, used } of kept) {
      this.#sessions.set(key, { created, used, kept: used });
      this.#find(key, Date.now());
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
    const now = Date.now();
    const key = hash(session);
    this.#sessions.set(key, { created: now, used: now, kept: now });
    this.#keep('insert into session (hash, created, used) values (?, ?, ?)', key, now, now);
    return session;
  }

  isValid(session: string | undefined): boolean {
    if (!session) return false;
    const now = Date.now();
    const key = hash(session);
    const found = this.#find(key, now);
    if (!found) return false;
    found.used = now;
    if (Math.abs(now - found.kept) >= keptEveryMs) {
      found.kept = now;
      this.#keep('update session set used = ? where hash = ?', now, key);
    }
    return true;
  }

  /** A session that has not ended; one that has is forgotten. */
  #find(key: string, now: number): Session | undefined {
    const found = this.#sessions.get(key);
    if (!found || (now - found.created <= this.#limits.sessionLifeMs && now - found.used <= this.#limits.sessionIdleMs)) return found;
    this.#sessions.delete(key);
    this.#keep('delete from session where hash = ?', key);
    return undefined;
  }

  /** A disk that is full keeps nobody out: what is not kept holds as long as the process. */
  #keep(change: string, ...values: readonly (string | number)[]): void {
    try {
      this.#state.sql.prepare(change).run(...values);
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
