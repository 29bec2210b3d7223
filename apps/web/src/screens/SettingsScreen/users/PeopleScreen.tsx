import { isAtLeast, type Invitation, type Role, type UserAccount, type UserGroup } from '@belvedere/api';
import { Button, Menu, Popover, SearchField, Select, StateChip } from '@belvedere/ui';
import {
  Bot,
  ChevronDown,
  Ellipsis,
  Eye,
  KeyRound,
  KeySquare,
  LogOut,
  ShieldOff,
  Tags,
  UserRoundCheck,
  UserRoundPlus,
  UserRoundX,
} from 'lucide-react';
import { useState } from 'react';
import { AccessDialog } from '../../../accounts/sharing/AccessDialog.tsx';
import { useGroups, useUsers } from '../../../accounts/account-data.ts';
import { QueryState } from '../../../accounts/QueryState.tsx';
import { AttributesDialog } from '../../../accounts/users/AttributesDialog.tsx';
import type { Delivery } from '../../../accounts/users/DeliveredLink.tsx';
import { FormProblem } from '../../../accounts/FormProblem.tsx';
import { GroupChoice } from '../../../accounts/users/GroupChoice.tsx';
import { InviteDialog } from '../../../accounts/users/InviteDialog.tsx';
import { rolesToGive } from '../../../accounts/roles-to-give.ts';
import { words } from '../../../accounts/messages/words.ts';
import { ResetLinkDialog } from '../../../accounts/users/ResetLinkDialog.tsx';
import { ServiceAccountDialog } from '../../../accounts/tokens/ServiceAccountDialog.tsx';
import { agoText, dayText, momentText } from '../../../accounts/times.ts';
import { UserTokensDialog } from '../../../accounts/tokens/UserTokensDialog.tsx';
import { ResetTwoFactorDialog } from '../../../accounts/two-factor/ResetTwoFactorDialog.tsx';
import { TwoFactorChip } from '../../../accounts/two-factor/TwoFactorChip.tsx';
import { TwoFactorRequirement } from '../../../accounts/two-factor/TwoFactorRequirement.tsx';
import { OwnerSwitch } from '../../../accounts/OwnerSwitch.tsx';
import { RequestSwitch } from '../../../accounts/requests/RequestSwitch.tsx';
import { useChange } from '../../../accounts/use-change.ts';
import { client, useSession } from '../../../data/server.ts';
import { Initials } from '../../../shell/AccountMenu.tsx';
import { SettingsPage } from '../SettingsPage.tsx';

/** A few people are found by looking. */
const searchedFrom = 9;

type OpenDialog =
  | { readonly what: 'invite' }
  | { readonly what: 'reset'; readonly name: string; readonly delivery: Delivery }
  | { readonly what: 'service' }
  | { readonly what: 'access' | 'attributes' | 'second factor' | 'tokens'; readonly user: UserAccount };

