import { didYouMean } from '@belvedere/document';
import {
  isNumeric,
  joinsOf,
  type DataType,
  type Dimension,
  type Expression,
  type Measure,
  type Model,
} from '@belvedere/model';
import { dimensionOf } from './dimension.ts';
import { decomposeMeasures } from './partial-aggregates.ts';
import type { Filter } from './filter.ts';
import { columnsRead, type Plan, type PlanColumn, type PlanExpression } from './plan.ts';
import type { CellsQuery, GroupsQuery, Order, Query, RowsQuery } from './query.ts';
import { QueryError } from './query-error.ts';
import { measureOf } from './tiles/tile-measure.ts';

/**
 * Plans the engine's work for a query.
 * @param zone IANA name; instants are grouped, filtered and displayed by its wall clock.
 * @throws QueryError for a field or measure that the model does not have.
 */
export function planQuery(query: Query, model: Model, zone: string): Plan {
  const where = [
    ...(model.rowFilter ? rowConditions(model.rowFilter) : []),
    ...(query.kind === 'watermark' ? [] : conditionsOf(query.where, model)),
  ];
  const body = planBody(query, model);
  const joins = joinsOf(
    columnsRead([...body.columns.map(column => column.expression), ...where]).flatMap(
      ({ join }) => join ?? [],
    ),
    model.joins,
  );
  return {
    table: model.table,
    ...(model.sql !== undefined && { sql: model.sql }),
    zone,
    joins,
    where,
    ...body,
  };
}

function planBody(query: Query, model: Model): Body {
  switch (query.kind) {
    case 'cells':
      return planCells(query, model);
    case 'groups':
      return planGroups(query, model);
    case 'rows':
      return planRows(query, model);
    case 'watermark':
      if (!model.watermark)
        throw new QueryError('field-unknown', `The model \`${model.name}\` has no watermark.`);
      return { columns: [measureColumn({ name: 'watermark', ...model.watermark })], groupBy: 0, order: [] };
  }
}

type Body = Pick<Plan, 'columns' | 'groupBy' | 'order' | 'limit' | 'offset' | 'countedAs'>;

function planCells(query: CellsQuery, model: Model): Body {
  const axes = query.axes.map(axis => ({ axis, ...operandOf(model, axis.field) }));
  const group: PlanColumn[] =
    axes.length > 0 ? [{ name: 'group', expression: { kind: 'group', axes }, type: 'integer' }] : [];
  return {
    columns: [...group, ...partColumns(model, query.measures)],
    groupBy: group.length,
    order: [],
  };
}

function partColumns(model: Model, measures: readonly string[]): PlanColumn[] {
  return decomposeMeasures(measures.map(name => measureOf(model, name))).parts.map((part, i) => ({
    name: `part${i}`,
    expression: { kind: 'double', operand: { kind: 'model', expression: part.aggregate } },
    type: 'number',
  }));
}

function planGroups(query: GroupsQuery, model: Model): Body {
  const dimensions = query.dimensions.map(({ field, timeUnit }): PlanColumn => {
    const { operand, type } = operandOf(model, field);
    return timeUnit
      ? { name: field, expression: { kind: 'truncate', unit: timeUnit, operand }, type: 'time' }
      : { name: field, expression: operand, type: shownAs(type) };
  });
  const measures = query.inParts
    ? partColumns(model, query.measures)
    : query.measures.map((name): PlanColumn => measureColumn(measureOf(model, name)));
  const extents = (query.extents ?? []).flatMap(field =>
    (['min', 'max'] as const).map((bound): PlanColumn => ({
      name: `${bound}_${field}`,
      expression: extentOf(model, field, bound),
      type: extentType(dimensionOf(model, field).type),
    })),
  );
  const columns = [...dimensions, ...measures, ...extents];
  return {
    columns,
    groupBy: dimensions.length,
    order: orderOf(
      query.order ?? [],
      columns.map(column => column.name),
      dimensions.map(column => column.name),
    ),
    ...(query.limit !== undefined && { limit: query.limit }),
    ...(query.offset !== undefined && { offset: query.offset }),
    ...(query.isCounted && { countedAs: 'groups' }),
  };
}

function planRows(query: RowsQuery, model: Model): Body {
  const columns = query.dimensions.map((field): PlanColumn => {
    const { operand, type } = operandOf(model, field);
    return {
      name: field,
      expression: query.isUtc && operand.kind === 'local' ? { ...operand, isUtc: true } : operand,
      type: shownAs(type),
    };
  });
  const names = columns.map(column => column.name);
  return {
    columns,
    order: query.order?.length ? orderOf(query.order, names, names) : [],
    limit: query.limit,
    ...(query.offset !== undefined && { offset: query.offset }),
  };
}

