import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { StartLimits } from '../limits.ts';

interface Session {
  readonly created: number;
  lastUsed: number;
}

/**
 * Signing in on one's own machine: an address printed in the console, good for one use, that sets a session cookie.
 * Only hashes are kept; sessions end with the process, and by the workspace's limits: unused for so long, or so long in all.
 */
export class LocalSessions {
  readonly #sessions = new Map<string, Session>();
  readonly #limits: Pick<StartLimits, 'sessionIdleMs' | 'sessionLifeMs'>;
  #startHash: string | undefined;

  constructor(limits: Pick<StartLimits, 'sessionIdleMs' | 'sessionLifeMs'>) {
    this.#limits = limits;
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
    const now = performance.now();
    this.#sessions.set(hash(session), { created: now, lastUsed: now });
    return session;
  }

  isValid(session: string | undefined): boolean {
    if (!session) return false;
    const key = hash(session);
    const found = this.#sessions.get(key);
    if (!found) return false;
    const now = performance.now();
    if (now - found.created > this.#limits.sessionLifeMs || now - found.lastUsed > this.#limits.sessionIdleMs) {
      this.#sessions.delete(key);
      return false;
    }
    found.lastUsed = now;
    return true;
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
