import { evaluator, type Plan, type PlanExpression } from '@belvedere/query';
import type { QueryResult } from '../../result.ts';
import { codesMatching } from '../encoded-column.ts';
import type { EncodedTable, PackedBits } from '../encoded-table.ts';
import { cellsIn, type Cube, type CubePart, type Test } from '../kernel/scan.ts';
import { planShape, type KeyOf } from './plan-shape.ts';
import { planParts } from './scan-parts.ts';
import { cellsResult, groupsResult } from '../scan/scan-result.ts';
import { runs, settleGroup } from './settle-groups.ts';

/** A query's part of a pass over the encoded words, and how to make its result. */
export interface PlannedScan {
  readonly test?: Test;
  /** Equal text for equal tests. */
  readonly testKey: string;
  readonly cube: Cube;
  /** @param totals one array per part, with one number per cell (two for a tally: counts, then sums) */
  readonly result: (totals: readonly Float64Array[]) => QueryResult;
}

/** Queries with larger cubes go to the engine. */
const maxCells = 4_000_000;

/**
 * Plans a pass over a table's encoded columns for a query.
 * @returns undefined if they cannot answer the query exactly and the engine has to
 */
export function planScan(plan: Plan, table: EncodedTable, keyOf: KeyOf): PlannedScan | undefined {
  const shape = planShape(plan);
  if (!shape) return undefined;
  const fieldOf = (expression: PlanExpression) => table.fields.get(keyOf(expression));
  const groups = shape.groups.map(group => settleGroup(group, fieldOf(group.operand), table.lookups));
  const tests = plan.where.map(condition => testOf(condition, fieldOf));
  const parts = planParts(
    shape.aggregates,
    expression => fieldOf({ kind: 'model', expression }),
    table.lookups,
    shape.kind === 'groups' && shape.isExact,
  );
  if (!groups.every(isDefined) || !tests.every(isDefined) || !parts) return undefined;
  const axes = shape.kind === 'cells' ? runs(groups).map(({ axis }) => axis) : groups.map(({ axis }) => axis);
  // Group results omit groups without rows, so the rows are counted. Cells need no count, because empty cells
  // are not drawn.
  const cubeParts: readonly CubePart[] =
    shape.kind === 'groups' ? [...parts.cubeParts, { kind: 'count' }] : parts.cubeParts;
  const cube: Cube = { axes, parts: cubeParts };
  const cells = cellsIn(cube);
  if (cells > maxCells) return undefined;
  const read = (totals: readonly Float64Array[]) =>
    parts.read.map(({ part, half, empty }) => ({
      values: half === 1 ? totals[part]!.subarray(cells) : totals[part]!.subarray(0, cells),
      empty,
    }));
  const result =
    shape.kind === 'cells'
      ? (totals: readonly Float64Array[]) => cellsResult(plan, groups, read(totals))
      : (totals: readonly Float64Array[]) =>
          groupsResult(plan, shape.values.map(evaluator), groups, read(totals), totals.at(-1)!);
  return {
    ...(tests.length > 0 && { test: tests.length === 1 ? tests[0]! : { kind: 'all', tests } }),
    testKey: JSON.stringify(plan.where),
    cube,
    result,
  };
}

function testOf(
  condition: PlanExpression,
  fieldOf: (expression: PlanExpression) => PackedBits | undefined,
): Test | undefined {
  switch (condition.kind) {
    case 'edge':
    case 'oneOf': {
      const field = fieldOf(condition.operand);
      const truths = field && codesMatching(field, condition);
      return truths && { kind: 'truth', bitField: field.bitField, truths };
    }
    case 'not': {
      const test = testOf(condition.condition, fieldOf);
      return test && { kind: 'not', test };
    }
    case 'all':
    case 'any': {
      const tests = condition.conditions.map(inner => testOf(inner, fieldOf));
      return tests.every(isDefined) ? { kind: condition.kind, tests } : undefined;
    }
    default:
      return undefined;
  }
}

const isDefined = <T>(value: T | undefined): value is T => value !== undefined;
