import { randomUUID } from 'node:crypto';
import { ProblemError } from '../../http/problem-error.ts';
import type { StateDatabase } from '../database/state-database.ts';

/** A user as a sign-in provider knows them. */
export interface Identity {
  readonly id: string;
  readonly userId: string;
  /** The ID of the provider in `belvedere.yaml` at the last sign-in. */
  readonly provider: string;
  readonly email?: string;
  readonly createdAt: string;
  readonly usedAt: string;
}

/** Identifies a user of a provider. */
export interface Subject {
  readonly issuer: string;
  readonly subject: string;
}

/** With which identities of sign-in providers users sign in, and which users have a password. */
export class Identities {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  async find({ issuer, subject }: Subject): Promise<Identity | undefined> {
    const row = await this.#state.db
      .selectFrom('provider_identity')
      .selectAll()
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst();
    return row && asIdentity(row);
  }

  /** Lists a user's identities, the oldest first. */
  async of(userId: string): Promise<Identity[]> {
    const rows = await this.#state.db
      .selectFrom('provider_identity')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return rows.map(asIdentity);
  }

  /** @throws ProblemError `request-invalid` if the identity is connected already */
  async add(
    { issuer, subject }: Subject,
    { userId, provider, email }: Pick<Identity, 'userId' | 'provider' | 'email'>,
    now: Date,
  ): Promise<void> {
    const at = now.toISOString();
    const { numInsertedOrUpdatedRows: added } = await this.#state.db
      .insertInto('provider_identity')
      .values({
        id: randomUUID(),
        issuer,
        subject,
        user_id: userId,
        provider,
        email: email ?? null,
        created_at: at,
        used_at: at,
      })
      .onConflict(conflict => conflict.columns(['issuer', 'subject']).doNothing())
      .executeTakeFirst();
    if (added !== 1n) throw new ProblemError('request-invalid', 'This account is connected already.');
  }

  /** Records a sign-in. */
  async use(id: string, provider: string, email: string | undefined, now: Date): Promise<void> {
    await this.#state.db
      .updateTable('provider_identity')
      .set({ provider, used_at: now.toISOString(), ...(email !== undefined && { email }) })
      .where('id', '=', id)
      .execute();
  }

  async remove(id: string): Promise<void> {
    await this.#state.db.deleteFrom('provider_identity').where('id', '=', id).execute();
  }

  async hasPassword(userId: string): Promise<boolean> {
    const row = await this.#state.db
      .selectFrom('account')
      .select('id')
      .where('user_id', '=', userId)
      .where('provider_id', '=', 'credential')
      .where('password', 'is not', null)
      .executeTakeFirst();
    return row !== undefined;
  }
}

function asIdentity(row: {
  readonly id: string;
  readonly user_id: string;
  readonly provider: string;
  readonly email: string | null;
  readonly created_at: string;
  readonly used_at: string;
}): Identity {
  return {
    id: row.id,
    userId: row.user_id,
    provider: row.provider,
    ...(row.email !== null && { email: row.email }),
    createdAt: row.created_at,
    usedAt: row.used_at,
  };
}
