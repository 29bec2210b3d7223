import type { ModelPreview } from '@belvedere/api';
import {
  isNumeric,
  isTemporal,
  typeOf,
  unitFor,
  type DataType,
  type Expression,
  type Join,
  type Measure,
  type Model,
} from '@belvedere/model';
import { edgesOf, everything, onCalendar, type AxisRequest, type GroupsQuery } from '@belvedere/query';
import { testUser, type Caller } from '../../access/caller.ts';
import { applyRowPolicies } from '../../access/row-policies.ts';
import { numbersOrderedAsText } from '../../presenters/text-order-warnings.ts';
import { ProblemError } from '../../http/problems.ts';
import type { QueryService } from '../query-service.ts';
import type { QueryContext } from '../query-context.ts';
import { bare } from '../tiles/cells-frame.ts';
import { resultRows } from '../rows/result-rows.ts';
import { resolveAxes } from '../tiles/resolve-axes.ts';

export type Previewed =
  | { readonly dimension: string }
  | { readonly measure: string }
  | { readonly join: string }
  | { readonly users: true };

/** The workspace with some unsaved models applied. */
type WorkspaceWith = (...models: readonly Model[]) => QueryContext['workspace'];

const maxValues = 8;
const maxBars = 40;
const maxReaders = 30;

/**
 * Previews one part of a model with the current data: a dimension's values, a measure's value and sparkline,
 * a join's matches, or the rows that each test user sees.
 * For model authors; its queries go through the `QueryService` like all others.
 * @throws ProblemError `not-found` if the model has no such part
 */
export async function previewModel(
  model: Model,
  part: Previewed,
  queryContext: QueryContext,
  queries: QueryService,
  workspaceWith: WorkspaceWith,
): Promise<ModelPreview> {
  const notFound = (name: string) =>
    new ProblemError('not-found', `\`${name}\` has an error, or is not in this model.`);
  if ('dimension' in part) {
    if (!Object.hasOwn(model.dimensions, part.dimension)) throw notFound(part.dimension);
    return {
      ...(await previewDimension(model, part.dimension, queryContext, queries, workspaceWith)),
      ...numbersAsText(model.dimensions[part.dimension]!, model, queryContext),
    };
  }
  if ('measure' in part) {
    if (!Object.hasOwn(model.measures, part.measure)) throw notFound(part.measure);
    const own = { ...queryContext, workspace: workspaceWith(model) };
    return {
      ...(await previewMeasure(model, part.measure, own, queries)),
      ...numbersAsText(model.measures[part.measure]!, model, queryContext),
    };
  }
  if ('users' in part) return previewUsers(model, queryContext, queries, workspaceWith);
  if (!Object.hasOwn(model.joins, part.join)) throw notFound(part.join);
  return previewJoin(model, part.join, model.joins[part.join]!, queryContext, queries, workspaceWith);
}

function numbersAsText(
  { expression }: { readonly expression: Expression },
  model: Model,
  { workspace }: QueryContext,
): { numbersAsText?: string[] } {
  const columns = numbersOrderedAsText(expression, model, workspace);
  return columns.length === 0 ? {} : { numbersAsText: columns };
}

async function previewDimension(
  model: Model,
  name: string,
  queryContext: QueryContext,
  queries: QueryService,
  workspaceWith: WorkspaceWith,
): Promise<ModelPreview> {
  const { expression, type } = model.dimensions[name]!;
  const counted: Model = {
    ...model,
    measures: {
      ...model.measures,
      preview_filled: counting(expression),
      preview_distinct: counting(expression, true),
    },
  };
  const own = { ...queryContext, workspace: workspaceWith(counted) };
  const runGroups = (query: Omit<GroupsQuery, 'kind' | 'model' | 'where'>) =>
    queries.run({ kind: 'groups', model: model.name, where: everything, ...query }, own);
  const isRange = isNumeric(type) || isTemporal(type);
  const [totals] = resultRows(
    await runGroups({
      dimensions: [],
      measures: ['rows', 'preview_filled', 'preview_distinct'],
      ...(isRange && { extents: [name] }),
    }),
  );
  const [rows, filled, distinct, min, max] = totals!;
  const facts = {
    type,
    rows: Number(rows),
    empty: Number(rows) - Number(filled),
    distinct: Number(distinct),
    ...(isRange && { min: min ?? null, max: max ?? null }),
  };
  if (isRange && Number(distinct) > maxValues)
    return { kind: 'dimension', ...facts, histogram: await histogramOf(model, name, type, own, queries) };
  const most = await runGroups({
    dimensions: [{ field: name }],
    measures: ['rows'],
    order: [{ by: 'rows', descending: true }],
    limit: maxValues,
  });
  return {
    kind: 'dimension',
    ...facts,
    values: resultRows(most).map(([value, count]) => ({ value: value ?? null, rows: Number(count) })),
  };
}

/** Returns a row count for each bin between the minimum and the maximum. */
async function histogramOf(
  model: Model,
  field: string,
  type: DataType,
  queryContext: QueryContext,
  queries: QueryService,
) {
  const request: AxisRequest = {
    channel: 'x',
    encoding: { field },
    field,
    kind: isTemporal(type) ? 'times' : 'bins',
    limit: maxBars,
  };
  const { axes } = await resolveAxes([request], 'rows', model, everything, {
    calendar: queryContext.calendar,
    runQuery: query => queries.run(query, queryContext),
    knownExtent: () => undefined,
    knownDistinct: () => undefined,
  });
  const axis = bare(axes[0]!);
  if (axis.kind === 'categories') return [];
  const { columns, rowCount } = await queries.run(
    { kind: 'cells', model: model.name, axes: [axis], measures: ['rows'], where: everything },
    queryContext,
  );
  const counts = Array.from({ length: axis.count }, () => 0);
  for (let i = 0; i < rowCount; i++)
    if (Number(columns[0]!.values[i]) < axis.count)
      counts[Number(columns[0]!.values[i])] = Number(columns[1]!.values[i]);
  const edges = edgesOf(axis);
  return counts.map((rows, i) => ({ from: edges[i]!, below: edges[i + 1]!, rows }));
}

