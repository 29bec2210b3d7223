import { maxTokenDays, type AccessToken, type AssistantScope, type TokenScope } from '@belvedere/api';
import { randomUUID } from 'node:crypto';
import { ProblemError } from '../../http/problems.ts';
import { AccessTokenRecords, type TokenRecord } from '../../state/accounts/access-tokens.ts';
import type { StateDatabase } from '../../state/database/state-database.ts';
import type { Clock } from '../../state/database/wall-clock.ts';
import { LatestRecords } from '../accounts/latest-records.ts';
import { newToken, tokenHash } from '../secrets/token-hash.ts';

/** By it, programs that search texts for leaked secrets know the tokens. */
const prefix = 'belvedere_';
const form = /^Bearer +(belvedere_[\w-]{43})$/i;
const maxOfUser = 50;
/** An assistant renews its token with a refresh token, which consists of a part for all of a consent and its own. */
const refreshForm = /^belvedere_refresh_([\w-]{43})\.([\w-]{43})$/;
const accessMs = 3_600_000;
/** A consent ends this long after it was last renewed, and at the latest after the longest life of a token. */
const [idleMs, longestMs] = [90 * 86_400_000, maxTokenDays * 86_400_000];
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
    if (found.oauth && Date.parse(found.oauth.accessExpiresAt) <= now) return undefined;
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
    this.requireRoom(userId);
    const own = this.list(userId);
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
    await this.#add(record, createdBy);
    return { token: this.#asAnswer(record), secret };
  }

  /** @throws ProblemError if the user has as many tokens as they may */
  requireRoom(userId: string): void {
    const { length } = this.list(userId);
    if (length >= maxOfUser)
      throw new ProblemError('request-invalid', `There are ${length} access tokens. Revoke some of them.`);
  }

  /** Creates the token of an assistant to which its user has consented. */
  async connect(
    userId: string,
    {
      name,
      scope,
      client,
      clientId,
    }: {
      readonly name: string;
      readonly scope: AssistantScope;
      readonly client: string;
      readonly clientId: string;
    },
  ): Promise<OAuthTokens & { readonly id: string }> {
    this.requireRoom(userId);
    const names = new Set(this.list(userId).map(token => token.name));
    let [free, count] = [name, 1];
    while (names.has(free)) free = `${name} ${++count}`;
    const now = this.#clock.wall();
    const createdAt = new Date(now).toISOString();
    const family = newToken();
    const { tokens, ...secrets } = this.#newSecrets(family, createdAt, scope);
    const record: TokenRecord = {
      id: randomUUID(),
      userId,
      name: free,
      scope,
      createdAt,
      client,
      ...secrets,
      oauth: { ...secrets.oauth, clientHash: tokenHash(clientId), familyHash: tokenHash(family) },
    };
    await this.#add(record, userId);
    return { ...tokens, id: record.id };
  }

  /**
   * Replaces the tokens of an assistant. A refresh token that was used before may be in other hands, so it ends
   * the consent.
   *
   * @returns `unknown` also once the consent has ended
   */
  async renew(
    refreshToken: string,
    clientId: string,
  ): Promise<OAuthTokens | 'unknown' | { readonly replayed: TokenRecord }> {
    const found = this.findByRefreshToken(refreshToken);
    const [, family] = refreshForm.exec(refreshToken) ?? [];
    if (!found?.oauth || family === undefined || found.oauth.clientHash !== tokenHash(clientId))
      return 'unknown';
    if (Date.parse(found.expiresAt) <= this.#clock.wall()) return 'unknown';
    const { tokens, ...secrets } = this.#newSecrets(family, found.createdAt, found.scope);
    const renewed = { ...found, ...secrets, oauth: { ...found.oauth, ...secrets.oauth } };
    if (!(await this.#records.renew(renewed, tokenHash(refreshToken)))) {
      if (this.#latestOf(found)) await this.revoke(found.userId, found.id);
      return { replayed: found };
    }
    this.#latest.noteChange();
    const before = this.#latestOf(found);
    // Its user may have revoked it meanwhile.
    if (!before) return 'unknown';
    const { usedAt } = before;
    const now = { ...renewed, ...(usedAt !== undefined && { usedAt }) };
    // In its place, since the newest come first.
    const all = [...this.#byHash.values()].map(token => (token === before ? now : token));
    this.#byHash = new Map(all.map(token => [token.hash, token]));
    return tokens;
  }

  /** Returns the token of an assistant by any refresh token of its consent. */
  findByRefreshToken(refreshToken: string): TokenRecord | undefined {
    const [, family] = refreshForm.exec(refreshToken) ?? [];
    if (family === undefined) return undefined;
    const hash = tokenHash(family);
    return [...this.#byHash.values()].find(token => token.oauth?.familyHash === hash);
  }

  async #add(record: TokenRecord, createdBy: string): Promise<void> {
    await this.#records.add(record, createdBy);
    this.#latest.noteChange();
    this.#byHash = new Map([[record.hash, record], ...this.#byHash]);
  }

  /** The record as it is now; undefined once it is revoked. */
  #latestOf({ id }: TokenRecord): TokenRecord | undefined {
    return [...this.#byHash.values()].find(token => token.id === id);
  }

  #newSecrets(family: string, createdAt: string, scope: TokenScope) {
    const now = this.#clock.wall();
    const accessToken = `${prefix}${newToken()}`;
    const refreshToken = `${prefix}refresh_${family}.${newToken()}`;
    const ends = Math.min(now + idleMs, Date.parse(createdAt) + longestMs);
    return {
      tokens: { accessToken, refreshToken, scope, expiresInSeconds: accessMs / 1000 },
      hash: tokenHash(accessToken),
      expiresAt: new Date(ends).toISOString(),
      oauth: {
        refreshHash: tokenHash(refreshToken),
        accessExpiresAt: new Date(now + accessMs).toISOString(),
      },
    };
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

  #asAnswer({ id, name, scope, createdAt, expiresAt, usedAt, client }: TokenRecord): AccessToken {
    return {
      id,
      name,
      scope,
      createdAt,
      expiresAt,
      isExpired: Date.parse(expiresAt) <= this.#clock.wall(),
      ...(usedAt !== undefined && { usedAt }),
      ...(client !== undefined && { client }),
    };
  }
}

/** What an assistant receives. */
export interface OAuthTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly scope: TokenScope;
  readonly expiresInSeconds: number;
}
