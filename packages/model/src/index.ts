export * from './build-model.ts';
export type { ModelProblem } from './model-problem.ts';
export * from './expression/check-expression.ts';
export * from './expression/expression.ts';
export {
  functionGroups,
  functions,
  type FunctionGroup,
  type FunctionSpec,
  type FunctionUnit,
} from './expression/functions.ts';
export * from './expression/parse-expression.ts';
export { inferJoins, type JoinedTable } from './inference/infer-joins.ts';
export { meaningOf, namesThings, type Meaning } from './inference/infer-meaning.ts';
export * from './inference/infer-model.ts';
export { addsUp, addsUpMoney, isCount } from './overview/overview-measures.ts';
export { timeParts, type TimePart } from './inference/infer-time-parts.ts';
export { inferOverview, niceStep, timeUnitFor, unitFor } from './overview/infer-overview.ts';
export { initialChart } from './overview/initial-chart.ts';
export { regionShapeOf } from './inference/infer-regions.ts';
export { inWeekOrder } from './inference/calendar-names.ts';
export * from './expression-joins.ts';
export { columnsOrderedAsText } from './expression/text-order.ts';
export * from './model.ts';
export * from './policies.ts';
export { plural } from './relationships/relationship-names.ts';
export * from './relationships/relationships.ts';
export * from './table.ts';
export * from './steps.ts';
