import type { AccessToken } from '@belvedere/api';
import type { StateDatabase } from '../database/state-database.ts';
import type { AccountTables } from '../tables/account-tables.ts';
import type { Selectable } from 'kysely';

/** Expired tokens are listed this long, so that their users see why a program has stopped. */
const listedMs = 30 * 86_400_000;

/** A token as requests need it. */
export interface TokenRecord extends Omit<AccessToken, 'isExpired'> {
  readonly userId: string;
  /** A SHA-256; the token itself is not stored. */
  readonly hash: string;
  /** Of an assistant whose user signed in, like `client`. Then `expiresAt` is the end of the consent. */
  readonly oauth?: OAuthRecord;
}

/** How the token of an assistant is renewed (RFC 6749). */
interface OAuthRecord {
  readonly clientHash: string;
  /** Of the part that all refresh tokens of one consent have in common. */
  readonly familyHash: string;
  /** Of the refresh token that may be used next. */
  readonly refreshHash: string;
  readonly accessExpiresAt: string;
}

/** The access tokens of users and service accounts. */
export class AccessTokenRecords {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  /** The newest first. */
  async all(): Promise<TokenRecord[]> {
    const { db } = this.#state;
    const rows = await db.selectFrom('access_token').selectAll().orderBy('created_at', 'desc').execute();
    return rows.map(row => ({
      id: row.id,
      userId: row.user_id,
      name: row.name,
      hash: row.token_hash,
      scope: row.scope,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
      ...(row.last_used_at !== null && { usedAt: row.last_used_at }),
      ...(row.client !== null && { client: row.client, oauth: oauthOf(row) }),
    }));
  }

  async add({ userId, hash, usedAt, oauth, ...token }: TokenRecord, createdBy: string): Promise<void> {
    await this.#state.db
      .insertInto('access_token')
      .values({
        id: token.id,
        user_id: userId,
        name: token.name,
        token_hash: hash,
        scope: token.scope,
        created_by: createdBy,
        created_at: token.createdAt,
        expires_at: token.expiresAt,
        last_used_at: usedAt ?? null,
        client: token.client ?? null,
        client_hash: oauth?.clientHash ?? null,
        family_hash: oauth?.familyHash ?? null,
        refresh_hash: oauth?.refreshHash ?? null,
        access_expires_at: oauth?.accessExpiresAt ?? null,
      })
      .execute();
  }

  /** Replaces the secrets of an assistant's token. @returns whether its refresh token was still unused */
  async renew(
    { id, hash, expiresAt, oauth }: Required<Pick<TokenRecord, 'id' | 'hash' | 'expiresAt' | 'oauth'>>,
    usedRefreshHash: string,
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.#state.db
      .updateTable('access_token')
      .set({
        token_hash: hash,
        expires_at: expiresAt,
        refresh_hash: oauth.refreshHash,
        access_expires_at: oauth.accessExpiresAt,
      })
      .where('id', '=', id)
      .where('refresh_hash', '=', usedRefreshHash)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async remove(id: string): Promise<void> {
    await this.#state.db.deleteFrom('access_token').where('id', '=', id).execute();
  }

  /** Notes when a token, and so its user, was last there. */
  async setUsed({ id, userId }: TokenRecord, at: string): Promise<void> {
    const { db } = this.#state;
    await db.updateTable('access_token').set({ last_used_at: at }).where('id', '=', id).execute();
    await db.updateTable('user').set({ last_seen_at: at }).where('id', '=', userId).execute();
  }

  /** Deletes tokens that expired a month ago. */
  async prune(now: Date): Promise<void> {
    const before = new Date(now.getTime() - listedMs).toISOString();
    await this.#state.db.deleteFrom('access_token').where('expires_at', '<=', before).execute();
  }
}

function oauthOf(row: Selectable<AccountTables['access_token']>): OAuthRecord {
  return {
    clientHash: row.client_hash ?? '',
    familyHash: row.family_hash ?? '',
    refreshHash: row.refresh_hash ?? '',
    accessExpiresAt: row.access_expires_at ?? '',
  };
}
