import type { UserGroup } from '@belvedere/api';
import type { User } from '../state/accounts/users.ts';

/**
 * Returns the groups whose member a user is: those that they were put into, by name, and then those that
 * contain one of these, by name.
 */
export function groupsOf(
  user: Pick<User, 'groups'>,
  groups: ReadonlyMap<string, UserGroup>,
): readonly UserGroup[] {
  const all = [...groups.values()];
  const own = all.filter(({ id }) => user.groups.includes(id));
  const outer = all.filter(
    group => !own.includes(group) && group.groups.some(inner => user.groups.includes(inner)),
  );
  return [...own, ...outer];
}

/** Whether a user is a member of a group, themselves or through a group in it. */
export function isMember(
  user: Pick<User, 'groups'>,
  groupId: string,
  groups: ReadonlyMap<string, UserGroup>,
): boolean {
  return [groupId, ...(groups.get(groupId)?.groups ?? [])].some(id => user.groups.includes(id));
}
