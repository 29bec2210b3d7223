import type { Cells } from '@belvedere/api';
import type { QueryResult } from '@belvedere/engine';
import {
  evaluator,
  slotOf,
  slotsOf,
  type Axis,
  type Filter,
  type GroupsQuery,
  type DecomposedMeasures,
  type Value,
} from '@belvedere/query';

/** Dimensions with more values than this are ranked by the engine, which then runs two queries. */
export const maxValues = 2000;

/**
 * Returns a query for all of a dimension's values with a measure's partial aggregates.
 * Its result determines the values that an axis shows, their order and their numbers, *Other* included.
 */
export function rankByValue(
  model: string,
  field: string,
  measures: readonly string[],
  where: Filter,
): GroupsQuery {
  return {
    kind: 'groups',
    model,
    dimensions: [{ field }],
    measures,
    inParts: true,
    where,
    order: [{ by: field }],
    limit: maxValues + 1,
  };
}

/** The values sorted by the measure; ties keep their order. */
export function rankedValues(
  result: QueryResult,
  { values: [measure] }: DecomposedMeasures,
  isDescending: boolean,
): Value[] {
  const [names, ...parts] = result.columns.map(column => column.values as readonly Value[]);
  const evaluate = evaluator(measure!);
  const sizes = names!.map((_, row) => evaluate(part => Number(parts[part]![row] ?? Number.NaN)));
  const order = names!
    .map((_, row) => row)
    .toSorted((a, b) => {
      const [x, y] = [sizes[a]!, sizes[b]!];
      if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
      return isDescending ? y - x : x - y;
    });
  return order.map(row => names![row]!);
}

/** Assigns values to an axis' slots, and values without a slot to *Other*. */
export function cellsByValue(
  result: QueryResult,
  axis: Axis,
  { parts: aggregates }: DecomposedMeasures,
): Cells {
  const [names, ...columns] = result.columns.map(column => column.values as readonly Value[]);
  const parts = aggregates.map(({ merge }) =>
    new Float64Array(slotsOf(axis)).fill(merge === 'sum' ? 0 : Number.NaN),
  );
  const isFilled = new Uint8Array(slotsOf(axis));
  names!.forEach((name, row) => {
    const slot = slotOf(axis, name);
    if (slot >= slotsOf(axis)) return;
    isFilled[slot] = 1;
    aggregates.forEach(({ merge }, i) => {
      const value = Number(columns[i]![row] ?? Number.NaN);
      const sofar = parts[i]![slot]!;
      if (Number.isNaN(value)) return;
      parts[i]![slot] =
        merge === 'sum'
          ? sofar + value
          : Number.isNaN(sofar)
            ? value
            : merge === 'min'
              ? Math.min(sofar, value)
              : Math.max(sofar, value);
    });
  });
  const groups = Int32Array.from([...isFilled.keys()].filter(slot => isFilled[slot] === 1));
  return { groups, parts: parts.map(part => Float64Array.from(groups, slot => part[slot]!)) };
}
