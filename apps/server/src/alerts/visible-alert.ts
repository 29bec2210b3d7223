import { isAtLeast } from '@belvedere/api';
import type { AlertFile } from '@belvedere/document';
import type { Caller } from '../access/caller.ts';
import { levelOf } from '../access/may.ts';
import type { ScheduledDocument, Workspace } from '../workspace/workspace.ts';
import { requiredOf } from './alert-message.ts';

type Alert = ScheduledDocument<AlertFile>;

/** What a caller may see of an alert. `state`: its title and state, but no values. */
export type AlertView = 'whole' | 'state' | undefined;

/**
 * Returns what a caller may see of an alert. Values are those that its owner sees, so under row policies they
 * are for the owner, admins, and callers who see all rows. One with errors is for admins.
 */
export function alertView(caller: Caller, { document }: Alert, workspace: Workspace): AlertView {
  if (caller.guest) return undefined;
  if (isAtLeast(caller.role, 'admin') && caller.viewingAs === undefined) return 'whole';
  if (!document) return undefined;
  const isOwn = caller.email !== undefined && document.owner === caller.email;
  if (levelOf(caller, requiredOf(document), workspace) === undefined) return isOwn ? 'state' : undefined;
  return isOwn || caller.rows === 'all' ? 'whole' : 'state';
}
