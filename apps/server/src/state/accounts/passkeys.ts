import type { Selectable } from 'kysely';
import type { StateDatabase } from '../database/state-database.ts';
import type { Tables } from '../tables/tables.ts';

/** A credential of Web Authentication. The ID and the public key are base64url. */
export interface StoredPasskey {
  readonly id: string;
  readonly userId: string;
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAt: string;
  readonly usedAt?: string;
}

export type NewPasskey = Omit<StoredPasskey, 'createdAt' | 'usedAt'>;

/** The passkeys of all users. */
export class PasskeyRecords {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  /** A user's passkeys, the oldest first. */
  async list(userId: string): Promise<StoredPasskey[]> {
    const rows = await this.#select().where('user_id', '=', userId).orderBy('at').orderBy('id').execute();
    return rows.map(asPasskey);
  }

  async find(credentialId: string): Promise<StoredPasskey | undefined> {
    const row = await this.#select().where('credential_id', '=', credentialId).executeTakeFirst();
    return row && asPasskey(row);
  }

  /** False if the credential is known already. */
  async add({
    id,
    userId,
    credentialId,
    publicKey,
    counter,
    transports,
    name,
  }: NewPasskey): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#state.db
      .insertInto('passkey')
      .values({
        id,
        user_id: userId,
        credential_id: credentialId,
        public_key: publicKey,
        counter,
        transports: JSON.stringify(transports),
        name,
        at: new Date().toISOString(),
      })
      .onConflict(conflict => conflict.doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  }

  /** Records a use. False if another use has changed the counter meanwhile. */
  async use({ id, counter }: Pick<StoredPasskey, 'id' | 'counter'>, next: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#state.db
      .updateTable('passkey')
      .set({ counter: next, used_at: new Date().toISOString() })
      .where('id', '=', id)
      .where('counter', '=', counter)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  /** @returns the passkey's former name; undefined if the user has no such passkey */
  async rename(userId: string, id: string, name: string): Promise<string | undefined> {
    const found = (await this.list(userId)).find(one => one.id === id);
    if (found) await this.#state.db.updateTable('passkey').set({ name }).where('id', '=', id).execute();
    return found?.name;
  }

  /** False if the user has no such passkey. */
  async remove(userId: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#state.db
      .deleteFrom('passkey')
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  }

  async removeAll(userId: string): Promise<void> {
    await this.#state.db.deleteFrom('passkey').where('user_id', '=', userId).execute();
  }

  #select() {
    return this.#state.db.selectFrom('passkey').selectAll();
  }
}

function asPasskey(row: Selectable<Tables['passkey']>): StoredPasskey {
  return {
    id: row.id,
    userId: row.user_id,
    credentialId: row.credential_id,
    publicKey: row.public_key,
    counter: Number(row.counter),
    transports: JSON.parse(row.transports) as string[],
    name: row.name,
    createdAt: row.at,
    ...(row.used_at !== null && { usedAt: row.used_at }),
  };
}
