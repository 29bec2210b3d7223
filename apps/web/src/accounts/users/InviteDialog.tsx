import type { Role, UserGroup } from '@belvedere/api';
import { Button, Modal, TextField } from '@belvedere/ui';
import { useState } from 'react';
import { client } from '../../data/server.ts';
import { refreshAccounts } from '../account-data.ts';
import { DeliveredLink, type Delivery } from './DeliveredLink.tsx';
import { FormProblem } from '../FormProblem.tsx';
import { words } from '../messages/words.ts';
import { emailError } from '../sign-in/passwords.ts';
import { RoleAndGroups } from './RoleAndGroups.tsx';
import { useForm } from '../use-form.ts';

interface InviteDialogProps {
  readonly groups: readonly UserGroup[];
  /** The roles that this user may give. */
  readonly roles: readonly Role[];
  readonly onClose: () => void;
}

/** Invites a person, then shows the link to pass on. */
export function InviteDialog({ groups, roles, onClose }: InviteDialogProps) {
  const [role, setRole] = useState<Role>('viewer');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [made, setMade] = useState<Delivery & { readonly email: string }>();
  const form = useForm({
    fields: ['email'],
    check: (_, { email }) => emailError(email),
    submit: async ({ email }) => {
      const { invitation, ...delivery } = await client.inviteUser({
        body: { email, role, groups: [...chosen] },
      });
      setMade({ ...delivery, email: invitation.email });
      await refreshAccounts();
    },
  });
  return (
    <Modal
      label={words.inviting.title}
      isOpen
      onOpenChange={isOpen => !isOpen && onClose()}
      className="max-w-md"
    >
      {made ? (
        <div className="flex flex-col gap-3 p-5">
          <h2 className="text-15 font-semibold">{words.inviting.title}</h2>
          <DeliveredLink
            delivery={made}
            label={words.inviting.link}
            hint={words.inviting.created(made.email)}
            mailed={words.inviting.mailed}
          />
          <div className="flex justify-end gap-2">
            <Button
              onPress={() => {
                form.clear();
                setMade(undefined);
              }}
            >
              {words.inviting.another}
            </Button>
            <Button onPress={onClose}>{words.close}</Button>
          </div>
        </div>
      ) : (
        <form noValidate className="flex flex-col gap-3 p-5" onSubmit={form.onSubmit}>
          <h2 className="text-15 font-semibold">{words.inviting.title}</h2>
          <FormProblem problem={form.problem} />
          <TextField
            label={words.email}
            type="email"
            autoComplete="off"
            maxLength={254}
            autoFocus
            {...form.field('email')}
          />
          <RoleAndGroups
            role={role}
            roles={roles}
            onRole={setRole}
            groups={groups}
            chosen={chosen}
            onGroups={setChosen}
          />
          <div className="flex justify-end gap-2">
            <Button onPress={onClose}>{words.cancel}</Button>
            <Button look="primary" type="submit" isDisabled={form.isBusy}>
              {words.inviting.submit}
            </Button>
          </div>
        </form>
      )}
    </Modal>
  );
}
