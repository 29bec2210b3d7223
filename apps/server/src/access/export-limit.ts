import { includesLevel, type Level } from '@belvedere/api';
import type { DashboardFile } from '@belvedere/document';
import { ProblemError } from '../http/problems.ts';
import { modelsNamed, type Workspace } from '../workspace/workspace.ts';
import type { Caller } from './caller.ts';
import { grantsOn, levelOf, sourceOf, type ObjectName } from './may.ts';

interface GivenGrant {
  readonly level: Level;
  readonly requested: number | null | undefined;
  readonly before?: { readonly level: Level; readonly exportRows?: number | undefined } | undefined;
}

/**
 * Returns how many rows of a table a caller may take out of an object in one file, or by a program in one
 * request; infinity without a limit. The highest limit of the caller's grants counts, of those that allow
 * exports of data if there are any; the role's limit is the most. Who may edit an object can let it show all of
 * what it is made of, so that the limits of that hold, too: the models of a dashboard, the source of a model.
 *
 * @param document that of the dashboard, if it is not the saved one
 */
export function maxExportedRows(
  caller: Caller,
  object: ObjectName,
  workspace: Workspace,
  document?: DashboardFile,
): number {
  const ofRole = workspace.limits.exportRowsOf[caller.role] ?? Infinity;
  return Math.min(ofRole, caller.guest?.exportRows ?? grantedRows(caller, object, workspace, document));
}

function grantedRows(
  caller: Caller,
  object: ObjectName,
  workspace: Workspace,
  document?: DashboardFile,
): number {
  const { exportGrants } = caller;
  if (!exportGrants) return Infinity;
  const all = grantsOn(object, workspace).flatMap(key => exportGrants.get(key) ?? []);
  const exporting = all.filter(({ level }) => includesLevel(level, 'explore'));
  const counted = (exporting.length > 0 ? exporting : all).map(({ exportRows }) => exportRows ?? Infinity);
  const beneath = includesLevel(levelOf(caller, object, workspace), 'edit')
    ? madeOf(object, workspace, document)
    : [];
  return Math.min(
    counted.length === 0 ? Infinity : Math.max(...counted),
    ...beneath.map(one => grantedRows(caller, one, workspace)),
  );
}

function madeOf({ kind, id }: ObjectName, workspace: Workspace, document?: DashboardFile): ObjectName[] {
  if (kind === 'model') {
    const model = workspace.models.get(id)?.model;
    return model ? [{ kind: 'source', id: sourceOf(model, workspace) }] : [];
  }
  const shown = document ?? workspace.dashboards.get(id)?.document;
  if (kind !== 'dashboard' || !shown) return [];
  return modelsNamed(shown).map(name => ({ kind: 'model', id: name }));
}

/**
 * Returns the limit of a grant that a caller gives. No user lets others, or themselves, export more rows than their
 * own grants allow.
 *
 * @param asked null for no limit; undefined to leave it, or in a new grant to give as many as the caller has
 * @param before the grant that is changed
 * @throws ProblemError `not-allowed` if the caller may not export as many
 */
export function givenExportRows(
  caller: Caller,
  object: ObjectName,
  { level, requested, before }: GivenGrant,
  workspace: Workspace,
): number | null | undefined {
  const maxRows = grantedRows(caller, object, workspace);
  if (requested === undefined) {
    const isMore = !before || !includesLevel(before.level, level);
    return isMore && (before?.exportRows ?? Infinity) > maxRows ? maxRows : undefined;
  }
  if ((requested ?? Infinity) > maxRows)
    throw new ProblemError(
      'not-allowed',
      `You may export at most ${maxRows.toLocaleString('en')} rows of this, so that is the most you can allow others.`,
    );
  return requested;
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
  document?: DashboardFile,
): number {
  if (caller.token === undefined) return limit;
  const maxRows = maxExportedRows(caller, object, workspace, document);
  if (offset >= maxRows) throw exportRefused(maxRows);
  return Math.min(limit, maxRows - offset);
}

export function exportRefused(maxRows: number): ProblemError {
  return new ProblemError(
    'not-allowed',
    `You may export at most ${maxRows.toLocaleString('en')} rows of this. Ask someone who can manage it for more.`,
  );
}
