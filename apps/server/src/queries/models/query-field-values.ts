import { allOf, type Value } from '@belvedere/query';
import { limits } from '../../limits.ts';
import { unexposed } from '../../access/exposed-fields.ts';
import { modelsOf } from '../../workspace/workspace.ts';
import { filtersFor } from '../tile-filters.ts';
import type { DashboardContext } from '../dashboard-query-context.ts';
import type { QueryService } from '../query-service.ts';

export interface FieldValues {
  /** The most frequent values first. */
  readonly values: { readonly value: Value; readonly rows: number }[];
  readonly isCut: boolean;
  /** Of numbers and times. */
  readonly extent?: { readonly min: number; readonly max: number };
}

/**
 * Lists the values of a filter's field under all other conditions, or its extent.
 * @throws QueryError for a field that the dashboard does not expose to the caller
 */
export async function queryFieldValues(
  context: DashboardContext,
  field: string,
  { search, limit }: { readonly search?: string | undefined; readonly limit: number },
): Promise<FieldValues> {
  const model = modelsOf(context.dashboard, context.queryContext.workspace).find(
    ({ model: { name, dimensions } }) =>
      Object.hasOwn(dimensions, field) && (context.exposed?.get(name)?.has(field) ?? true),
  )?.model;
  if (!model) throw unexposed(field);
  const { base, selected } = await filtersFor(context, model, { leaveOut: field });
  const matching = search ? [{ kind: 'contains', field, text: search } as const] : [];
  const where = allOf([base, selected, ...matching]);
  const { type } = model.dimensions[field]!;
  const run = (query: Parameters<QueryService['run']>[0]) =>
    context.queries.run(query, context.queryContext, limits.valuesMs);
  if (type !== 'text' && type !== 'boolean') {
    const extent = await run({
      kind: 'groups',
      model: model.name,
      dimensions: [],
      measures: [],
      extents: [field],
      where: base,
    });
    const [min, max] = extent.columns.map(column => Number(column.values[0] ?? Number.NaN));
    const isWhole = Number.isFinite(min) && Number.isFinite(max);
    if (type !== 'integer')
      return { values: [], isCut: false, ...(isWhole && { extent: { min: min!, max: max! } }) };
  }
  const values = await run({
    kind: 'groups',
    model: model.name,
    dimensions: [{ field }],
    measures: ['rows'],
    where,
    order: [{ by: 'rows', descending: true }],
    limit: limit + 1,
  });
  const list = Array.from({ length: Math.min(values.rowCount, limit) }, (_, i) => ({
    value: values.columns[0]!.values[i] as Value,
    rows: Number(values.columns[1]!.values[i]),
  }));
  return { values: list, isCut: values.rowCount > limit };
}
