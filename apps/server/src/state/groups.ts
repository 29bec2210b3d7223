import type { UserGroup } from '@belvedere/api';
import { ProblemError } from '../problem-error.ts';
import type { StateDatabase } from './state-database.ts';

/** Groups of users, and who is in them. */
export class Groups {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  /** In the order of their names. */
  async list(): Promise<UserGroup[]> {
    const rows = await this.#state.db
      .selectFrom('user_group')
      .leftJoin('membership', 'membership.group_id', 'user_group.id')
      .select(['user_group.id', 'user_group.name', 'user_group.attributes'])
      .select(({ fn }) => fn.count<number>('membership.user_id').as('members'))
      .groupBy(['user_group.id', 'user_group.name', 'user_group.attributes'])
      .orderBy('user_group.name')
      .execute();
    return rows.map(({ id, name, members, attributes }) => ({
      id,
      name,
      members,
      attributes: JSON.parse(attributes) as UserGroup['attributes'],
    }));
  }

  /**
   * Creates a group, or changes its name and attributes.
   *
   * @throws ProblemError `request-invalid` if another group has the name
   */
  async save(id: string, { name, attributes }: Pick<UserGroup, 'name' | 'attributes'>): Promise<UserGroup> {
    return this.#state.transaction(async () => {
      const { db } = this.#state;
      const same = await db.selectFrom('user_group').select('id').where('name', '=', name).executeTakeFirst();
      if (same && same.id !== id)
        throw new ProblemError('request-invalid', `A group named “${name}” exists already.`);
      const values = { name, attributes: JSON.stringify(attributes) };
      await db
        .insertInto('user_group')
        .values({ id, ...values })
        .onConflict(conflict => conflict.column('id').doUpdateSet(values))
        .execute();
      return (await this.list()).find(group => group.id === id)!;
    });
  }

  /**
   * Deletes a group, its memberships and what was shared with it.
   *
   * @returns the group that was deleted
   * @throws ProblemError `not-found`
   */
  async remove(id: string): Promise<UserGroup> {
    return this.#state.transaction(async () => {
      const { db } = this.#state;
      const group = (await this.list()).find(one => one.id === id);
      if (!group) throw new ProblemError('not-found', 'This group no longer exists.');
      await db
        .deleteFrom('access_grant')
        .where('subject_kind', '=', 'group')
        .where('subject_id', '=', id)
        .execute();
      await db.deleteFrom('user_group').where('id', '=', id).execute();
      return group;
    });
  }

  /** Puts a user into these groups and no others. @throws ProblemError `request-invalid` for unknown groups */
  async setGroupsOf(userId: string, groups: readonly string[]): Promise<void> {
    await this.#state.transaction(async () => {
      const { db } = this.#state;
      await this.check(groups);
      await db.deleteFrom('membership').where('user_id', '=', userId).execute();
      const rows = [...new Set(groups)].map(group => ({ user_id: userId, group_id: group }));
      if (rows.length > 0) await db.insertInto('membership').values(rows).execute();
    });
  }

  /** @throws ProblemError `request-invalid` if one of the groups does not exist */
  async check(groups: readonly string[]): Promise<void> {
    const known = new Set((await this.list()).map(({ id }) => id));
    const missing = groups.find(id => !known.has(id));
    if (missing !== undefined)
      throw new ProblemError('request-invalid', `The group \`${missing}\` no longer exists.`);
  }
}
