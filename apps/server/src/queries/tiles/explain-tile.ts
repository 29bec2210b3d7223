import { describeMoment, describeTimes, formatValue } from '@belvedere/chart';
import type { Explanation } from '@belvedere/api';
import { localize, type Localized, type Tile } from '@belvedere/document';
import type { BindingPolicy, Dimension, Expression, Join, Measure, Model } from '@belvedere/model';
import { partsOf } from '@belvedere/model';
import {
  allOf,
  hasNoQuery,
  dimensionOf,
  everything,
  filterOn,
  measureOf,
  planQuery,
  describeFilter as describeFilterPlainly,
  tileShape,
  type FieldFilter,
  type Filter,
  type GroupsQuery,
} from '@belvedere/query';
import { listeningIn, selectionFilter, selectionsFor } from '@belvedere/crossfilter';
import { isAuthor } from '../../access/may.ts';
import { isExposed, redactFilter, type Exposed } from '../../access/exposed-fields.ts';
import { ProblemError } from '../../http/problems.ts';
import { fileTableOf } from '../../workspace/workspace.ts';
import { clockOf, dataTime } from '../data-times.ts';
import { defaultsOf, filtersFor } from '../tile-filters.ts';
import { tileModel, type DashboardContext } from '../dashboard-query-context.ts';

const nullsMeasure = 'belvedere_nulls';

/** Describes a filter with numbers and times as the page shows them. */
const describeFilter = (filter: Filter, model: Model, locale: string) =>
  describeFilterPlainly(filter, model, locale, {
    number: (value, format) => formatValue(value, locale, format),
    time: time => describeMoment(time, locale),
    period: (from, below) => describeTimes(from, below, locale),
  });

interface ExplainWords {
  readonly where: (measure: string, filter: string) => string;
  readonly sql: (model: string) => string;
  readonly files: (table: string) => string;
  readonly source: (table: string, source: string) => string;
  readonly keyed: string;
  readonly disjoint: string;
}

const languages: Localized<ExplainWords> = {
  en: {
    where: (measure, filter) => `${measure}, where ${filter}`,
    sql: model => `SQL of the model ${model}`,
    files: table => `the table ${table}, read from files`,
    source: (table, source) => `the table ${table} of ${source}`,
    keyed: 'only rows whose key occurs once',
    disjoint: 'only keys whose ranges do not overlap',
  },
  de: {
    where: (measure, filter) => `${measure}, wo ${filter}`,
    sql: model => `SQL des Modells ${model}`,
    files: table => `die Tabelle ${table}, aus Dateien gelesen`,
    source: (table, source) => `die Tabelle ${table} von ${source}`,
    keyed: 'nur Zeilen, deren Schlüssel einmal vorkommt',
    disjoint: 'nur Schlüssel, deren Zeiträume sich nicht überschneiden',
  },
  zh: {
    where: (measure, filter) => `${measure}，其中 ${filter}`,
    sql: model => `模型 ${model} 的 SQL`,
    files: table => `表 ${table}，读自文件`,
    source: (table, source) => `${source} 的表 ${table}`,
    keyed: '仅键只出现一次的行',
    disjoint: '仅范围不重叠的键',
  },
};

/**
 * Explains how the number of a tile, or of one of its marks, was calculated.
 * @param mark the conditions of the mark
 * @param locale the language of the sentences
 */
