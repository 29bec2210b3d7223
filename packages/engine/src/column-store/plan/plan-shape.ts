import type { Expression } from '@belvedere/model';
import {
  decomposeMeasures,
  type Axis,
  type CalendarUnit,
  type PartsExpression,
  type Plan,
  type PlanExpression,
} from '@belvedere/query';

/** See `operandKey`. */
export type KeyOf = (expression: PlanExpression) => string;

export interface Operand {
  readonly key: string;
  readonly expression: PlanExpression;
}

/**
 * The expressions that a plan needs encoded: its groups, filters and aggregates.
 * @returns undefined for plans that encoded columns never answer: single rows, medians, distinct counts, text
 * search
 */
export function operandsOf(plan: Plan, keyOf: KeyOf): Operand[] | undefined {
  const shape = planShape(plan);
  const conditions = plan.where.flatMap(leavesOf);
  if (!shape || conditions.some(leaf => leaf.kind !== 'edge' && leaf.kind !== 'oneOf')) return undefined;
  const expressions = [
    ...shape.groups.map(group => group.operand),
    ...conditions.flatMap(leaf => ('operand' in leaf ? [leaf.operand] : [])),
    ...shape.aggregates
      .flatMap(({ args, filter }) => (filter ? [...args, filter] : args))
      .map(expression => ({ kind: 'model', expression }) as const),
  ];
  return [
    ...new Map(
      expressions.map(expression => [keyOf(expression), { key: keyOf(expression), expression }]),
    ).values(),
  ];
}

export interface Group {
  readonly operand: PlanExpression;
  readonly axis?: Axis;
  readonly unit?: CalendarUnit;
}

export type Aggregate = Expression & { readonly kind: 'call' };

/** The groups and aggregates of a plan that encoded columns may answer. */
export type Shape =
  | { readonly kind: 'cells'; readonly groups: readonly Group[]; readonly aggregates: readonly Aggregate[] }
  | {
      readonly kind: 'groups';
      readonly groups: readonly Group[];
      readonly aggregates: readonly Aggregate[];
      readonly values: readonly PartsExpression[];
      readonly isExact: boolean;
    };

/** Returns undefined for plans that encoded columns never answer, such as single rows and medians. */
export function planShape(plan: Plan): Shape | undefined {
  if (plan.groupBy === undefined || plan.countedAs !== undefined) return undefined;
  const first = plan.columns[0]?.expression;
  const isCells =
    plan.columns
      .slice(plan.groupBy)
      .every(column => column.expression.kind === 'double' && column.name.startsWith('part')) &&
    (plan.groupBy === 0 || first?.kind === 'group');
  const measures = plan.columns
    .slice(plan.groupBy)
    .map(({ expression }) => (expression.kind === 'double' ? expression.operand : expression));
  if (!measures.every(expression => expression.kind === 'model')) return undefined;
  // Cell queries contain single aggregates, already split.
  if (isCells) {
    const aggregates = measures.map(({ expression }) => expression);
    return aggregates.every(isMergeable)
      ? { kind: 'cells', groups: first?.kind === 'group' ? first.axes : [], aggregates }
      : undefined;
  }
  const { parts, values } = decomposeMeasures(measures);
  const aggregates = parts.map(part => part.aggregate);
  if (!aggregates.every(isMergeable)) return undefined;
  const groups = plan.columns
    .slice(0, plan.groupBy)
    .map(({ expression }): Group =>
      expression.kind === 'truncate'
        ? { operand: expression.operand, unit: expression.unit }
        : { operand: expression },
    );
  return {
    kind: 'groups',
    groups,
    aggregates,
    values,
    isExact: plan.columns.slice(plan.groupBy).some(column => column.expression.kind === 'model'),
  };
}

function isMergeable(expression: Expression): expression is Aggregate {
  return (
    expression.kind === 'call' &&
    !expression.distinct &&
    expression.args.length <= 1 &&
    ['count', 'sum', 'min', 'max'].includes(expression.name)
  );
}

function leavesOf(condition: PlanExpression): PlanExpression[] {
  if (condition.kind === 'all' || condition.kind === 'any') return condition.conditions.flatMap(leavesOf);
  return condition.kind === 'not' ? leavesOf(condition.condition) : [condition];
}
