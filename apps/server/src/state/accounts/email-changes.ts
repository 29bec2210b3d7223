import type { StateDatabase } from '../database/state-database.ts';

const changeMs = 86_400_000;

/** Changes of e-mail addresses that wait for a confirmation, at most one for each user. */
export class EmailChanges {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  /** Creates a change, valid for one day. It replaces an earlier one of the user. */
  async create(userId: string, email: string, tokenHash: string, now: Date): Promise<void> {
    const row = {
      token_hash: tokenHash,
      user_id: userId,
      email,
      expires_at: new Date(now.getTime() + changeMs).toISOString(),
    };
    await this.#state.transaction(async () => {
      await this.removeOf(userId);
      await this.#state.db.insertInto('email_change').values(row).execute();
    });
  }

  /** Uses a token up. @returns the user and the new address; undefined if the token is not valid */
  async use(
    tokenHash: string,
    now: Date,
  ): Promise<{ readonly userId: string; readonly email: string } | undefined> {
    const row = await this.#state.db
      .deleteFrom('email_change')
      .where('token_hash', '=', tokenHash)
      .where('expires_at', '>', now.toISOString())
      .returning(['user_id', 'email'])
      .executeTakeFirst();
    return row && { userId: row.user_id, email: row.email };
  }

  async removeOf(userId: string): Promise<void> {
    await this.#state.db.deleteFrom('email_change').where('user_id', '=', userId).execute();
  }

  async prune(now: Date): Promise<void> {
    await this.#state.db.deleteFrom('email_change').where('expires_at', '<=', now.toISOString()).execute();
  }
}
