import type { Edit, Path, Recipient } from '@belvedere/document';

/** Makes changes to the text of an alert or a report. @param joins names steps that are undone as one */
export type OnEdit = (edits: readonly Edit[], joins?: string) => void;

export type RecipientKind = 'user' | 'group' | 'channel';

export function kindOf({ user, group }: Recipient): RecipientKind {
  return user !== undefined ? 'user' : group !== undefined ? 'group' : 'channel';
}

const nameOf = ({ user, group, channel = '' }: Recipient): string => user ?? group ?? channel;

/** A recipient among others of other kinds: `#` begins the name of a channel. */
export const recipientText = (recipient: Recipient): string =>
  recipient.channel === undefined ? nameOf(recipient) : `#${recipient.channel}`;

/** A key that no other recipient of a list has. */
export const keyOf = (recipient: Recipient): string => `${kindOf(recipient)} ${nameOf(recipient)}`;

/** Adds a recipient to the list at a path, which may not exist yet. */
export function addRecipient(path: Path, all: readonly Recipient[] | undefined, added: Recipient): Edit[] {
  if (all?.some(one => keyOf(one) === keyOf(added))) return [];
  return all === undefined || all.length === 0
    ? [{ kind: 'set', path, value: [added] }]
    : [{ kind: 'insert', path: [...path, all.length], value: added }];
}

/** Removes a recipient, and the list with the last one. */
export function removeRecipient(path: Path, all: readonly Recipient[], index: number): Edit[] {
  return [{ kind: 'remove', path: all.length === 1 ? path : [...path, index] }];
}
