import type { AlertFile } from '@belvedere/document';
import type { AlertChange } from '../state/messages/alert-states.ts';

/** When an alert began to fire, and when it ended; it still fires without `to`. Times are ms since 1970. */
export interface FiringSpan {
  readonly from: number;
  readonly to?: number;
}

interface FiringOptions {
  /** What the alert watches now (`watchKey`): what fired while it watched something else is left out. */
  readonly watch?: string;
  /** When a firing that has not ended was seen last, if it is not watched any more. */
  readonly seenAt?: number | undefined;
}

/** Returns the tile or measure that an alert watches, as it is recorded with its changes. */
export function watchKey({ watch }: AlertFile): string {
  return JSON.stringify('dashboard' in watch ? [watch.dashboard, watch.tile] : [watch.model, watch.measure]);
}

/**
 * Returns the times in which at least one group fired, the oldest first. A firing whose begin is not among the
 * changes is left out.
 *
 * @param changes the newest first, as they are recorded
 */
export function firingSpans(
  changes: readonly Pick<AlertChange, 'group' | 'at' | 'from' | 'to' | 'watch'>[],
  { watch, seenAt }: FiringOptions = {},
): readonly FiringSpan[] {
  const spans: FiringSpan[] = [];
  const firing = new Set<string>();
  let from = 0;
  let isOfThis = true;
  const add = (span: FiringSpan) => void (isOfThis && spans.push(span));
  for (const change of changes.toReversed()) {
    if (change.to === 'firing') {
      if (firing.size === 0) {
        from = change.at;
        isOfThis = watch === undefined || change.watch === undefined || change.watch === watch;
      }
      firing.add(change.group);
    } else if (firing.delete(change.group) && firing.size === 0) add({ from, to: change.at });
  }
  if (firing.size > 0) add(seenAt === undefined ? { from } : { from, to: Math.max(from, seenAt) });
  return spans;
}
