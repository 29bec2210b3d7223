import type { Role, UserAccount } from '@belvedere/api';
import { randomUUID } from 'node:crypto';
import { ProblemError } from '../../http/problem-error.ts';
import type { StateDatabase } from '../database/state-database.ts';

/** A user of team mode. */
export interface User extends UserAccount {
  /** Whether the user signs in at a provider, which asks for factors of its own. */
  readonly hasProvider: boolean;
  readonly disabledAt?: string;
  /** The time zone that the user chose. */
  readonly zone?: string;
}

export interface UserChange {
  readonly role?: Role | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly attributes?: UserAccount['attributes'] | undefined;
}

/** What users change of themselves. */
export interface ProfileChange {
  readonly name?: string | undefined;
  /** Null for the zone of the browser. */
  readonly zone?: string | null | undefined;
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
    const provided = new Set(
      (await db.selectFrom('provider_identity').select('user_id').execute()).map(one => one.user_id),
    );
    return rows.map(row => ({
      id: row.id,
      name: row.name,
      email: row.email,
      role: row.role,
      isDisabled: row.disabled_at !== null,
      isService: row.is_service === 1,
      ...(row.disabled_at !== null && { disabledAt: row.disabled_at }),
      ...(row.zone !== null && { zone: row.zone }),
      createdAt: row.created_at,
      ...(row.last_seen_at !== null && { lastSeenAt: row.last_seen_at }),
      groups: (groups.get(row.id) ?? []).map(({ group_id }) => group_id),
      attributes: JSON.parse(row.attributes) as User['attributes'],
      hasAuthenticator: apps.has(row.id),
      passkeys: passkeys.get(row.id)?.length ?? 0,
      hasProvider: provided.has(row.id),
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
      if (before.isService && role === 'owner')
        throw new ProblemError('request-invalid', 'A service account cannot be an owner.');
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

  /**
   * Creates the account of a program.
   *
   * @param groups IDs of groups that exist
   * @throws ProblemError `request-invalid` if the name is taken
   */
  async addService(
    { name, role }: { readonly name: string; readonly role: Exclude<Role, 'owner'> },
    groups: readonly string[],
  ): Promise<string> {
    const [id, now] = [randomUUID(), new Date().toISOString()];
    await this.#state.transaction(async () => {
      if (await this.findByEmail(name))
        throw new ProblemError('request-invalid', `There is a service account named \`${name}\`.`, {
          errors: [{ path: 'name', message: 'is taken' }],
        });
      await this.#state.db
        .insertInto('user')
        .values({
          id,
          name,
          email: name,
          email_verified: 0,
          image: null,
          created_at: now,
          updated_at: now,
          role,
          disabled_at: null,
          last_seen_at: null,
          attributes: '{}',
          is_service: 1,
        })
        .execute();
      for (const group_id of new Set(groups))
        await this.#state.db.insertInto('membership').values({ user_id: id, group_id }).execute();
    });
    return id;
  }

  async updateProfile(id: string, { name, zone }: ProfileChange): Promise<void> {
    await this.#state.db
      .updateTable('user')
      .set({
        ...(name !== undefined && { name }),
        ...(zone !== undefined && { zone }),
        updated_at: new Date().toISOString(),
      })
      .where('id', '=', id)
      .execute();
  }

  /**
   * Sets the address of a user, who has proved that it is theirs.
   *
   * @throws ProblemError `request-invalid` if another user has it
   */
  async setEmail(id: string, email: string): Promise<void> {
    await this.#state.transaction(async () => {
      const other = await this.findByEmail(email);
      if (other && other.id !== id)
        throw new ProblemError('request-invalid', 'Another account has this address.');
      await this.#state.db
        .updateTable('user')
        .set({ email, email_verified: 1, updated_at: new Date().toISOString() })
        .where('id', '=', id)
        .execute();
    });
  }
}
