import type { StateDatabase } from '../database/state-database.ts';

/** The settings, each on or off, by their names in the database. */
const names = {
  requiresTwoFactor: 'two-factor',
  hasPublicLinks: 'public-links',
  hasEmbedding: 'embedding',
  hasAccessRequests: 'access-requests',
  hasWebhooks: 'webhooks',
  // So that viewers may comment at first, and users connect assistants.
  keepsViewersFromComments: 'no-viewer-comments',
  keepsAssistantsFromConnecting: 'no-assistants',
} as const;
type Name = keyof typeof names;

/** The settings that owners change in the interface, most of them in team mode. All are off at first. */
export class TeamSettings {
  readonly #state: StateDatabase;
  #on: ReadonlySet<Name> = new Set();
  /** Counts changes of this process. */
  #changes = 0;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  /** Whether all users need a second factor to sign in. */
  get requiresTwoFactor(): boolean {
    return this.#on.has('requiresTwoFactor');
  }

  /** Whether public links can be created and opened. */
  get hasPublicLinks(): boolean {
    return this.#on.has('hasPublicLinks');
  }

  /** Whether other sites can show dashboards in frames. */
  get hasEmbedding(): boolean {
    return this.#on.has('hasEmbedding');
  }

  /** Whether users may ask for dashboards that were not shared with them. */
  get hasAccessRequests(): boolean {
    return this.#on.has('hasAccessRequests');
  }

  /** Whether alerts and reports are sent to webhooks. */
  get hasWebhooks(): boolean {
    return this.#on.has('hasWebhooks');
  }

  /** Whether the level `view` on a dashboard is not enough to comment on it. */
  get keepsViewersFromComments(): boolean {
    return this.#on.has('keepsViewersFromComments');
  }

  /** Whether no user may connect an assistant by signing in. */
  get keepsAssistantsFromConnecting(): boolean {
    return this.#on.has('keepsAssistantsFromConnecting');
  }

  /** Reads all settings. */
  async load(): Promise<void> {
    const changes = this.#changes;
    const rows = await this.#state.db.selectFrom('team_setting').selectAll().execute();
    // What was set meanwhile may not be among them.
    if (changes !== this.#changes) return this.load();
    const on = rows.filter(({ value }) => value === 'true').map(({ name }) => name);
    this.#on = new Set((Object.keys(names) as Name[]).filter(name => on.includes(names[name])));
  }

  async set(name: Name, isOn: boolean): Promise<void> {
    const value = JSON.stringify(isOn);
    await this.#state.db
      .insertInto('team_setting')
      .values({ name: names[name], value })
      .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
      .execute();
    this.#changes++;
    const on = new Set(this.#on);
    if (isOn) on.add(name);
    else on.delete(name);
    this.#on = on;
  }
}
