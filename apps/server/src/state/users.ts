import type { Role, UserAccount } from '@belvedere/api';
import { ProblemError } from '../problem-error.ts';
import type { StateDatabase } from './state-database.ts';

/** A user of team mode. */
export interface User extends UserAccount {
  readonly disabledAt?: string;
}

export interface UserChange {
  readonly role?: Role | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly attributes?: UserAccount['attributes'] | undefined;
}

/** The users of team mode. Passwords and sessions are with better-auth. */
export class Users {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  /** In the order of their names. */
  async list(): Promise<User[]> {
    const { db } = this.#state;
    const rows = await db.selectFrom('user').selectAll().orderBy('name').orderBy('id').execute();
    const memberships = await db.selectFrom('membership').selectAll().orderBy('group_id').execute();
    const groups = Map.groupBy(memberships, ({ user_id }) => user_id);
    const apps = new Set((await db.selectFrom('totp').select('user_id').execute()).map(one => one.user_id));
    const passkeys = Map.groupBy(
      await db.selectFrom('passkey').select('user_id').execute(),
      ({ user_id }) => user_id,
    );
    return rows.map(row => ({
      id: row.id,
      name: row.name,
      email: row.email,
      role: row.role,
      isDisabled: row.disabled_at !== null,
      ...(row.disabled_at !== null && { disabledAt: row.disabled_at }),
      createdAt: row.created_at,
      ...(row.last_seen_at !== null && { lastSeenAt: row.last_seen_at }),
      groups: (groups.get(row.id) ?? []).map(({ group_id }) => group_id),
      attributes: JSON.parse(row.attributes) as User['attributes'],
      hasAuthenticator: apps.has(row.id),
      passkeys: passkeys.get(row.id)?.length ?? 0,
    }));
  }

  async find(id: string): Promise<User | undefined> {
    return (await this.list()).find(user => user.id === id);
  }

  async findByEmail(email: string): Promise<User | undefined> {
    const normal = email.trim().toLowerCase();
    return (await this.list()).find(user => user.email === normal);
  }

  /**
   * Changes a user.
   *
   * @param by the role of the user who makes the change
   * @returns the user before and after
   * @throws ProblemError `not-found`; `not-allowed` if only owners may make the change; `request-invalid` if
   * no enabled owner would be left
   */
  async update(
    id: string,
    change: UserChange,
    by: Role,
  ): Promise<{ readonly before: User; readonly after: User }> {
    return this.#state.transaction(async () => {
      // Locks all owners, so that two changes at once cannot each leave the other one as the last.
      await this.#state.db
        .updateTable('user')
        .set(({ ref }) => ({ role: ref('role') }))
        .where('role', '=', 'owner')
        .execute();
      const users = await this.list();
      const before = users.find(user => user.id === id);
      if (!before) throw new ProblemError('not-found', 'This user no longer exists.');
      if (by !== 'owner' && (before.role === 'owner' || change.role === 'owner'))
        throw new ProblemError('not-allowed', 'Only owners may change owners, or make a user an owner.');
      const role = change.role ?? before.role;
      const isDisabled = change.isDisabled ?? before.isDisabled;
      const isOwner = (one: User) => one.role === 'owner' && !one.isDisabled;
      if (isOwner(before) && (role !== 'owner' || isDisabled) && users.filter(isOwner).length === 1)
        throw new ProblemError(
          'request-invalid',
          `${before.name} is the only owner who can sign in. Make another user an owner first.`,
        );
      const now = new Date().toISOString();
      const attributes = change.attributes ?? before.attributes;
      await this.#state.db
        .updateTable('user')
        .set({
          role,
          disabled_at: isDisabled ? (before.disabledAt ?? now) : null,
          attributes: JSON.stringify(attributes),
          updated_at: now,
        })
        .where('id', '=', id)
        .execute();
      return { before, after: (await this.find(id))! };
    });
  }

  async rename(id: string, name: string): Promise<void> {
    await this.#state.db
      .updateTable('user')
      .set({ name, updated_at: new Date().toISOString() })
      .where('id', '=', id)
      .execute();
  }
}