export async function explainTile(
  context: DashboardContext,
  id: string,
  tile: Tile,
  mark: Readonly<Record<string, FieldFilter>> | undefined,
  locale = 'en',
): Promise<Explanation> {
  const words = localize(languages, locale);
  if (hasNoQuery(tile)) throw new ProblemError('not-found', 'This tile has no number to explain.');
  const model = tileModel(context, tile);
  const shape = tileShape(tile, model);
  const measure = measureOf(
    model,
    shape.kind === 'cells' || shape.kind === 'groups' ? shape.measures[0]! : 'rows',
  );
  const { base, selected, notApplied } = await filtersFor(context, model, { tileId: id, tile });
  const clock = await clockOf(context, model);
  const marked = allOf(
    Object.entries(mark ?? {}).flatMap(
      ([field, condition]) => filterOn(model, field, condition, clock) ?? [],
    ),
  );
  const where = allOf([base, selected, marked]);
  const shownWhere = redactFilter(where, context.exposed);
  const isMaker = isAuthor(context.queryContext.caller);
  const counted = countingNulls(model, measure.expression);
  const workspace = {
    ...context.queryContext.workspace,
    models: new Map(context.queryContext.workspace.models).set(model.name, {
      model: counted.model,
      isGuessed: false,
      problems: [],
    }),
  };
  const figure: GroupsQuery = {
    kind: 'groups',
    model: model.name,
    dimensions: [],
    measures: [measure.name],
    where,
  };
  const countQuery: GroupsQuery = {
    ...figure,
    measures: [measure.name, 'rows', ...(counted.hasNulls ? [nullsMeasure] : [])],
  };
  const [counts, all, newest] = await Promise.all([
    context.queries.run(countQuery, { ...context.queryContext, workspace }),
    context.queries.run(
      { kind: 'groups', model: model.name, dimensions: [], measures: ['rows'], where: everything },
      context.queryContext,
    ),
    dataTime(context, model),
  ]);
  const [value, rows, nulls] = counts.columns.map(column => column.values[0] ?? null);
  const axes =
    shape.kind === 'cells'
      ? shape.axes.map(axis => axis.field)
      : shape.kind === 'rows' || shape.kind === 'groups'
        ? shape.dimensions
        : [];
  const imported = fileTableOf(context.queryContext.workspace, model)?.imported;
  return {
    question:
      shownWhere.kind === 'everything'
        ? measure.label
        : words.where(measure.label, describeFilter(shownWhere, model, locale)),
    model: model.label,
    ...(isMaker && {
      source:
        model.sql !== undefined
          ? words.sql(model.name)
          : model.source === 'files'
            ? words.files(model.table)
            : words.source(
                model.table,
                context.queryContext.workspace.sources.get(model.source)?.label ?? model.source,
              ),
    }),
    measure: explained(measure, '', isMaker),
    dimensions: axes.map(field => explained(dimensionOf(model, field), field, isMaker)),
    filters: [
      ...(await filtersWithOwners(context, id, tile, model, locale)),
      ...(marked.kind === 'everything'
        ? []
        : partsOfFilter(marked).map(filter => ({
            text: describeFilter(filter, model, locale),
            from: 'mark' as const,
          }))),
    ],
    notApplied,
    ...(model.readUnder && {
      policies: model.readUnder.map(policy => policyText(policy, model, context.exposed)),
    }),
    ...(model.policies && { isUnbound: true }),
    value: typeof value === 'boolean' ? String(value) : (value as number | string | null),
    rows: Number(rows),
    rowsInTable: Number(all.columns[0]!.values[0]),
    ...(counted.hasNulls && { nulls: Number(nulls) }),
    joins: !isMaker
      ? []
      : Object.entries(planQuery(figure, model, context.queryContext.zone).joins).map(
          ([name, join]) =>
            `${name}: ${conditionsOf(join).join(' and ')}${join.isKeyed ? '' : ` (${join.between ? words.disjoint : words.keyed})`}`,
        ),
    zone: context.queryContext.zone,
    ...(newest !== undefined && { dataTime: new Date(newest).toISOString().slice(0, 19) }),
    ...(imported && { readAt: imported.readAt }),
    ...(isMaker && { sql: context.queries.sqlOf(figure, context.queryContext) }),
  };
}

/** What a join compares: `shipper = shippers.id`. */
function conditionsOf({ table, on, between }: Join): string[] {
  const here = ({ join, column }: { readonly join?: string; readonly column: string }) =>
    join === undefined ? column : `${join}.${column}`;
  return [
    ...on.map(key => `${here(key)} = ${table}.${key.equals}`),
    ...(between ? [`${table}.${between.begin.name} ≤ ${here(between)} < ${table}.${between.end.name}`] : []),
  ];
}