function measureColumn({
  name,
  expression,
  type,
}: Pick<Measure, 'name' | 'expression' | 'type'>): PlanColumn {
  const value: PlanExpression = { kind: 'model', expression };
  return {
    name,
    expression: type === 'instant' ? { kind: 'local', operand: value } : value,
    type: shownAs(type),
  };
}

/** Results contain instants as wall-clock times of the plan's zone. */
const shownAs = (type: DataType): DataType => (type === 'instant' ? 'time' : type);
const extentType = (type: DataType): DataType => (isNumeric(type) ? 'number' : shownAs(type));

function extentOf(model: Model, field: string, bound: 'min' | 'max'): PlanExpression {
  const { operand, type } = operandOf(model, field);
  const expression = dimensionOf(model, field).expression;
  const extent: PlanExpression = {
    kind: 'model',
    expression: { kind: 'call', name: bound, args: [expression] },
  };
  return operand.kind === 'local'
    ? { kind: 'local', operand: extent }
    : isNumeric(type)
      ? { kind: 'double', operand: extent }
      : extent;
}

/**
 * Puts the requested order first, then the tie-breakers, so that equal queries always return the same order.
 */
function orderOf(
  requested: readonly Order[],
  known: readonly string[],
  ties: readonly string[],
): Plan['order'] {
  for (const order of requested) refuseUnsorted(order, known);
  const rest = ties.filter(name => !requested.some(order => order.by === name));
  return [
    ...requested.map(order => ({ column: order.by, descending: order.descending ?? false })),
    ...rest.map(column => ({ column, descending: false })),
  ];
}

/** @throws QueryError for an order by a name that the query does not contain. */
export function refuseUnsorted({ by }: Order, known: readonly string[]): void {
  if (!known.includes(by))
    throw new QueryError(
      'field-unknown',
      `Cannot sort by \`${by}\`: it is not in the query${didYouMean(by, known)}`,
    );
}

function conditionsOf(filter: Filter, model: Model): PlanExpression[] {
  switch (filter.kind) {
    case 'everything':
      return [];
    case 'allOf':
      return filter.filters.flatMap(inner => conditionsOf(inner, model));
    case 'anyOf':
      return [{ kind: 'any', conditions: filter.filters.map(inner => together(conditionsOf(inner, model))) }];
    case 'not':
      return [{ kind: 'not', condition: together(conditionsOf(filter.filter, model)) }];
    case 'contains':
      return [{ kind: 'contains', operand: operandOf(model, filter.field).operand, text: filter.text }];
    case 'oneOf':
      return [{ kind: 'oneOf', ...operandOf(model, filter.field), values: filter.values }];
    case 'range': {
      const side = operandOf(model, filter.field);
      return [
        ...(filter.from === undefined
          ? []
          : [{ kind: 'edge', ...side, operator: '>=', value: filter.from } as const]),
        ...(filter.below === undefined
          ? []
          : [{ kind: 'edge', ...side, operator: '<', value: filter.below } as const]),
      ];
    }
  }
}

/**
 * Returns a row policy's conditions. Comparisons of a column with values take the form of filters, because
 * the column store can evaluate those from codes.
 */
function rowConditions(expression: Expression): PlanExpression[] {
  if (expression.kind === 'binary' && expression.operator === 'and')
    return [...rowConditions(expression.left), ...rowConditions(expression.right)];
  if (expression.kind === 'binary' && expression.operator === 'or')
    return [
      {
        kind: 'any',
        conditions: [expression.left, expression.right].map(side => together(rowConditions(side))),
      },
    ];
  const compared =
    expression.kind === 'binary' && expression.operator === '='
      ? { operand: expression.left, values: [expression.right] }
      : expression.kind === 'in' && !expression.negated
        ? expression
        : undefined;
  if (
    compared?.operand.kind === 'column' &&
    ['text', 'integer', 'boolean'].includes(compared.operand.type ?? '')
  ) {
    const values = compared.values.flatMap(value =>
      value.kind === 'literal' && value.value !== null ? [value.value] : [],
    );
    if (values.length === compared.values.length)
      return [
        {
          kind: 'oneOf',
          operand: { kind: 'model', expression: compared.operand },
          type: compared.operand.type!,
          values,
        },
      ];
  }
  return [{ kind: 'model', expression }];
}

function together(conditions: PlanExpression[]): PlanExpression {
  return conditions.length === 1 ? conditions[0]! : { kind: 'all', conditions };
}

function operandOf(model: Model, field: string): { operand: PlanExpression; type: Dimension['type'] } {
  const { expression, type } = dimensionOf(model, field);
  const operand: PlanExpression = { kind: 'model', expression };
  return type === 'instant' ? { operand: { kind: 'local', operand }, type } : { operand, type };
}
