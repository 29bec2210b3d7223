import type { Model } from '@belvedere/model';
import type { Query } from '@belvedere/query';
import { applyRowPolicies, redactError } from '../../access/row-policies.ts';
import { ProblemError } from '../../http/problems.ts';
import { unconfirmedProblem } from '../../workspace/sources/source-access.ts';
import { sourceAwaited, type Workspace } from '../../workspace/workspace.ts';
import type { QueryContext } from '../query-context.ts';

/**
 * The query's model as visible to the caller. Row policies apply from here on, whatever the caller queries.
 */
export function modelFor(query: Query, queryContext: QueryContext): Model {
  return applyRowPolicies(
    modelVisibleTo(queryContext, query.model),
    queryContext.caller,
    queryContext.workspace,
  );
}

/** Like `modelOf`, but its errors never name sources to callers with row policies. */
export function modelVisibleTo(
  { workspace, caller }: Pick<QueryContext, 'workspace' | 'caller'>,
  name: string,
): Model {
  try {
    return modelOf(workspace, name);
  } catch (error) {
    throw redactError(error, caller);
  }
}

export function modelOf(workspace: Workspace, name: string): Model {
  const found = workspace.models.get(name);
  if (found) return found.model;
  const awaited = sourceAwaited(workspace, name);
  if (awaited) throw unconfirmedProblem(awaited);
  if (workspace.modelsReading.has(name))
    throw new ProblemError('still-reading', `The data of \`${name}\` is still being imported.`);
  throw new ProblemError('not-found', `Model \`${name}\` not found, or not shared with you.`);
}
