import type { RowsPage } from '@belvedere/api';
import { didYouMean, type TimeUnit } from '@belvedere/document';
import type { QueryResult } from '@belvedere/engine';
import type { Model } from '@belvedere/model';
import {
  allOf,
  filterOn,
  measureOf,
  onCalendar,
  planQuery,
  QueryError,
  type FieldFilter,
  type GroupsQuery,
  type Order,
} from '@belvedere/query';
import { ProblemError } from '../../http/problems.ts';
import type { QueryService } from '../query-service.ts';
import { modelOf } from './visible-models.ts';
import type { QueryContext } from '../query-context.ts';
import { clockOf } from '../data-times.ts';
import { defaultsOf } from '../tile-filters.ts';
import { resultRows } from '../rows/result-rows.ts';

/** A query to a model in its own terms, independent of dashboards. */
export interface ModelQuery {
  readonly dimensions: readonly (
    | string
    | { readonly field: string; readonly timeUnit?: TimeUnit | undefined }
  )[];
  readonly measures: readonly string[];
  readonly where: Readonly<Record<string, FieldFilter>>;
  readonly order: readonly Order[];
  readonly limit: number;
  readonly offset: number;
}

export interface ModelResult {
  readonly model: Model;
  readonly result: QueryResult;
  /** Number of all groups, including those past the limit. */
  readonly total: number;
}

/**
 * Queries a model. Its default conditions apply to fields without another condition.
 * @throws ProblemError or QueryError for names that the model does not have
 */
export async function queryModel(
  name: string,
  query: ModelQuery,
  queryContext: QueryContext,
  queries: QueryService,
): Promise<ModelResult> {
  const model = modelOf(queryContext.workspace, name);
  if (query.dimensions.length + query.measures.length === 0)
    throw new ProblemError(
      'request-invalid',
      `Choose at least one measure (${namesOf(model.measures)}) or dimension (${namesOf(model.dimensions)}).`,
    );
  const clock = await clockOf({ queries, queryContext }, model);
  const conditions = [...Object.entries(query.where), ...defaultsOf(model, Object.keys(query.where))].map(
    ([field, condition]) => {
      const filter = filterOn(model, field, condition, clock);
      if (!filter)
        throw new QueryError(
          'field-unknown',
          `\`${field}\`: unknown dimension in model \`${model.name}\`${didYouMean(field, Object.keys(model.dimensions))}`,
        );
      return filter;
    },
  );
  const groups: GroupsQuery = {
    kind: 'groups',
    model: model.name,
    dimensions: query.dimensions.map(dimension =>
      typeof dimension === 'string'
        ? { field: dimension }
        : {
            field: dimension.field,
            ...(dimension.timeUnit && { timeUnit: onCalendar(dimension.timeUnit, queryContext.calendar) }),
          },
    ),
    measures: query.measures,
    where: allOf(conditions),
  };
  const page: GroupsQuery = { ...groups, order: query.order, limit: query.limit, offset: query.offset };
  planQuery(page, model, queryContext.zone);
  const result = await queries.run(page, queryContext);
  const isEnd = result.rowCount < query.limit && (result.rowCount > 0 || query.offset === 0);
  return {
    model,
    result,
    total: isEnd ? query.offset + result.rowCount : await countOf(groups, queryContext, queries),
  };
}

async function countOf(
  groups: GroupsQuery,
  queryContext: QueryContext,
  queries: QueryService,
): Promise<number> {
  const {
    columns: [counted],
  } = await queries.run({ ...groups, isCounted: true }, queryContext);
  return Number(counted!.values[0]);
}

function namesOf(fields: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(fields);
  return (
    `${names
      .slice(0, 12)
      .map(name => `\`${name}\``)
      .join(', ')}${names.length > 12 ? ' …' : ''}` || 'there is none'
  );
}

/** Converts a result to its wire format. */
export function rowsPageOf({ model, result, total }: ModelResult): RowsPage {
  const columns = result.columns.map(({ name, type }) => {
    const { label, format } = Object.hasOwn(model.dimensions, name)
      ? model.dimensions[name]!
      : measureOf(model, name);
    return { name, label, type, ...(format !== undefined && { format }) };
  });
  return { columns, rows: resultRows(result), total };
}
