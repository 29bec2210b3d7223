import { isAtLeast } from '@belvedere/api';
import { ProblemError } from '../http/problems.ts';
import type { Caller } from './caller.ts';

/** What says with whose rights an alert or report runs. */
interface Owned {
  readonly owner?: string | undefined;
}

/**
 * Whether a caller may change an alert or report: its owner, or an admin.
 *
 * @param document undefined for one with errors, of which nothing says who its owner is
 */
export function mayChange(caller: Caller, document: Owned | undefined): boolean {
  if (caller.viewingAs !== undefined || caller.guest) return false;
  if (isAtLeast(caller.role, 'admin')) return true;
  return caller.email !== undefined && document?.owner === caller.email;
}

/**
 * An alert or report runs with its owner’s rights, so only admins may name another owner than themselves.
 *
 * @param file the path of its file
 * @param isTeam in local mode, there is only one person, and no owner needs to be named
 * @throws ProblemError `not-allowed`, `document-invalid`
 */
export function requireOwner(caller: Caller, { owner }: Owned, file: string, isTeam: boolean): void {
  if (!isTeam) return;
  if (owner === undefined) {
    const message = `Add \`owner: ${caller.email ?? 'NAME@EXAMPLE.ORG'}\`: it runs with its owner’s permissions.`;
    throw new ProblemError('document-invalid', message, {
      errors: [{ file, path: 'owner', line: 1, column: 1, message }],
    });
  }
  if (owner !== caller.email && !isAtLeast(caller.role, 'admin'))
    throw new ProblemError('not-allowed', `Only ${owner} and admins may save it with \`owner: ${owner}\`.`);
}
