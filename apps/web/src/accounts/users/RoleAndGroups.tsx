import type { Role, UserGroup } from '@belvedere/api';
import { InlineSelect } from '@belvedere/ui';
import { GroupChoice } from './GroupChoice.tsx';
import { words } from '../messages/words.ts';

interface RoleAndGroupsProps {
  readonly role: Role;
  /** The roles that may be given. */
  readonly roles: readonly Role[];
  readonly onRole: (role: Role) => void;
  readonly groups: readonly UserGroup[];
  /** The IDs of the chosen groups. */
  readonly chosen: readonly string[];
  readonly onGroups: (chosen: readonly string[]) => void;
}

/** The role and the groups of a new account. */
export function RoleAndGroups({ role, roles, onRole, groups, chosen, onGroups }: RoleAndGroupsProps) {
  return (
    <>
      <div>
        <InlineSelect
          label={words.people.role}
          value={role}
          options={roles.map(value => ({ value, label: words.roles[value] }))}
          onChange={value => onRole(value as Role)}
        />
        <p className="pt-1 text-12 text-text-2">{words.roleHints[role]}</p>
      </div>
      {groups.length > 0 ? (
        <fieldset>
          <legend className="pb-1 text-12 text-text-2">{words.people.groups}</legend>
          <GroupChoice groups={groups} chosen={chosen} onChange={onGroups} />
        </fieldset>
      ) : null}
    </>
  );
}
