import type { Level, ObjectKind, Role, UserGroup } from '@belvedere/api';
import { Button, Modal, TextField } from '@belvedere/ui';
import { useState } from 'react';
import { client } from '../../data/server.ts';
import { refreshAccounts, sharingParams, type SharedObject } from '../account-data.ts';
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
  /** The address to invite, if it is known. */
  readonly email?: string;
  /** What is shared with the person once they accept. */
  readonly share?: { readonly shared: SharedObject; readonly level: Level };
  readonly onClose: () => void;
}

/** Invites a person, then shows the link to pass on. */
export function InviteDialog({ groups, roles, email: known = '', share, onClose }: InviteDialogProps) {
  const [role, setRole] = useState<Role>(share ? roleFor(share.shared.kind, share.level) : 'viewer');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [made, setMade] = useState<Delivery & { readonly email: string }>();
  const form = useForm({
    fields: ['email'],
    initial: { email: known },
    check: (_, { email }) => emailError(email),
    submit: async ({ email }) => {
      const { invitation, ...delivery } = await client.inviteUser({
        body: {
          email,
          role,
          groups: [...chosen],
          ...(share && { shares: [{ ...sharingParams(share.shared), level: share.level }] }),
        },
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
            {share ? null : (
              <Button
                onPress={() => {
                  form.clear();
                  setMade(undefined);
                }}
              >
                {words.inviting.another}
              </Button>
            )}
            <Button onPress={onClose}>{words.close}</Button>
          </div>
        </div>
      ) : (
        <form noValidate className="flex flex-col gap-3 p-5" onSubmit={form.onSubmit}>
          <h2 className="text-15 font-semibold">{words.inviting.title}</h2>
          {share ? (
            <p className="text-text-2">
              {words.inviting.shares(
                share.shared.label || words.share.allFolders,
                words.share.levels[share.level]!,
              )}
            </p>
          ) : null}
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

/** The least role that may use an object at a level. */
function roleFor(kind: ObjectKind, level: Level): Role {
  if (level === 'view') return 'viewer';
  if (level === 'explore') return kind === 'source' ? 'maker' : 'explorer';
  return kind === 'dashboard' || kind === 'folder' ? 'editor' : 'maker';
}
