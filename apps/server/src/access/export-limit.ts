import { includesLevel } from '@belvedere/api';
import { ProblemError } from '../problems.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Caller } from './caller.ts';
import { grantsOn, type ObjectName } from './may.ts';

/**
 * Returns how many rows of a table a caller may take out of an object in one file, or by a program in one
 * request; infinity without a limit. The highest limit of the caller's grants counts, of those that allow
 * exports of data if there are any; the role's limit is the most.
 */
export function mostExportedRows(caller: Caller, object: ObjectName, workspace: Workspace): number {
  const { exportGrants, role, guest } = caller;
  const ofRole = workspace.limits.exportRowsOf[role] ?? Infinity;
  if (guest) return Math.min(ofRole, guest.exportRows ?? Infinity);
  if (!exportGrants) return ofRole;
  const all = grantsOn(object, workspace).flatMap(key => exportGrants.get(key) ?? []);
  const exporting = all.filter(({ level }) => includesLevel(level, 'explore'));
  const counted = (exporting.length > 0 ? exporting : all).map(({ exportRows }) => exportRows ?? Infinity);
  return Math.min(ofRole, counted.length === 0 ? Infinity : Math.max(...counted));
}

/**
 * Limits a page of rows that a program asks for. Pages of the interface show rows, and are not limited.
 *
 * @returns how many rows to give, at most `limit`
 * @throws ProblemError `not-allowed` if the page begins past the limit
 */
export function limitedRows(
  caller: Caller,
  object: ObjectName,
  { offset = 0, limit }: { readonly offset?: number; readonly limit: number },
  workspace: Workspace,
): number {
  if (caller.token === undefined) return limit;
  const most = mostExportedRows(caller, object, workspace);
  if (offset >= most) throw exportRefused(most);
  return Math.min(limit, most - offset);
}

export function exportRefused(most: number): ProblemError {
  return new ProblemError(
    'not-allowed',
    `You may export at most ${most.toLocaleString('en')} rows of this. Ask someone who can manage it for more.`,
  );
}
