import type { AlertChange } from '../state/alert-states.ts';

/** When an alert began to fire, and when it ended; it still fires without `to`. Times are ms since 1970. */
export interface FiringSpan {
  readonly from: number;
  readonly to?: number;
}

/**
 * Returns the times in which at least one group fired, the oldest first. A firing whose begin is not among the
 * changes is left out.
 *
 * @param changes the newest first, as they are recorded
 */
export function firingSpans(
  changes: readonly Pick<AlertChange, 'group' | 'at' | 'from' | 'to'>[],
): readonly FiringSpan[] {
  const spans: FiringSpan[] = [];
  const firing = new Set<string>();
  let from = 0;
  for (const change of changes.toReversed()) {
    if (change.to === 'firing') {
      if (firing.size === 0) from = change.at;
      firing.add(change.group);
    } else if (firing.delete(change.group) && firing.size === 0) spans.push({ from, to: change.at });
  }
  return firing.size > 0 ? [...spans, { from }] : spans;
}