async function previewMeasure(
  model: Model,
  name: string,
  queryContext: QueryContext,
  queries: QueryService,
): Promise<ModelPreview> {
  const runGroups = (query: Omit<GroupsQuery, 'kind' | 'model' | 'where'>) =>
    queries.run({ kind: 'groups', model: model.name, where: everything, ...query }, queryContext);
  const { type } = model.measures[name]!;
  const value = resultRows(await runGroups({ dimensions: [], measures: [name] }))[0]?.[0] ?? null;
  if (!model.time || !isNumeric(type)) return { kind: 'measure', type, value };
  const [from, to] =
    resultRows(await runGroups({ dimensions: [], measures: [], extents: [model.time] }))[0] ?? [];
  if (typeof from !== 'number' || typeof to !== 'number') return { kind: 'measure', type, value };
  const timeSeries = await runGroups({
    dimensions: [
      {
        field: model.time,
        timeUnit: onCalendar(
          unitFor({ min: from, max: to }, model.dimensions[model.time]!.type),
          queryContext.calendar,
        ),
      },
    ],
    measures: [name],
    order: [{ by: model.time }],
    limit: 600,
  });
  return {
    kind: 'measure',
    type,
    value,
    timeSeries: resultRows(timeSeries).flatMap(([at, amount]) =>
      typeof at === 'number'
        ? [{ at, value: amount === null || amount === undefined ? null : Number(amount) }]
        : [],
    ),
  };
}

/** Counts rows with a match, and finds duplicate keys in the joined table. */
async function previewJoin(
  model: Model,
  name: string,
  join: Join,
  queryContext: QueryContext,
  queries: QueryService,
  workspaceWith: WorkspaceWith,
): Promise<ModelPreview> {
  const joined: Model = {
    name: `${model.name}_${name}_preview`,
    label: join.table,
    source: model.source,
    table: join.table,
    joins: {},
    dimensions: Object.fromEntries(
      join.on.map(({ equals, equalsType }, i) => [
        `k${i}`,
        {
          name: `k${i}`,
          label: equals,
          type: equalsType,
          expression: { kind: 'column' as const, name: equals, type: equalsType },
        },
      ]),
    ),
    measures: { rows: model.measures['rows']! },
  };
  const [first] = join.on;
  const found: Measure = counting({
    kind: 'column',
    join: name,
    name: first!.equals,
    type: first!.equalsType,
  });
  const own = {
    ...queryContext,
    workspace: workspaceWith({ ...model, measures: { ...model.measures, preview_found: found } }, joined),
  };
  const keys = Object.keys(joined.dimensions);
  const [here, there, repeated] = await Promise.all([
    queries.run(
      {
        kind: 'groups',
        model: model.name,
        dimensions: [],
        measures: ['rows', 'preview_found'],
        where: everything,
      },
      own,
    ),
    queries.run(
      { kind: 'groups', model: joined.name, dimensions: [], measures: ['rows'], where: everything },
      own,
    ),
    queries.run(
      {
        kind: 'groups',
        model: joined.name,
        dimensions: keys.map(field => ({ field })),
        measures: ['rows'],
        where: everything,
        order: [{ by: 'rows', descending: true }],
        limit: 3,
      },
      own,
    ),
  ]);
  const [rows, matched] = resultRows(here)[0]!;
  // Versions of a row share its key.
  const twice = resultRows(repeated).flatMap(row =>
    Number(row.at(-1)) > 1 && !join.between
      ? [
          {
            key: row
              .slice(0, -1)
              .map(value => String(value))
              .join(', '),
            rows: Number(row.at(-1)),
          },
        ]
      : [],
  );
  return {
    kind: 'join',
    rows: Number(rows),
    found: Number(matched),
    rowsThere: Number(resultRows(there)[0]![0]),
    repeated: twice,
  };
}

/** Returns how many rows each of the policy tests' users sees, under which policies. */
async function previewUsers(
  model: Model,
  queryContext: QueryContext,
  queries: QueryService,
  workspaceWith: WorkspaceWith,
): Promise<ModelPreview> {
  const workspace = workspaceWith(model);
  const rowsFor = async (caller: Caller) =>
    Number(
      resultRows(
        await queries.run(
          { kind: 'groups', model: model.name, dimensions: [], measures: ['rows'], where: everything },
          { ...queryContext, caller, workspace },
        ),
      )[0]![0],
    );
  const people = [...workspace.people].slice(0, maxReaders).map(([name, rows]) => testUser(name, rows));
  const [rows, ...seen] = await Promise.all([queryContext.caller, ...people].map(rowsFor));
  return {
    kind: 'users',
    rows: rows!,
    users: people.map((caller, i) => ({
      name: caller.name,
      rows: seen[i]!,
      policies: (applyRowPolicies(model, caller, workspace).readUnder ?? []).flatMap(({ name, isFit }) =>
        isFit ? [name] : [],
      ),
    })),
  };
}

function counting(expression: Expression, distinct = false): Measure {
  const counted: Expression = {
    kind: 'call',
    name: 'count',
    args: [expression],
    ...(distinct && { distinct }),
  };
  return {
    name: distinct ? 'preview_distinct' : 'preview_filled',
    label: '',
    type: typeOf(counted) as DataType,
    expression: counted,
  };
}
