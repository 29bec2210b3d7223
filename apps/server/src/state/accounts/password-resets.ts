import type { StateDatabase } from '../database/state-database.ts';

const dayMs = 86_400_000;

/** Links with which users set a new password, at most one for each user. */
export class PasswordResets {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  /** Creates a reset, valid for one day unless told otherwise. It replaces an earlier one of the user. */
  async create(userId: string, tokenHash: string, now: Date, lifeMs: number = dayMs): Promise<void> {
    const row = {
      token_hash: tokenHash,
      user_id: userId,
      expires_at: new Date(now.getTime() + lifeMs).toISOString(),
    };
    await this.#state.transaction(async () => {
      await this.removeOf(userId);
      await this.#state.db.insertInto('password_reset').values(row).execute();
    });
  }

  /** Returns the user of a token that is still valid. */
  async find(tokenHash: string, now: Date): Promise<string | undefined> {
    const row = await this.#state.db
      .selectFrom('password_reset')
      .select('user_id')
      .where('token_hash', '=', tokenHash)
      .where('expires_at', '>', now.toISOString())
      .executeTakeFirst();
    return row?.user_id;
  }

  /** Uses a token up. False if another request has used it meanwhile. */
  async use(tokenHash: string): Promise<boolean> {
    const { numDeletedRows } = await this.#state.db
      .deleteFrom('password_reset')
      .where('token_hash', '=', tokenHash)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  }

  async removeOf(userId: string): Promise<void> {
    await this.#state.db.deleteFrom('password_reset').where('user_id', '=', userId).execute();
  }

  async prune(now: Date): Promise<void> {
    await this.#state.db.deleteFrom('password_reset').where('expires_at', '<=', now.toISOString()).execute();
  }
}
