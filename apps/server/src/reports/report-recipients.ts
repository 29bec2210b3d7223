import type { RecipientReason } from '@belvedere/api';
import type { Recipient, ReportFile } from '@belvedere/document';
import type { Directory } from '../access/directory.ts';
import { isMember } from '../access/groups-of.ts';
import type { User } from '../state/accounts/users.ts';

type Filters = NonNullable<ReportFile['filters']>;

/** Who gets a report, with the filters of their list. */
export interface ResolvedRecipient {
  /** A user, or the name of a channel. */
  readonly to: User | string;
  /** The number of the list: 0 is `to`, the others are those of `each`. */
  readonly list: number;
  readonly filters: Filters;
}

/** A recipient of the text who gets nothing. */
export interface LeftOut {
  /** An e-mail address, or the name of a group or a channel. */
  readonly recipient: string;
  readonly reason: RecipientReason;
}

/** Returns the users and channels that a report is sent to. A user in several places of a list counts once. */
export function resolveRecipients(
  { to, each = [] }: Pick<ReportFile, 'to' | 'each'>,
  owner: User | undefined,
  directory: Pick<Directory, 'users' | 'groups'>,
): { readonly recipients: readonly ResolvedRecipient[]; readonly left: readonly LeftOut[] } {
  const lists = [
    { to: to ?? (owner && each.length === 0 ? [{ user: owner.email }] : []), filters: {} },
    ...each,
  ];
  const recipients: ResolvedRecipient[] = [];
  const left: LeftOut[] = [];
  for (const [list, { to: named, filters }] of lists.entries()) {
    const found = new Set<User | string>();
    for (const recipient of named) {
      const resolved = resolveOne(recipient, directory);
      if ('reason' in resolved) left.push(resolved);
      else for (const one of resolved.found) found.add(one);
    }
    for (const one of found) recipients.push({ to: one, list, filters });
  }
  return { recipients, left };
}

function resolveOne(
  { user, group, channel = '' }: Recipient,
  { users, groups }: Pick<Directory, 'users' | 'groups'>,
): LeftOut | { readonly found: readonly (User | string)[] } {
  if (user === undefined && group === undefined) return { found: [channel] };
  const recipient = user ?? group ?? '';
  if (users.size === 0) return { recipient, reason: 'no-accounts' };
  if (user !== undefined) {
    const found = userOf(user, users);
    return found ? { found: [found] } : { recipient, reason: 'unknown' };
  }
  const members = [...groups.values()].find(({ name }) => name === group);
  if (!members) return { recipient, reason: 'unknown' };
  return { found: [...users.values()].filter(one => isSentTo(one) && isMember(one, members.id, groups)) };
}

/** Programs have no mailbox, and members whose account is disabled are no recipients for now. */
const isSentTo = ({ isDisabled, isService }: User): boolean => !isDisabled && !isService;

/** Returns the user with an e-mail address, however it is capitalized. */
export function userOf(email: string, users: ReadonlyMap<string, User>): User | undefined {
  const wanted = email.toLowerCase();
  return [...users.values()].find(user => !user.isService && user.email.toLowerCase() === wanted);
}