/** The workspace's users and open invitations. */
export function PeopleScreen() {
  const { data, error, isPending, refetch } = useUsers();
  const { data: listedGroups } = useGroups();
  const { data: session } = useSession();
  const [search, setSearch] = useState('');
  const [openDialog, setOpenDialog] = useState<OpenDialog>();
  const { change, problem } = useChange();
  const [said, setSaid] = useState('');
  const groups = listedGroups?.groups ?? [];
  const users = data?.users ?? [];
  const wanted = search.trim().toLowerCase();
  const found = users.filter(
    ({ name, email }) => name.toLowerCase().includes(wanted) || email.toLowerCase().includes(wanted),
  );
  const given = rolesToGive(session?.role);
  const update = (user: UserAccount, body: Parameters<typeof client.updateUser>[0]['body']) =>
    change(() => client.updateUser({ params: { user: user.id }, body }));
  const reset = (user: UserAccount) =>
    change(async () => {
      const delivery = await client.createPasswordReset({ params: { user: user.id } });
      setOpenDialog({ what: 'reset', name: user.name, delivery });
    });
  const signOut = async ({ id, name }: UserAccount) => {
    setSaid('');
    if (await change(() => client.endUserSessions({ params: { user: id } })))
      setSaid(words.people.isSignedOut(name));
  };
  return (
    <SettingsPage
      title={words.people.title}
      hint={words.people.hint}
      isWide
      actions={
        <>
          <Button onPress={() => setOpenDialog({ what: 'service' })}>
            <Bot size={15} aria-hidden />
            {words.services.create}
          </Button>
          <Button look="primary" onPress={() => setOpenDialog({ what: 'invite' })}>
            <UserRoundPlus size={15} aria-hidden />
            {words.people.invite}
          </Button>
        </>
      }
    >
      <QueryState error={error} isLoading={isPending} onRetry={() => void refetch()}>
        {users.length >= searchedFrom ? (
          <div className="max-w-72 pt-4">
            <SearchField label={words.people.search} maxLength={200} value={search} onChange={setSearch} />
          </div>
        ) : null}
        <div className="pt-4">
          <FormProblem problem={problem} />
          <p role="status" className="text-13 text-good empty:hidden">
            {said}
          </p>
        </div>
        <div
          className="relative mt-1 overflow-x-auto rounded-tile border border-border bg-surface"
          tabIndex={0}
          role="region"
          aria-label={words.people.list}
        >
          <table className="w-full text-13 max-sm:block">
            <thead className="text-start text-12 whitespace-nowrap text-text-2 max-sm:sr-only">
              <tr className="border-b border-border">
                <th className="h-9 px-3 font-medium">{words.name}</th>
                <th className="px-3 font-medium">{words.people.role}</th>
                <th className="px-3 font-medium">{words.people.groups}</th>
                <th className="px-3 font-medium">{words.people.lastSeen}</th>
                <th className="px-3 font-medium">{words.twoFactor.column}</th>
                <th className="px-3 font-medium">{words.people.status}</th>
                <th className="w-10 px-3">
                  <span className="sr-only">{words.people.actions}</span>
                </th>
              </tr>
            </thead>
            <tbody className="max-sm:block">
              {found.map(user => (
                <Row
                  key={user.id}
                  user={user}
                  groups={groups}
                  roles={given}
                  isSelf={user.id === session?.user.id}
                  isAllowed={session !== undefined && isAtLeast(session.role, user.role)}
                  onUpdate={body => void update(user, body)}
                  onReset={() => void reset(user)}
                  onSignOut={() => void signOut(user)}
                  onAttributes={() => setOpenDialog({ what: 'attributes', user })}
                  onAccess={() => setOpenDialog({ what: 'access', user })}
                  onTokens={() => setOpenDialog({ what: 'tokens', user })}
                  onResetTwoFactor={() => setOpenDialog({ what: 'second factor', user })}
                />
              ))}
            </tbody>
          </table>
          {found.length === 0 ? <p className="p-4 text-text-2">{words.people.noMatch}</p> : null}
        </div>
        {users.length === 1 ? <p className="pt-2 text-12 text-text-2">{words.people.alone}</p> : null}
        <Invitations
          invitations={data?.invitations ?? []}
          onRevoke={id => void change(() => client.revokeInvitation({ params: { invitation: id } }))}
        />
        <TwoFactorRequirement isRequired={data?.requiresTwoFactor ?? false} />
        <RequestSwitch />
        {data ? (
          <OwnerSwitch
            title={words.people.assistants}
            label={words.people.assistantsConnect}
            hint={words.people.assistantsConnectHint}
            isOn={data.assistantsMayConnect}
            onChange={isOn => client.switchAssistants({ body: { isOn } })}
          />
        ) : null}
        {data ? (
          <OwnerSwitch
            title={words.people.comments}
            label={words.people.viewersComment}
            hint={words.people.viewersCommentHint}
            isOn={data.viewersMayComment}
            onChange={isOn => client.switchViewerComments({ body: { isOn } })}
          />
        ) : null}
      </QueryState>
      {openDialog?.what === 'invite' ? (
        <InviteDialog groups={groups} roles={given} onClose={() => setOpenDialog(undefined)} />
      ) : null}
      {openDialog?.what === 'reset' ? (
        <ResetLinkDialog
          name={openDialog.name}
          delivery={openDialog.delivery}
          onClose={() => setOpenDialog(undefined)}
        />
      ) : null}
      {openDialog?.what === 'service' ? (
        <ServiceAccountDialog
          users={users}
          groups={groups}
          roles={given}
          onClose={() => setOpenDialog(undefined)}
        />
      ) : null}
      {openDialog?.what === 'access' ? (
        <AccessDialog
          user={openDialog.user}
          isSelf={openDialog.user.id === session?.user.id}
          onClose={() => setOpenDialog(undefined)}
        />
      ) : null}
      {openDialog?.what === 'tokens' ? (
        <UserTokensDialog user={openDialog.user} onClose={() => setOpenDialog(undefined)} />
      ) : null}
      {openDialog?.what === 'second factor' ? (
        <ResetTwoFactorDialog user={openDialog.user} onClose={() => setOpenDialog(undefined)} />
      ) : null}
      {openDialog?.what === 'attributes' ? (
        <AttributesDialog
          name={openDialog.user.name}
          attributes={openDialog.user.attributes}
          onSave={attributes =>
            client.updateUser({ params: { user: openDialog.user.id }, body: { attributes } })
          }
          onClose={() => setOpenDialog(undefined)}
        />
      ) : null}
    </SettingsPage>
  );
}

