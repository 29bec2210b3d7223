import { everything } from '@belvedere/query';
import { limits } from '../../limits.ts';
import { columnOf, joinedColumnOf } from './column-profiles.ts';
import type { QueryContext } from '../query-context.ts';
import type { QueryService } from '../query-service.ts';
import { modelOf } from './visible-models.ts';

/** A field of more values names single things rather than categories. */
const maxValues = 500;
const maxFields = 20;

/**
 * Returns the values of a model's text dimensions that have few of them, the most frequent first. Only of
 * tables that were profiled at import: counting the values of a database's table could take long.
 */
export async function categoryValues(
  name: string,
  queryContext: QueryContext,
  queries: QueryService,
): Promise<Record<string, string[]>> {
  const { workspace } = queryContext;
  const model = modelOf(workspace, name);
  const categories = Object.values(model.dimensions)
    .filter(dimension => {
      if (dimension.isHidden || dimension.type !== 'text') return false;
      const column =
        columnOf(workspace, model, dimension.name) ?? joinedColumnOf(workspace, model, dimension.name);
      return column !== undefined && column.distinct > 1 && column.distinct <= maxValues;
    })
    .slice(0, maxFields);
  const found: Record<string, string[]> = {};
  // One after the other: no request waits for them, and a page's queries come first.
  for (const { name: field } of categories) {
    const { columns } = await queries.run(
      {
        kind: 'groups',
        model: model.name,
        dimensions: [{ field }],
        measures: ['rows'],
        where: everything,
        order: [{ by: 'rows', descending: true }],
        limit: maxValues,
      },
      queryContext,
      limits.valuesMs,
    );
    found[field] = [...(columns[0]?.values ?? [])].filter(
      (value): value is string => typeof value === 'string' && value.trim() !== '' && value.length <= 200,
    );
  }
  return found;
}
