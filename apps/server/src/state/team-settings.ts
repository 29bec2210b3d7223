import type { StateDatabase } from './state-database.ts';

/** The settings of team mode that owners change in the interface. */
export class TeamSettings {
  readonly #state: StateDatabase;
  #requiresTwoFactor = false;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  /** Whether all users need a second factor to sign in. */
  get requiresTwoFactor(): boolean {
    return this.#requiresTwoFactor;
  }

  async load(): Promise<void> {
    const row = await this.#state.db
      .selectFrom('team_setting')
      .select('value')
      .where('name', '=', 'two-factor')
      .executeTakeFirst();
    this.#requiresTwoFactor = row?.value === 'true';
  }

  async setRequiresTwoFactor(isRequired: boolean): Promise<void> {
    const value = JSON.stringify(isRequired);
    await this.#state.db
      .insertInto('team_setting')
      .values({ name: 'two-factor', value })
      .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
      .execute();
    this.#requiresTwoFactor = isRequired;
  }
}
