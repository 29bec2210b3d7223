import type { StateDatabase } from '../database/state-database.ts';

/** The keys of users' authenticator apps, and their backup codes. */
export class SecondFactors {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  /** Returns the encrypted key of a user's authenticator app. */
  async keyOf(userId: string): Promise<string | undefined> {
    const row = await this.#state.db
      .selectFrom('totp')
      .select('key')
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return row?.key;
  }

  /**
   * Adds an authenticator app with its backup codes. False if the user has one.
   *
   * @param key encrypted
   * @param step the time step of the code that was given for it
   * @param hashes of the backup codes
   */
  async add(userId: string, key: string, step: number, hashes: readonly string[]): Promise<boolean> {
    return this.#state.transaction(async () => {
      const { numInsertedOrUpdatedRows } = await this.#state.db
        .insertInto('totp')
        .values({ user_id: userId, key, last_step: step, at: new Date().toISOString() })
        .onConflict(conflict => conflict.doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows !== 1n) return false;
      await this.setBackupCodes(userId, hashes);
      return true;
    });
  }

  /** Accepts a time step once. False if a code of it, or of a later one, was accepted before. */
  async useStep(userId: string, step: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#state.db
      .updateTable('totp')
      .set({ last_step: step })
      .where('user_id', '=', userId)
      .where('last_step', '<', step)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  async setBackupCodes(userId: string, hashes: readonly string[]): Promise<void> {
    await this.#state.transaction(async () => {
      const { db } = this.#state;
      await db.deleteFrom('backup_code').where('user_id', '=', userId).execute();
      await db
        .insertInto('backup_code')
        .values(hashes.map(hash => ({ user_id: userId, hash })))
        .execute();
    });
  }

  /** Uses a backup code up. False if the user has none with this hash. */
  async useBackupCode(userId: string, hash: string): Promise<boolean> {
    const { numDeletedRows } = await this.#state.db
      .deleteFrom('backup_code')
      .where('user_id', '=', userId)
      .where('hash', '=', hash)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  }

  async countBackupCodes(userId: string): Promise<number> {
    const rows = await this.#state.db
      .selectFrom('backup_code')
      .select('hash')
      .where('user_id', '=', userId)
      .execute();
    return rows.length;
  }

  /** Removes a user's authenticator app and backup codes. */
  async remove(userId: string): Promise<void> {
    await this.#state.transaction(async () => {
      const { db } = this.#state;
      await db.deleteFrom('totp').where('user_id', '=', userId).execute();
      await db.deleteFrom('backup_code').where('user_id', '=', userId).execute();
    });
  }
}
