import { keptDetail, type ProblemType } from '@belvedere/api';
import { withPolicies, type Model } from '@belvedere/model';
import { QueryError } from '@belvedere/query';
import type { Caller } from '../auth/caller.ts';
import { ProblemError, problemFrom } from '../problems.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { protectionIn } from './protected-tables.ts';

/** A model of a workspace as a caller reads it: for whom policies bind, only their rows and fields are in it. */
export function applyRowPolicies(model: Model, { reads }: Caller, workspace: Workspace): Model {
  return reads === 'everything' ? model : withPolicies(model, reads, protectionIn(workspace));
}

/** By the callers' scopes: a workspace is read by many in one way, and stands for a while. */
const seen = new WeakMap<Workspace, Map<string, Workspace>>();

/** A workspace as a caller sees it, its models as they read them. */
export function workspaceVisibleTo(workspace: Workspace, caller: Caller): Workspace {
  if (caller.reads === 'everything') return workspace;
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
 * What a tile that the owner sees is to those for whom its fields do not exist: kept from them. Whether it would be there for others they
 * know from the dashboard itself, where it has its place; nothing more is said. Other errors are as `redactError` says them.
 */
export function asForbiddenError(error: unknown, caller: Caller): unknown {
  const isHidden =
    caller.reads !== 'everything' && error instanceof QueryError && error.code === 'field-unknown';
  return isHidden
    ? new ProblemError('not-allowed', 'You don’t have permission to view this tile.')
    : redactError(error, caller);
}

/** Errors whose message is about the request itself. Others may hold values of rows, statements, names of tables, sources, hosts and logins. */
const toldInFull: ReadonlySet<ProblemType> = new Set([
  'not-found',
  'not-allowed',
  'not-signed-in',
  'request-invalid',
  'field-unknown',
  'type-mismatch',
  'query-timeout',
  'query-cancelled',
  'query-too-large',
  'rate-limited',
  'overloaded',
  'internal',
]);

/** An error as callers whom policies bind are told of it: of which kind it is, and nothing of what is not theirs. */
export function redactError(error: unknown, { reads }: Caller): unknown {
  if (reads === 'everything') return error;
  const { type } = problemFrom(error);
  if (toldInFull.has(type)) return error;
  return new ProblemError(type, type === 'still-reading' ? 'Its data is still being imported.' : keptDetail, {
    cause: error,
  });
}

/** Callers of the same scope see the same, and may share answers; nobody else may. */
export function scopeOf({ reads }: Caller): string {
  if (reads === 'everything') return reads;
  return JSON.stringify([
    reads.groups.toSorted(),
    Object.entries(reads.attributes).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ]);
}