/** Returns each filter of a tile with its owner. */
async function filtersWithOwners(
  context: DashboardContext,
  id: string,
  tile: Tile,
  model: Model,
  locale: string,
): Promise<Explanation['filters']> {
  const clock = await clockOf(context, model);
  const { filters = [] } = context.dashboard;
  const described = (
    field: string,
    condition: FieldFilter | null | undefined,
    from: Explanation['filters'][number]['from'],
  ) => {
    const filter =
      condition && isExposed(context.exposed, field) ? filterOn(model, field, condition, clock) : undefined;
    return filter ? [{ text: describeFilter(filter, model, locale), from }] : [];
  };
  const bar = [
    ...new Set([...filters.map(filter => filter.field), ...Object.keys(context.state.filters)]),
  ].flatMap(field => {
    const stated = filters.find(filter => filter.field === field);
    const set = Object.hasOwn(context.state.filters, field) ? context.state.filters[field] : undefined;
    return stated?.locked || set === undefined
      ? described(field, stated?.default, 'dashboard')
      : described(field, set, 'viewer');
  });
  const own =
    'filters' in tile
      ? (tile.filters ?? []).flatMap(filter => described(filter.field, filter.default, 'tile'))
      : [];
  const selections = Object.entries(
    selectionsFor(context.state.selections, id, listeningIn(context.dashboard)),
  ).flatMap(([other, boxes]) => {
    const { filter } = selectionFilter({ [other]: boxes }, model, clock);
    return filter.kind === 'everything'
      ? []
      : [{ text: describeFilter(filter, model, locale), from: 'selection' as const, tile: other }];
  });
  const byModel = defaultsOf(
    model,
    [...filters, ...('filters' in tile ? (tile.filters ?? []) : [])]
      .map(filter => filter.field)
      .concat(Object.keys(context.state.filters)),
  ).flatMap(([field, condition]) => described(field, condition, 'model'));
  return [...byModel, ...bar, ...own, ...selections];
}

function partsOfFilter(filter: Filter): readonly Filter[] {
  return filter.kind === 'allOf' ? filter.filters : [filter];
}

/** Adds a measure to the model that counts the nulls read by the expression's first aggregate. */
function countingNulls(model: Model, expression: Expression): { model: Model; hasNulls: boolean } {
  const call = firstAggregate(expression);
  const [value] = call?.args ?? [];
  if (!call || !value) return { model, hasNulls: false };
  const filter = call.filter && { filter: call.filter };
  const count = (args: readonly Expression[]): Expression => ({
    kind: 'call',
    name: 'count',
    args,
    ...filter,
  });
  const nulls: Expression = { kind: 'binary', operator: '-', left: count([]), right: count([value]) };
  return {
    model: {
      ...model,
      measures: {
        ...model.measures,
        [nullsMeasure]: { name: nullsMeasure, label: 'Nulls', type: 'integer', expression: nulls },
      },
    },
    hasNulls: true,
  };
}

function firstAggregate(expression: Expression): (Expression & { kind: 'call' }) | undefined {
  if (
    expression.kind === 'call' &&
    [
      'sum',
      'avg',
      'min',
      'max',
      'median',
      'quantile',
      'stddev',
      'stddev_pop',
      'variance',
      'var_pop',
      'count',
    ].includes(expression.name)
  )
    return expression;
  return partsOf(expression)
    .map(firstAggregate)
    .find(found => found !== undefined);
}

/**
 * A row policy that applies to the caller. Its condition is included only if it reads nothing but columns
 * that the dashboard shows.
 */
function policyText(
  { name, text, reads, isFit }: BindingPolicy,
  { name: of, dimensions }: Model,
  exposed: Exposed,
): NonNullable<Explanation['policies']>[number] {
  const shown = Object.values(dimensions).filter(dimension => exposed?.get(of)?.has(dimension.name) ?? true);
  const isShown = (column: BindingPolicy['reads'][number]) =>
    shown.some(
      ({ expression }) =>
        expression.kind === 'column' && expression.join === column.join && expression.name === column.name,
    );
  return { name, text: reads.every(isShown) ? text : '', isFit };
}

function explained(
  { name, label, text, description }: Pick<Measure | Dimension, 'name' | 'label' | 'text' | 'description'>,
  otherwise: string,
  isMaker: boolean,
): NonNullable<Explanation['measure']> {
  return {
    name,
    label,
    ...(isMaker && { expression: text ?? otherwise }),
    ...(description !== undefined && { description }),
  };
}
