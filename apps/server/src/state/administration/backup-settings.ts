import { z } from 'zod';
import type { StateDatabase } from '../database/state-database.ts';

/** What an owner has set for the backups that the server makes. */
const StoredBackups = z.object({
  isOn: z.boolean(),
  at: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
  kept: z.number().int().min(1).max(1000),
  folder: z.string().min(1),
  /** The workspace's folder for which they were set: a copy of it must not delete the backups of the first. */
  root: z.string(),
});
export type StoredBackups = z.infer<typeof StoredBackups>;

const name = 'backups';

/** The settings of backups in the state database. */
export class BackupSettings {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  /** Returns what was set for a workspace's folder; undefined if nothing was, or for another one. */
  async find(root: string): Promise<StoredBackups | undefined> {
    const row = await this.#state.db
      .selectFrom('team_setting')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirst();
    const stored = row && StoredBackups.safeParse(JSON.parse(row.value)).data;
    return stored?.root === root ? stored : undefined;
  }

  async save(stored: StoredBackups): Promise<void> {
    const value = JSON.stringify(stored);
    await this.#state.db
      .insertInto('team_setting')
      .values({ name, value })
      .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
      .execute();
  }
}
