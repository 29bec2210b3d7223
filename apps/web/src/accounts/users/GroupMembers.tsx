import { isAtLeast, type Role, type UserAccount } from '@belvedere/api';
import { Checkbox, SearchField } from '@belvedere/ui';
import { useMemo, useState } from 'react';
import { QueryState } from '../QueryState.tsx';
import { useUsers } from '../account-data.ts';
import { words } from '../messages/words.ts';

/** As many are drawn; others are found by their names. */
const maxShown = 100;

interface GroupMembersProps {
  /** Undefined for a new group. */
  readonly groupId: string | undefined;
  /** The users whose membership changes, by ID. */
  readonly changes: ReadonlyMap<string, boolean>;
  readonly onChanges: (changes: ReadonlyMap<string, boolean>) => void;
  /** The role of the signed-in user: only owners change owners. */
  readonly role: Role;
}

/** The direct members of a group, to tick. They come first as they were when the dialog opened. */
export function GroupMembers({ groupId, changes, onChanges, role }: GroupMembersProps) {
  const { data, error, isPending, refetch } = useUsers();
  const [search, setSearch] = useState('');
  const users = useMemo(
    () =>
      (data?.users ?? []).toSorted(
        (a, b) => Number(isIn(b, groupId)) - Number(isIn(a, groupId)) || a.name.localeCompare(b.name),
      ),
    [data, groupId],
  );
  const isMember = (user: UserAccount) => changes.get(user.id) ?? isIn(user, groupId);
  const change = (user: UserAccount, isNow: boolean) => {
    const next = new Map(changes);
    if (isNow === isIn(user, groupId)) next.delete(user.id);
    else next.set(user.id, isNow);
    onChanges(next);
  };
  const wanted = search.trim().toLowerCase();
  const found = users.filter(({ name, email }) => `${name}\n${email}`.toLowerCase().includes(wanted));
  return (
    <section aria-label={words.groups.people} className="flex flex-col gap-1">
      <h3 className="text-12 font-medium text-text-2">
        {words.groups.people} <span className="tabular font-normal">{users.filter(isMember).length}</span>
      </h3>
      <QueryState error={error} isLoading={isPending} onRetry={() => void refetch()}>
        <SearchField label={words.people.search} maxLength={200} value={search} onChange={setSearch} />
        <div className="flex max-h-44 flex-col overflow-y-auto">
          {found.slice(0, maxShown).map(user => (
            <Checkbox
              key={user.id}
              isSelected={isMember(user)}
              isDisabled={user.role === 'owner' && !isAtLeast(role, 'owner')}
              onChange={isNow => change(user, isNow)}
            >
              <span className="truncate">{user.name}</span>
              {user.isService ? null : <span className="truncate text-12 text-text-2">{user.email}</span>}
            </Checkbox>
          ))}
        </div>
        {found.length === 0 ? <p className="text-12 text-text-2">{words.access.noMatch}</p> : null}
        {found.length > maxShown ? (
          <p className="text-12 text-text-2">{words.groups.morePeople(found.length - maxShown)}</p>
        ) : null}
      </QueryState>
    </section>
  );
}

function isIn({ groups }: UserAccount, groupId: string | undefined): boolean {
  return groupId !== undefined && groups.includes(groupId);
}
