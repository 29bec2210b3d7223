import type { Grant, Subject } from '@belvedere/api';
import { words } from './messages/words.ts';

export const subjectName = ({ kind, name }: Subject): string =>
  kind === 'everyone' ? words.share.everyone : name;

/** The object on which something was granted: `From folder Sales`. */
export function grantOrigin({ kind, id, label }: NonNullable<Grant['from']>): string {
  return kind === 'folder' && id === '' ? words.share.from.all : words.share.from[kind](label);
}
