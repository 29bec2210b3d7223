import { keptDetail, type ProblemType } from '@belvedere/api';
import { withPolicies, type Model } from '@belvedere/model';
import { QueryError } from '@belvedere/query';
import type { Caller } from './caller.ts';
import { ProblemError, problemFrom } from '../http/problems.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { isAuthor } from './may.ts';
import { protectionIn } from './protected-tables.ts';

/**
 * Returns a model as visible to a caller. If policies apply to the caller, it has only their rows and fields.
 */
export function applyRowPolicies(model: Model, { rows }: Caller, workspace: Workspace): Model {
  return rows === 'all' ? model : withPolicies(model, rows, protectionIn(workspace));
}

/** By the callers' scopes: many users share one view of a workspace, which rarely changes. */
const seen = new WeakMap<Workspace, Map<string, Workspace>>();

/** Returns a workspace as visible to a caller, with its models under their row policies. */
export function workspaceVisibleTo(workspace: Workspace, caller: Caller): Workspace {
  if (caller.rows === 'all') return workspace;
  const byScope = seen.get(workspace) ?? new Map<string, Workspace>();
  seen.set(workspace, byScope);
  const scope = scopeOf(caller);
  const known = byScope.get(scope);
  if (known) return known;
  const models = new Map(
    [...workspace.models].map(([name, found]) => [
      name,
      { ...found, model: applyRowPolicies(found.model, caller, workspace) },
    ]),
  );
  const own = { ...workspace, models };
  byScope.set(scope, own);
  return own;
}

/**
 * Hides unknown-field errors of tiles caused by row policies: reports `not-allowed` instead, and nothing
 * more. The dashboard itself already shows that the tile exists. Other errors are redacted by `redactError`.
 */
export function asForbiddenError(error: unknown, caller: Caller): unknown {
  const isHidden = caller.rows !== 'all' && error instanceof QueryError && error.code === 'field-unknown';
  return isHidden
    ? new ProblemError('not-allowed', 'You don’t have permission to view this tile.')
    : redactError(error, caller);
}

/**
 * Errors whose message is about the request itself. Others may contain values of rows, statements, or names
 * of tables, sources, hosts and logins.
 */
const toldInFull: ReadonlySet<ProblemType> = new Set([
  'not-found',
  'not-allowed',
  'not-signed-in',
  'embed-refused',
  'request-invalid',
  'field-unknown',
  'type-mismatch',
  'query-timeout',
  'query-cancelled',
  'cancelled-by-admin',
  'query-too-large',
  'rate-limited',
  'overloaded',
  'internal',
]);

/** What others read of some errors, without labels and reasons. */
const safeDetails: Readonly<Partial<Record<ProblemType, string>>> = {
  'still-reading': 'Its data is still being imported.',
  'source-paused': 'An admin has paused its source.',
};

/** Returns an error for callers who see only some rows, or write no dashboards: its type, without details that
 * they may not see. */
export function redactError(error: unknown, caller: Caller): unknown {
  if (caller.rows === 'all' && isAuthor(caller)) return error;
  const { type } = problemFrom(error);
  if (toldInFull.has(type)) return error;
  return new ProblemError(type, safeDetails[type] ?? keptDetail, { cause: error });
}

/** Callers of the same scope see the same data and may share cached results; no others may. */
export function scopeOf({ rows }: Caller): string {
  if (rows === 'all') return rows;
  return JSON.stringify([
    rows.groups.toSorted(),
    Object.entries(rows.attributes).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ]);
}
