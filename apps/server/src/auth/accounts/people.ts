import type { User, Users } from '../../state/accounts/users.ts';

/** All users in memory, as every request needs them. Reloaded after each change. */
export class People {
  readonly #users: Users;
  readonly #listeners = new Set<() => Promise<void> | void>();
  #byId: ReadonlyMap<string, User> = new Map();
  /** How many readings have begun, and which one is in use. */
  #readings = 0;
  #latest = 0;

  constructor(users: Users) {
    this.#users = users;
  }

  get byId(): ReadonlyMap<string, User> {
    return this.#byId;
  }

  find(id: string): User | undefined {
    return this.#byId.get(id);
  }

  findByEmail(email: string): User | undefined {
    return [...this.#byId.values()].find(user => user.email === email);
  }

  /** Reloads all users, then calls all listeners. */
  async load(): Promise<void> {
    const reading = ++this.#readings;
    const users = await this.#users.list();
    // One that began later may have ended already: what it read is newer.
    if (reading > this.#latest) {
      this.#latest = reading;
      this.#byId = new Map(users.map(user => [user.id, user]));
    }
    for (const listener of this.#listeners) await listener();
  }

  /**
   * Calls a function after each change of users, groups or memberships, and waits for it.
   *
   * @returns a function that ends the subscription
   */
  subscribe(listener: () => Promise<void> | void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
