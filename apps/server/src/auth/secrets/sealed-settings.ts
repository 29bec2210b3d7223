import type { StateDatabase } from '../../state/database/state-database.ts';
import { TextSealer } from './sealed-text.ts';
import type { SealingSecrets } from './stored-secret.ts';

/** The rows of `team_setting` whose values are sealed. */
export const sealedPrefix = 'sealed:';
/** Names the key of the seals. */
export const settingsPurpose = 'settings';

/**
 * Settings with secrets that owners enter in the interface. Each is sealed as a whole: a seal that opens shows
 * that the setting was entered at this instance, and did not come with a workspace.
 */
export class SealedSettings {
  readonly #state: StateDatabase;
  readonly #sealer: TextSealer;

  constructor(state: StateDatabase, secrets: SealingSecrets) {
    this.#state = state;
    this.#sealer = new TextSealer(secrets, settingsPurpose);
  }

  /** Returns settings by their names; undefined for one that was sealed with another secret. */
  async all(): Promise<ReadonlyMap<string, unknown>> {
    const rows = await this.#state.db
      .selectFrom('team_setting')
      .selectAll()
      .where('name', 'like', `${sealedPrefix}%`)
      .orderBy('name')
      .execute();
    return new Map(
      rows.map(({ name, value }) => {
        const text = this.#sealer.open(value, name);
        return [name.slice(sealedPrefix.length), text === undefined ? undefined : JSON.parse(text)];
      }),
    );
  }

  async put(name: string, setting: unknown): Promise<void> {
    const row = `${sealedPrefix}${name}`;
    const value = this.#sealer.seal(JSON.stringify(setting), row);
    await this.#state.db
      .insertInto('team_setting')
      .values({ name: row, value })
      .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
      .execute();
  }

  async remove(name: string): Promise<void> {
    await this.#state.db.deleteFrom('team_setting').where('name', '=', `${sealedPrefix}${name}`).execute();
  }
}
