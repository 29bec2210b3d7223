import type { AccessToken, TokenScope } from '@belvedere/api';
import { randomUUID } from 'node:crypto';
import { ProblemError } from '../problems.ts';
import { AccessTokenRecords, type TokenRecord } from '../state/access-tokens.ts';
import type { StateDatabase } from '../state/state-database.ts';
import type { Clock } from '../state/wall-clock.ts';
import { LatestRecords } from './latest-records.ts';
import { newToken, tokenHash } from './token-hash.ts';

/** By it, programs that search texts for leaked secrets know the tokens. */
const prefix = 'belvedere_';
const form = /^Bearer +(belvedere_[\w-]{43})$/i;
const mostOfUser = 50;
/** Precision of the stored time of last use, ms: a write for each request is not worth it. */
const keptEveryMs = 60_000;

/** Whether a request wants to be known by a token. Proxies send other schemes, which mean nothing here. */
export function hasToken(authorization: string | undefined): authorization is string {
  return /^Bearer\b/i.test(authorization ?? '');
}

/**
 * The tokens with which programs call the API. All are in memory, so that requests need no query. The
 * database has only their hashes.
 */
export class AccessTokens {
  readonly #records: AccessTokenRecords;
  readonly #clock: Clock;
  readonly #latest: LatestRecords<TokenRecord>;
  #byHash = new Map<string, TokenRecord>();
  #saving: Promise<void> = Promise.resolve();

  private constructor(state: StateDatabase, clock: Clock) {
    this.#records = new AccessTokenRecords(state);
    this.#latest = new LatestRecords(() => this.#records.all());
    this.#clock = clock;
  }

  static async open(state: StateDatabase, clock: Clock): Promise<AccessTokens> {
    const tokens = new AccessTokens(state, clock);
    await tokens.#load();
    return tokens;
  }

  /** Calls a function after a token was revoked. @returns a function that ends the subscription */
  subscribe(listener: () => void): () => void {
    return this.#latest.subscribe(listener);
  }

  /** Resolves when all changes so far are saved. */
  settled(): Promise<void> {
    return this.#saving;
  }

  /** Returns the valid token of an `authorization` header, and counts it as used. */
  find(authorization: string): TokenRecord | undefined {
    const [, secret] = form.exec(authorization) ?? [];
    const found = secret === undefined ? undefined : this.#byHash.get(tokenHash(secret));
    const now = this.#clock.wall();
    if (!found || Date.parse(found.expiresAt) <= now) return undefined;
    if (found.usedAt === undefined || Math.abs(now - Date.parse(found.usedAt)) >= keptEveryMs)
      this.#keepUse(found, new Date(now).toISOString());
    return found;
  }

  /** The newest first; those that expired within the last month too. */
  list(userId: string): AccessToken[] {
    return [...this.#byHash.values()]
      .filter(token => token.userId === userId)
      .map(token => this.#asAnswer(token));
  }

  /** @returns the token, and what programs send, which cannot be read again */
  async create(
    userId: string,
    { name, scope, days }: { readonly name: string; readonly scope: TokenScope; readonly days: number },
    createdBy: string,
  ): Promise<{ readonly token: AccessToken; readonly secret: string }> {
    const own = this.list(userId);
    if (own.length >= mostOfUser)
      throw new ProblemError(
        'request-invalid',
        `There are ${own.length} access tokens. Revoke some of them.`,
      );
    if (own.some(token => token.name === name))
      throw new ProblemError('request-invalid', `There is an access token named “${name}”.`, {
        errors: [{ path: 'name', message: 'is taken' }],
      });
    const secret = `${prefix}${newToken()}`;
    const now = this.#clock.wall();
    const record: TokenRecord = {
      id: randomUUID(),
      userId,
      name,
      hash: tokenHash(secret),
      scope,
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(now + days * 86_400_000).toISOString(),
    };
    await this.#records.add(record, createdBy);
    this.#latest.noteChange();
    this.#byHash = new Map([[record.hash, record], ...this.#byHash]);
    return { token: this.#asAnswer(record), secret };
  }

  /** @returns the token that no longer works. @throws ProblemError `not-found` unless the user has it */
  async revoke(userId: string, id: string): Promise<AccessToken> {
    const found = [...this.#byHash.values()].find(token => token.userId === userId && token.id === id);
    if (!found) throw new ProblemError('not-found', 'This access token was already revoked.');
    await this.#records.remove(id);
    this.#latest.noteChange();
    this.#byHash.delete(found.hash);
    this.#latest.notify();
    return this.#asAnswer(found);
  }

  async prune(now: Date): Promise<void> {
    await this.#records.prune(now);
    await this.#load();
  }

  /** Reads all tokens again, after another server has created or revoked some. */
  async followOthers(): Promise<void> {
    await this.#load();
    this.#latest.notify();
  }

  async #load(): Promise<void> {
    const tokens = await this.#latest.read();
    if (tokens) this.#byHash = new Map(tokens.map(token => [token.hash, token]));
  }

  /** Programs may call while the database is away. */
  #keepUse(token: TokenRecord, usedAt: string): void {
    this.#byHash.set(token.hash, { ...token, usedAt });
    this.#saving = this.#saving
      .then(() => this.#records.setUsed(token, usedAt))
      .catch((error: Error) =>
        console.error(new Date().toISOString(), 'Could not save the use of a token:', error.message),
      );
  }

  #asAnswer({ id, name, scope, createdAt, expiresAt, usedAt }: TokenRecord): AccessToken {
    const isExpired = Date.parse(expiresAt) <= this.#clock.wall();
    return { id, name, scope, createdAt, expiresAt, isExpired, ...(usedAt !== undefined && { usedAt }) };
  }
}
