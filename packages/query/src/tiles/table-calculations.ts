import { positionsOf, slotsOf, type Axis } from '../axis.ts';

/** What is drawn in place of a measure's values, worked out from all of them. */
export type ShowAs = 'running total' | 'share of total' | 'difference';

/**
 * Turns the values of all groups into what is to be shown, in place.
 *
 * Along the first axis of time or numbers, else along the first: a running total adds up what came before, a difference takes it away, each
 * within the groups of the other axes; the slots for nothing and for what lies outside stay as they are. A share is of everything the
 * reader's filters leave, Other and what lies off the axis included.
 * @param values one for each group, NaN for nothing, the last axis fastest
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
      let before = as === 'difference' ? Number.NaN : 0;
      for (let position = 0; position < positions; position++) {
        const at = block + position * stride + inner;
        const value = values[at]!;
        if (as === 'difference') {
          values[at] = value - before;
          before = value;
        } else {
          if (!Number.isNaN(value)) before += value;
          values[at] = before;
        }
      }
    }
  }
}
