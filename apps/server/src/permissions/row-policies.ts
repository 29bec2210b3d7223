import { keptDetail } from '@belvedere/api';
import { asReadBy, type Model } from '@belvedere/model';
import { QuestionError } from '@belvedere/query';
import type { Caller } from '../auth/caller.ts';
import { ProblemError, problemFrom } from '../problems.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** A model as a caller reads it: for whom policies bind, only their rows and fields are in it. */
export function modelReadBy(model: Model, { reads }: Caller): Model {
  return reads === 'everything' ? model : asReadBy(model, reads);
}

/** By the callers' scopes: a workspace is read by many in one way, and stands for a while. */
const seen = new WeakMap<Workspace, Map<string, Workspace>>();

/** A workspace as a caller sees it, its models as they read them. */
export function workspaceReadBy(workspace: Workspace, caller: Caller): Workspace {
  if (caller.reads === 'everything') return workspace;
  const byScope = seen.get(workspace) ?? new Map<string, Workspace>();
  seen.set(workspace, byScope);
  const scope = scopeOf(caller);
  const known = byScope.get(scope);
  if (known) return known;
  const models = new Map([...workspace.models].map(([name, found]) => [name, { ...found, model: modelReadBy(found.model, caller) }]));
  const own = { ...workspace, models };
  byScope.set(scope, own);
  return own;
}

/**
 * What a tile that the owner sees is to those for whom its fields do not exist: kept from them. Whether it would be there for others they
 * know from the dashboard itself, which names it; nothing more is said.
 */
export function asForbidden(error: unknown, { reads }: Caller): unknown {
  const isHidden = reads !== 'everything' && error instanceof QuestionError && error.code === 'field-unknown';
  return isHidden ? new ProblemError('not-allowed', 'This shows something that you may not see.') : error;
}

/** What an engine or a source says of a fault may hold values of rows, statements, hosts and logins. */
const tellsMore: ReadonlySet<string> = new Set(['query-failed', 'source-unreachable', 'source-refused', 'source-unconfirmed', 'table-gone', 'column-gone', 'file-unreadable']);

/** A fault as whoever policies bind is told of it: which kind it is, and nothing of what is not theirs. */
export function asToldTo(error: unknown, { reads }: Caller): unknown {
  if (reads === 'everything') return error;
  const { type } = problemFrom(error);
  return tellsMore.has(type) ? new ProblemError(type, keptDetail, { cause: error }) : error;
}

/** Callers of the same scope see the same, and may share answers; nobody else may. */
export function scopeOf({ reads }: Caller): string {
  if (reads === 'everything') return reads;
  return JSON.stringify([reads.groups.toSorted(), Object.entries(reads.attributes).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}