interface RowProps {
  readonly user: UserAccount;
  readonly groups: readonly UserGroup[];
  /** The roles that the signed-in user may give. */
  readonly roles: readonly Role[];
  readonly isSelf: boolean;
  /** Whether the signed-in user may change this one. */
  readonly isAllowed: boolean;
  readonly onUpdate: (body: { role?: Role; isDisabled?: boolean; groups?: string[] }) => void;
  readonly onReset: () => void;
  readonly onSignOut: () => void;
  readonly onAttributes: () => void;
  readonly onAccess: () => void;
  readonly onTokens: () => void;
  readonly onResetTwoFactor: () => void;
}

function Row({
  user,
  groups,
  roles: given,
  isSelf,
  isAllowed,
  onUpdate,
  onReset,
  onSignOut,
  onAttributes,
  onAccess,
  onTokens,
  onResetTwoFactor,
}: RowProps) {
  const own = groups.filter(({ id }) => user.groups.includes(id));
  return (
    <tr
      className={
        'border-b border-border last:border-0 hover:bg-hover max-sm:flex max-sm:flex-wrap max-sm:items-center ' +
        'max-sm:gap-x-3 max-sm:gap-y-1.5 max-sm:px-3 max-sm:py-2.5'
      }
    >
      <td className="max-sm:w-[calc(100%-3.5rem)] sm:h-12 sm:min-w-52 sm:px-3 sm:py-1.5">
        <span className="flex min-w-0 items-center gap-2.5">
          <Initials name={user.name} />
          <span className="min-w-0">
            <span className="flex items-center gap-2 font-medium">
              <span className="truncate">{user.name}</span>
              {user.isService ? <StateChip tone="neutral">{words.services.chip}</StateChip> : null}
              {isSelf ? <StateChip tone="neutral">{words.people.you}</StateChip> : null}
            </span>
            {user.isService ? null : <span className="block truncate text-12 text-text-2">{user.email}</span>}
          </span>
        </span>
      </td>
      <td className="w-36 max-sm:order-2 sm:px-3">
        {isSelf || !isAllowed ? (
          <span className="px-2">{words.roles[user.role]}</span>
        ) : (
          <Select
            label={words.people.roleOf(user.name)}
            value={user.role}
            options={given
              .filter(role => !user.isService || role !== 'owner')
              .map(value => ({ value, label: words.roles[value] }))}
            onChange={role => role !== user.role && onUpdate({ role: role as Role })}
          />
        )}
      </td>
      <td className="max-sm:order-3 max-sm:w-[calc(100%-9.75rem)] sm:max-w-56 sm:px-3">
        <Popover
          label={words.people.groupsOf(user.name)}
          triggerClassName={
            'flex h-[30px] max-w-full min-w-0 items-center gap-1 rounded-control px-2 text-text-2 ' +
            'hover:bg-hover pointer-coarse:h-11'
          }
          trigger={
            <>
              <span className="truncate">
                {own.map(({ id, name }) => withOuter(name, id, groups)).join(', ') || words.people.noGroups}
              </span>
              <ChevronDown size={13} aria-hidden className="shrink-0 text-text-3" />
            </>
          }
        >
          <GroupChoice
            groups={groups}
            chosen={user.groups}
            onChange={chosen => onUpdate({ groups: [...chosen] })}
          />
        </Popover>
      </td>
      <td className="whitespace-nowrap text-text-2 max-sm:order-6 sm:px-3">
        <span className="sm:hidden">{words.people.lastSeen}: </span>
        {user.lastSeenAt ? (
          <time dateTime={user.lastSeenAt} title={momentText(user.lastSeenAt)}>
            {agoText(user.lastSeenAt)}
          </time>
        ) : (
          words.people.never
        )}
      </td>
      <td className="whitespace-nowrap max-sm:order-5 sm:px-3">
        <span className="text-text-2 sm:hidden">{words.twoFactor.column}: </span>
        <TwoFactorChip user={user} />
      </td>
      <td className="max-sm:order-4 sm:px-3">
        <StateChip tone={user.isDisabled ? 'warn' : 'good'}>
          {user.isDisabled ? words.people.disabled : words.people.active}
        </StateChip>
      </td>
      <td className="max-sm:order-1 max-sm:ms-auto sm:px-1.5">
        {isAllowed ? (
          <Menu
            label={words.people.actionsFor(user.name)}
            icon={<Ellipsis size={16} aria-hidden />}
            groups={() => [
              [
                ...(user.isService
                  ? []
                  : [
                      {
                        id: 'reset',
                        label: words.people.resetLink,
                        icon: <KeyRound size={15} aria-hidden />,
                        onAction: onReset,
                      },
                    ]),
                {
                  id: 'access',
                  label: words.access.menu,
                  icon: <Eye size={15} aria-hidden />,
                  onAction: onAccess,
                },
                {
                  id: 'tokens',
                  label: words.tokens.menu,
                  icon: <KeySquare size={15} aria-hidden />,
                  onAction: onTokens,
                },
                {
                  id: 'attributes',
                  label: words.people.attributes,
                  icon: <Tags size={15} aria-hidden />,
                  onAction: onAttributes,
                },
                ...(isSelf || (!user.hasAuthenticator && user.passkeys === 0)
                  ? []
                  : [
                      {
                        id: 'second-factor',
                        label: words.twoFactor.reset,
                        icon: <ShieldOff size={15} aria-hidden />,
                        onAction: onResetTwoFactor,
                      },
                    ]),
              ],
              isSelf
                ? []
                : [
                    ...(user.isService || user.isDisabled
                      ? []
                      : [
                          {
                            id: 'sign-out',
                            label: words.people.signOut,
                            icon: <LogOut size={15} aria-hidden />,
                            onAction: onSignOut,
                          },
                        ]),
                    {
                      id: 'disable',
                      label: user.isDisabled ? words.people.enable : words.people.disable,
                      icon: user.isDisabled ? (
                        <UserRoundCheck size={15} aria-hidden />
                      ) : (
                        <UserRoundX size={15} aria-hidden />
                      ),
                      onAction: () => onUpdate({ isDisabled: !user.isDisabled }),
                    },
                  ],
            ]}
          />
        ) : null}
      </td>
    </tr>
  );
}

/** A group's name, with those that contain it: their members are members of these, too. */
function withOuter(name: string, id: string, groups: readonly UserGroup[]): string {
  const outer = groups.filter(group => group.groups.includes(id));
  return outer.length === 0 ? name : words.groups.within(name, outer.map(one => one.name).join(', '));
}

function Invitations({
  invitations,
  onRevoke,
}: {
  readonly invitations: readonly Invitation[];
  readonly onRevoke: (id: string) => void;
}) {
  if (invitations.length === 0) return null;
  return (
    <section aria-label={words.people.invitations} className="mt-8">
      <h2 className="pb-2 text-14 font-semibold">{words.people.invitations}</h2>
      <ul className="rounded-tile border border-border bg-surface">
        {invitations.map(({ id, email, role, expiresAt }) => (
          <li key={id} className="flex items-center gap-3 border-b border-border px-3 py-2 last:border-0">
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{email}</span>
              <span className="block truncate text-12 text-text-2" title={momentText(expiresAt)}>
                {words.roles[role]} · {words.people.invitedUntil(dayText(expiresAt))}
              </span>
            </span>
            <Button aria-label={words.people.revokeOf(email)} onPress={() => onRevoke(id)}>
              {words.people.revoke}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
