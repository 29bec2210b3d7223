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
export { inferJoins, type JoinedTable } from './infer-joins.ts';
export { meaningOf, namesThings, type Meaning } from './infer-meaning.ts';
export * from './infer-model.ts';
export { initialChart } from './initial-chart.ts';
export { addsUp, addsUpMoney, isCount } from './overview-measures.ts';
export { timeParts, type TimePart } from './infer-time-parts.ts';
export { inferOverview, niceStep, timeUnitFor, unitFor } from './infer-overview.ts';
export { regionShapeOf, type RegionShape } from './infer-regions.ts';
export { inWeekOrder } from './calendar-names.ts';
export * from './expression-joins.ts';
export { columnsOrderedAsText } from './expression/text-order.ts';
export * from './model.ts';
export * from './policies.ts';
export { plural } from './relationship-names.ts';
export * from './relationships.ts';
export * from './table.ts';
