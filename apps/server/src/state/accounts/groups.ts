import type { UserGroup } from '@belvedere/api';
import { ProblemError } from '../../http/problem-error.ts';
import { requireVersion } from '../../http/require-version.ts';
import { textHash } from '../documents/revisions.ts';
import type { StateDatabase } from '../database/state-database.ts';

interface SavedGroup extends Pick<UserGroup, 'name' | 'attributes'> {
  /** The IDs of groups in it; unchanged if undefined. */
  readonly groups?: readonly string[] | undefined;
  /** Of the group that it replaces; any if undefined. */
  readonly version?: string | undefined;
}

/** PostgreSQL's code of a value that is taken (its Appendix A). */
const uniqueViolation = '23505';

/** Groups of users, and who is in them. */
export class Groups {
  readonly #state: StateDatabase;

  constructor(state: StateDatabase) {
    this.#state = state;
  }

  /** In the order of their names. */
  async list(): Promise<UserGroup[]> {
    const { db } = this.#state;
    const rows = await db.selectFrom('user_group').selectAll().orderBy('name').execute();
    const nested = await db.selectFrom('group_in_group').selectAll().orderBy('inner_id').execute();
    const inner = Map.groupBy(nested, ({ outer_id }) => outer_id);
    const memberships = await db.selectFrom('membership').selectAll().execute();
    const users = Map.groupBy(memberships, ({ group_id }) => group_id);
    return rows.map(({ id, name, attributes }) => {
      const groups = (inner.get(id) ?? []).map(({ inner_id }) => inner_id);
      const members = [id, ...groups].flatMap(one => (users.get(one) ?? []).map(({ user_id }) => user_id));
      return {
        id,
        name,
        members: new Set(members).size,
        groups,
        attributes: JSON.parse(attributes) as UserGroup['attributes'],
        version: textHash(JSON.stringify([name, attributes, groups])),
      };
    });
  }

  /**
   * Creates a group, or changes its name, attributes and the groups in it.
   *
   * @throws ProblemError `request-invalid` if another group has the name, or if groups would be nested deeper
   * than one level; `revision-conflict`
   */
  async save(id: string, { name, attributes, groups, version }: SavedGroup): Promise<UserGroup> {
    return this.#state.transaction(async () => {
      const { db } = this.#state;
      // Locks all groups before one is changed, so that two changes at once neither nest them deeper together nor
      // wait for each other.
      if (groups !== undefined || version !== undefined)
        await db
          .updateTable('user_group')
          .set(({ ref }) => ({ name: ref('name') }))
          .execute();
      if (version !== undefined) {
        const current = (await this.list()).find(group => group.id === id);
        if (!current) throw new ProblemError('not-found', 'This group no longer exists.');
        requireVersion(version, current.version, `The group “${current.name}”`);
      }
      const same = await db.selectFrom('user_group').select('id').where('name', '=', name).executeTakeFirst();
      if (same && same.id !== id) throw nameTaken(name);
      const values = { name, attributes: JSON.stringify(attributes) };
      await db
        .insertInto('user_group')
        .values({ id, ...values })
        .onConflict(conflict => conflict.column('id').doUpdateSet(values))
        .execute()
        .catch((error: { readonly code?: string }) => {
          // Another request of PostgreSQL took the name at the same moment.
          throw error.code === uniqueViolation ? nameTaken(name) : error;
        });
      if (groups !== undefined) await this.#setGroupsIn(id, [...new Set(groups)]);
      return (await this.list()).find(group => group.id === id)!;
    });
  }

  async #setGroupsIn(id: string, inner: readonly string[]): Promise<void> {
    const { db } = this.#state;
    await this.check(inner);
    const all = await this.list();
    const nameOf = (group: string) => all.find(one => one.id === group)?.name ?? group;
    const outer = all.find(({ groups }) => groups.includes(id));
    const refused =
      inner.length === 0
        ? undefined
        : inner.includes(id)
          ? `“${nameOf(id)}” cannot contain itself.`
          : outer
            ? `“${nameOf(id)}” is in the group “${outer.name}”, so it cannot contain groups.`
            : all
                .filter(one => inner.includes(one.id) && one.groups.length > 0)
                .map(({ name }) => `“${name}” contains groups, so it cannot be in another group.`)[0];
    if (refused !== undefined)
      throw new ProblemError('request-invalid', `${refused} Groups are nested one level deep.`, {
        errors: [{ path: 'groups', message: refused }],
      });
    await db.deleteFrom('group_in_group').where('outer_id', '=', id).execute();
    const rows = inner.map(inner_id => ({ outer_id: id, inner_id }));
    if (rows.length > 0) await db.insertInto('group_in_group').values(rows).execute();
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

  /** Makes a user a direct member of a group, or no longer one. */
  async setMember(groupId: string, userId: string, isMember: boolean): Promise<void> {
    const { db } = this.#state;
    const membership = { user_id: userId, group_id: groupId };
    await (isMember
      ? db
          .insertInto('membership')
          .values(membership)
          .onConflict(conflict => conflict.doNothing())
          .execute()
      : db.deleteFrom('membership').where('user_id', '=', userId).where('group_id', '=', groupId).execute());
  }

  /** @throws ProblemError `request-invalid` if one of the groups does not exist */
  async check(groups: readonly string[]): Promise<void> {
    const known = new Set((await this.list()).map(({ id }) => id));
    const missing = groups.find(id => !known.has(id));
    if (missing !== undefined)
      throw new ProblemError('request-invalid', `The group \`${missing}\` no longer exists.`);
  }
}

function nameTaken(name: string): ProblemError {
  return new ProblemError('request-invalid', `A group named “${name}” exists already.`);
}
