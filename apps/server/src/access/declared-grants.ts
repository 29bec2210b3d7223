import type { ObjectKind, UserGroup } from '@belvedere/api';
import type { Grant } from '../state/sharing/grants.ts';
import type { User } from '../state/accounts/users.ts';
import type { Workspace } from '../workspace/workspace.ts';

/**
 * Returns the grants that a workspace declares in `access.yaml` and `access/`. Those to users and groups that do not exist
 * (yet) are left out.
 */
export function declaredGrants(
  { declaredGrants: declared }: Workspace,
  users: ReadonlyMap<string, User>,
  groups: ReadonlyMap<string, UserGroup>,
): Grant[] {
  if (declared.length === 0) return [];
  const byEmail = new Map([...users.values()].map(({ id, email }) => [email, id]));
  const byName = new Map([...groups.values()].map(({ id, name }) => [name, id]));
  return declared.flatMap(({ everyone, group, user, level, exportRows, ...objects }): Grant[] => {
    const [objectKind, object] = Object.entries(objects).find(([, id]) => id !== undefined) as [
      ObjectKind,
      string,
    ];
    const subjectKind = everyone ? 'everyone' : group !== undefined ? 'group' : 'user';
    const subjectId = everyone ? '' : group !== undefined ? byName.get(group) : byEmail.get(user!);
    return subjectId === undefined ? [] : [{ subjectKind, subjectId, objectKind, object, level, exportRows }];
  });
}
