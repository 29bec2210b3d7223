import type { AlertFile, ReportFile } from '@belvedere/document';
import { owner as localOwner, type Caller } from '../access/caller.ts';
import type { Directory } from '../access/directory.ts';
import { isMember } from '../access/groups-of.ts';
import { levelOf } from '../access/may.ts';
import type { Target } from '../deliver/message.ts';
import type { StopReason } from '../state/messages/alert-states.ts';
import type { User } from '../state/accounts/users.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { requiredOf } from './alert-message.ts';

type Owned = Pick<AlertFile | ReportFile, 'owner'>;

/** Returns the caller with whose rights an alert runs now, or why it does not. In local mode there is one person. */
export function ownerOf(
  { owner }: Owned,
  directory: Directory,
  workspace: Workspace,
  isTeam: boolean,
): { readonly caller: Caller } | { readonly stopped: StopReason } {
  if (!isTeam) return { caller: localOwner };
  if (owner === undefined) return { stopped: 'no-owner' };
  const user = userByEmail(owner, directory);
  if (!user) return { stopped: 'unknown-owner' };
  const caller = directory.callerOf(user.id, workspace);
  return caller ? { caller } : { stopped: 'disabled-owner' };
}

/** As `ownerOf`, and whether that caller may see what the alert watches. */
export function watcherOf(
  alert: AlertFile,
  directory: Directory,
  workspace: Workspace,
  isTeam: boolean,
): ReturnType<typeof ownerOf> {
  const owner = ownerOf(alert, directory, workspace, isTeam);
  return 'stopped' in owner || maySee(owner.caller, alert, workspace) ? owner : { stopped: 'no-access' };
}

function maySee(caller: Caller, alert: AlertFile, workspace: Workspace): boolean {
  const required = requiredOf(alert);
  // What does not exist at all is an error of the alert, not of its owner's rights.
  const isThere =
    required.kind === 'model' ? workspace.models.has(required.id) : workspace.dashboards.has(required.id);
  return !isThere || levelOf(caller, required, workspace) !== undefined;
}

function userByEmail(email: string, directory: Directory): User | undefined {
  return [...directory.users.values()].find(user => user.email.toLowerCase() === email);
}

/** The users and channels that an alert notifies: its owner by default. Unknown ones are left out. */
export function targetsOf({ notify, owner }: AlertFile, directory: Directory): Target[] {
  const recipients = notify ?? (owner === undefined ? [] : [{ user: owner }]);
  const channels = new Set<string>();
  const users = new Set<string>();
  for (const { user, group, channel } of recipients) {
    if (channel !== undefined) channels.add(channel);
    if (user !== undefined) users.add(userByEmail(user, directory)?.id ?? '');
    if (group !== undefined) for (const id of membersOf(group, directory)) users.add(id);
  }
  users.delete('');
  return [
    ...Array.from(users, userId => ({ kind: 'user' as const, userId })),
    ...Array.from(channels, channel => ({ kind: 'channel' as const, channel })),
  ];
}

function membersOf(name: string, directory: Directory): string[] {
  const { groups, users } = directory;
  const ids = [...groups.values()].filter(group => group.name === name).map(({ id }) => id);
  return [...users.values()].filter(user => ids.some(id => isMember(user, id, groups))).map(({ id }) => id);
}
