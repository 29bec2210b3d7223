import { groupsOf, isOfGroups, positionsOf, slotsOf } from '@belvedere/query';
import type { ChannelAxis, ChartTile } from '../chart.ts';
import type { ChartMessages } from '../text/chart-messages.ts';

/**
 * Values that a chart has no mark for: a part of a whole cannot be negative, a logarithmic scale begins above
 * zero.
 */
export interface UndrawnRows {
  readonly count: number;
  readonly why: keyof ChartMessages['undrawnRows'];
}

const isNegative = (value: number) => value < 0;
const isNotAboveZero = (value: number) => value <= 0;

/**
 * Counts the groups that have a value but no mark; undefined where each has its mark.
 *
 * @param values for each measure in turn its value for each group, as in `ChartInput.base`
 */
export function undrawnRows(
  tile: ChartTile,
  axes: readonly ChannelAxis[],
  values: Float64Array,
): UndrawnRows | undefined {
  const groups = groupsOf(axes);
  const measure = (index: number) => values.subarray(index * groups, (index + 1) * groups);
  const count = (
    why: UndrawnRows['why'],
    indices: readonly number[],
    test: (value: number) => boolean,
  ): UndrawnRows | undefined => {
    let left = 0;
    for (let group = 0; group < groups; group++) {
      if (isDrawn(group, axes) && indices.some(index => test(measure(index)[group]!))) left++;
    }
    return left > 0 ? { count: left, why } : undefined;
  };
  switch (tile.kind) {
    case 'pie':
    case 'donut':
    case 'treemap':
    case 'sunburst':
    case 'sankey':
      return count('negative', [0], isNegative);
    default: {
      const indices = logarithmic(tile);
      // Where nothing is above zero there is no logarithm to draw by: the scale is a plain one, and shows
      // all.
      const isLog = indices.filter(index => measure(index).some(value => value > 0));
      return isLog.length > 0 ? count('not above zero', isLog, isNotAboveZero) : undefined;
    }
  }
}

/** Returns which measures of a tile have a logarithmic scale. */
function logarithmic(tile: ChartTile): readonly number[] {
  const isLog = (encoding: unknown) =>
    (encoding as { readonly scale?: { readonly type?: string } } | undefined)?.scale?.type === 'log';
  switch (tile.kind) {
    case 'bar':
      return isLog(tile.y) || isLog(tile.x) ? [0] : [];
    case 'line':
    case 'area':
      return isLog(tile.y) ? [0] : [];
    case 'combo':
      return tile.layers.flatMap((layer, i) =>
        isLog(tile.layers.find(other => other.axis === layer.axis)?.y) ? [i] : [],
      );
    case 'scatter':
      return isOfGroups(tile) ? [tile.x, tile.y].flatMap((encoding, i) => (isLog(encoding) ? [i] : [])) : [];
    default:
      return [];
  }
}

/** Whether a group is inside all axes: neither null nor beyond an end. */
export function isDrawn(group: number, axes: readonly ChannelAxis[]): boolean {
  let rest = group;
  for (const axis of axes.toReversed()) {
    if (rest % slotsOf(axis) >= positionsOf(axis)) return false;
    rest = Math.floor(rest / slotsOf(axis));
  }
  return true;
}
