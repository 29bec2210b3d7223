import { evaluator, fillGaps, groupsOf, showAs, type PartsExpression } from '@belvedere/query';
import type { Axis } from '@belvedere/query';
import type { Cells, CellsHeader, Merge } from './frames.ts';

/**
 * Returns the parts of every group, including groups without rows: 0 for sums, NaN for all other aggregates.
 */
export function denseParts(axes: readonly Axis[], merges: readonly Merge[], cells: Cells): Float64Array[] {
  const groups = groupsOf(axes);
  return merges.map((merge, i) => {
    const dense = new Float64Array(groups);
    if (merge !== 'sum') dense.fill(Number.NaN);
    const part = cells.parts[i]!;
    cells.groups.forEach((group, k) => (dense[group] = merge === 'sum' ? part[k]! || 0 : part[k]!));
    return dense;
  });
}

/**
 * Computes the drawn values: for every measure in turn, the value of every group from its parts. Fills gaps
 * and applies the table calculations. Overwrites `out` if given.
 */
export function shownValues(
  header: Pick<CellsHeader, 'values' | 'axes' | 'show'>,
  parts: readonly Float64Array[],
  out?: Float64Array,
): Float64Array {
  const groups = parts[0]?.length ?? groupsOf(header.axes);
  const values = out ?? new Float64Array(groups * header.values.length);
  header.values.forEach((value, i) => {
    const own = header.values.length === 1 ? values : values.subarray(i * groups, (i + 1) * groups);
    measureValues(value, parts, own);
    header.axes.forEach((axis, along) => axis.gaps && fillGaps(own, header.axes, along, axis.gaps));
    const show = header.show?.[i];
    if (show) showAs(own, header.axes, show);
  });
  return values;
}

/** Computes a measure for every group from its parts. Overwrites `out` if given. */
export function measureValues(
  value: PartsExpression,
  parts: readonly Float64Array[],
  out: Float64Array = new Float64Array(parts[0]?.length ?? 0),
): Float64Array {
  if (value.kind === 'part') {
    out.set(parts[value.index]!);
    return out;
  }
  const evaluate = evaluator(value);
  let group = 0;
  const part = (index: number) => parts[index]![group]!;
  for (; group < out.length; group++) out[group] = evaluate(part);
  return out;
}
