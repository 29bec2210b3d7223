import type { Model } from '@belvedere/model';
import type { Filter } from '@belvedere/query';
import { fileTableOf } from '../../workspace/workspace.ts';
import { runQuery, type DashboardContext } from '../dashboard-query-context.ts';

/** Number of a model's rows under a filter. All rows of files were counted at import. */
export async function countRows(context: DashboardContext, model: Model, where: Filter): Promise<number> {
  const known = fileTableOf(context.queryContext.workspace, model)?.imported?.profile.rows;
  if (where.kind === 'everything' && known !== undefined) return known;
  const counted = await runQuery(context, {
    kind: 'groups',
    model: model.name,
    dimensions: [],
    measures: ['rows'],
    where,
  });
  return Number(counted.columns[0]!.values[0]);
}
