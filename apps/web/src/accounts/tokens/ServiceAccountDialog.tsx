import type { Role, UserAccount, UserGroup } from '@belvedere/api';
import { TextField } from '@belvedere/ui';
import { useState } from 'react';
import { client } from '../../data/server.ts';
import { refreshAccounts } from '../account-data.ts';
import { FormProblem } from '../FormProblem.tsx';
import { words } from '../messages/words.ts';
import { RoleAndGroups } from '../users/RoleAndGroups.tsx';
import { useForm } from '../use-form.ts';
import { FormDialog } from '../../dialogs/FormDialog.tsx';

interface ServiceAccountDialogProps {
  readonly users: readonly UserAccount[];
  readonly groups: readonly UserGroup[];
  /** The roles that this user may give. */
  readonly roles: readonly Role[];
  readonly onClose: () => void;
}

/** Creates the account of a program. Its tokens are created from the list of people. */
export function ServiceAccountDialog({ users, groups, roles, onClose }: ServiceAccountDialogProps) {
  const [role, setRole] = useState<Role>('viewer');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const form = useForm({
    fields: ['name'],
    check: (_, { name }) =>
      !/^[a-z][a-z0-9-]{0,62}$/.test(name.trim())
        ? words.services.nameHint
        : users.some(({ email }) => email === name.trim())
          ? words.services.nameTaken
          : undefined,
    submit: async ({ name }) => {
      await client.createServiceAccount({ body: { name: name.trim(), role, groups: [...chosen] } });
      await refreshAccounts();
      onClose();
    },
  });
  return (
    <FormDialog
      title={words.services.create}
      submitLabel={words.services.submit}
      isDisabled={form.isBusy}
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      <p className="text-text-2">{words.services.hint}</p>
      <FormProblem problem={form.problem} />
      <TextField
        label={words.services.name}
        hint={words.services.nameHint}
        autoComplete="off"
        maxLength={63}
        autoFocus
        {...form.field('name')}
      />
      <RoleAndGroups
        role={role}
        roles={roles.filter(value => value !== 'owner')}
        onRole={setRole}
        groups={groups}
        chosen={chosen}
        onGroups={setChosen}
      />
    </FormDialog>
  );
}
