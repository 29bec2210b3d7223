import { positionsOf, slotsOf, type Axis } from '../axis.ts';

/** A table calculation: draws a value derived from all of a measure's values instead of the value itself. */
export type ShowAs = 'running total' | 'share of total' | 'difference' | 'percent change';

/** Whether a calculation gives parts of one, which are written in percent. */
export function isRatio(show: ShowAs | null | undefined): boolean {
  return show === 'share of total' || show === 'percent change';
}

/** Whether a calculation compares neighbours, so that it suits measures whose groups do not add up, too. */
export function isChange(show: ShowAs | null | undefined): boolean {
  return show === 'difference' || show === 'percent change';
}

/**
 * Applies a table calculation to the values of all groups, in place.
 *
 * It runs along the first axis of time or numbers, else along the first axis, separately for each group of
 * the other axes. A running total adds all values so far; a difference subtracts the previous value. A
 * percent change divides that by the size of the previous value, and is null after 0. The slots for null and
 * for values off the axis are unchanged. A share is relative to all rows that pass the filters, including
 * Other and values off the axis.
 * @param values one per group, NaN for null, last axis fastest
 */
export function showAs(values: Float64Array, axes: readonly Axis[], as: ShowAs): void {
  if (as === 'share of total') {
    let total = 0;
    for (const value of values) if (!Number.isNaN(value)) total += value;
    for (let i = 0; i < values.length; i++) values[i] = total === 0 ? Number.NaN : values[i]! / total;
    return;
  }
  const along = Math.max(
    0,
    axes.findIndex(axis => axis.kind !== 'categories'),
  );
  const axis = axes[along];
  if (!axis) return;
  const stride = axes.slice(along + 1).reduce((product, inner) => product * slotsOf(inner), 1);
  const span = slotsOf(axis) * stride;
  const positions = positionsOf(axis);
  for (let block = 0; block < values.length; block += span) {
    for (let inner = 0; inner < stride; inner++) {
      let before = isChange(as) ? Number.NaN : 0;
      for (let position = 0; position < positions; position++) {
        const at = block + position * stride + inner;
        const value = values[at]!;
        if (isChange(as)) {
          const change = value - before;
          values[at] = as === 'difference' ? change : before === 0 ? Number.NaN : change / Math.abs(before);
          before = value;
        } else {
          if (!Number.isNaN(value)) before += value;
          values[at] = before;
        }
      }
    }
  }
}
