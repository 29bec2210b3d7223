import type { UserGroup } from '@belvedere/api';
import { Button, Modal } from '@belvedere/ui';
import { Plus, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { useGroups } from '../../../accounts/account-data.ts';
import { QueryState } from '../../../accounts/QueryState.tsx';
import { rowsOf } from '../../../accounts/users/attribute-rows.ts';
import { FormProblem } from '../../../accounts/FormProblem.tsx';
import { GroupDialog } from '../../../accounts/users/GroupDialog.tsx';
import { words } from '../../../accounts/messages/words.ts';
import { useChange } from '../../../accounts/use-change.ts';
import { client } from '../../../data/server.ts';
import { SettingsPage } from '../SettingsPage.tsx';

type OpenDialog =
  | { readonly what: 'save'; readonly group?: UserGroup }
  | { readonly what: 'remove'; readonly group: UserGroup };

/** Groups of users, with the attributes of their members. */
export function GroupsScreen() {
  const { data, error, isPending, refetch } = useGroups();
  const [openDialog, setOpenDialog] = useState<OpenDialog>();
  const groups = data?.groups ?? [];
  return (
    <SettingsPage
      title={words.groups.title}
      hint={words.groups.hint}
      actions={
        <Button look="primary" onPress={() => setOpenDialog({ what: 'save' })}>
          <Plus size={15} aria-hidden />
          {words.groups.create}
        </Button>
      }
    >
      <QueryState error={error} isLoading={isPending} onRetry={() => void refetch()}>
        {groups.length === 0 ? (
          <p className="mt-5 rounded-tile border border-dashed border-border-strong bg-surface px-6 py-14 text-center text-text-2">
            {words.groups.empty}
          </p>
        ) : (
          <ul className="mt-5 rounded-tile border border-border bg-surface">
            {groups.map(group => (
              <li
                key={group.id}
                className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-border px-3 py-2 last:border-0"
              >
                <UsersRound size={16} aria-hidden className="shrink-0 text-text-3" />
                <span className="min-w-40 flex-1">
                  <span className="block truncate font-medium">{group.name}</span>
                  <span className="block text-12 text-text-2 wrap-anywhere">
                    {[
                      words.groups.members(group.members),
                      ...(group.groups.length > 0
                        ? [words.groups.contains(namesOf(group.groups, groups).join(', '))]
                        : []),
                      ...rowsOf(group.attributes).map(({ name, value }) => `${name}: ${value}`),
                    ].join(' · ')}
                  </span>
                </span>
                <Button
                  aria-label={words.groups.editOf(group.name)}
                  onPress={() => setOpenDialog({ what: 'save', group })}
                >
                  {words.groups.edit}
                </Button>
                <Button
                  look="quiet"
                  aria-label={words.groups.removeOf(group.name)}
                  onPress={() => setOpenDialog({ what: 'remove', group })}
                >
                  {words.groups.remove}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </QueryState>
      {openDialog?.what === 'save' ? (
        <GroupDialog group={openDialog.group} groups={groups} onClose={() => setOpenDialog(undefined)} />
      ) : null}
      {openDialog?.what === 'remove' ? (
        <RemoveGroupDialog group={openDialog.group} onClose={() => setOpenDialog(undefined)} />
      ) : null}
    </SettingsPage>
  );
}

function namesOf(ids: readonly string[], groups: readonly UserGroup[]): string[] {
  return groups.flatMap(({ id, name }) => (ids.includes(id) ? [name] : []));
}

function RemoveGroupDialog({ group, onClose }: { readonly group: UserGroup; readonly onClose: () => void }) {
  const { change, isBusy, problem } = useChange();
  const title = words.groups.removeTitle(group.name);
  const remove = async () => {
    if (await change(() => client.removeGroup({ params: { group: group.id } }))) onClose();
  };
  return (
    <Modal label={title} isOpen onOpenChange={isOpen => !isOpen && onClose()} className="max-w-md">
      <div className="flex flex-col gap-3 p-5">
        <h2 className="text-15 font-semibold wrap-anywhere">{title}</h2>
        <p className="text-text-2">{words.groups.removeHint(group.members)}</p>
        <FormProblem problem={problem} />
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button look="primary" isDisabled={isBusy} onPress={() => void remove()}>
            {words.groups.remove}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
