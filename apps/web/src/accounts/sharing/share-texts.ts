import type { Grant, Subject } from '@belvedere/api';
import { words } from '../messages/words.ts';

export const subjectName = ({ kind, name }: Subject): string =>
  kind === 'everyone' ? words.share.everyone : name;

/** What tells a subject from others of its name: an e-mail address, or the groups in a group. */
export function subjectDetail({ kind, email, groups }: Subject): string | undefined {
  if (kind !== 'group') return email;
  return groups ? words.share.groupWith(groups.join(', ')) : words.share.group;
}

/** The object on which something was granted: `From folder Sales`. */
export function grantOrigin({ kind, id, label }: NonNullable<Grant['from']>): string {
  return kind === 'folder' && id === '' ? words.share.from.all : words.share.from[kind](label);
}
