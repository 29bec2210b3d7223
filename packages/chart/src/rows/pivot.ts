import { groupsOf, positionsOf, slotsOf, type Axis } from '@belvedere/query';
import type { ChannelAxis } from '../chart.ts';

/** A row of a pivot: its positions on the row axes so far. With fewer positions than axes it is a total. */
export interface PivotLine {
  readonly key: string;
  readonly positions: readonly number[];
  readonly isClosed: boolean;
  /** All rows together. */
  readonly isTotal: boolean;
}

export interface PivotColumn {
  readonly key: string;
  /** Places on the column axes; fewer than there are: a total. */
  readonly positions: readonly number[];
}

/**
 * The numbers of a pivot: a measure's value at positions on some of its row and column axes; NaN if missing.
 */
export type PivotValues = (rows: readonly number[], columns: readonly number[], measure: number) => number;

/** One of a pivot's results, grouped by the first so many of its rows and columns. */
export interface PivotPart {
  readonly axes: readonly ChannelAxis[];
  readonly values: Float64Array;
}

/** Finds each value in the result of its own axes. Totals are queried, never added up. */
export function pivotValues(part: (rows: number, columns: number) => PivotPart | undefined): PivotValues {
  return (rows, columns, measure) => {
    const found = part(rows.length, columns.length);
    if (!found) return Number.NaN;
    const positions = [...rows, ...columns];
    const group = found.axes.reduce((sum, axis, i) => sum * slotsOf(axis) + positions[i]!, 0);
    return found.values[measure * groupsOf(found.axes) + group] ?? Number.NaN;
  };
}

/** Whether a cell has a value. Counts of zero are left blank. */
export const isThere = (value: number) => !Number.isNaN(value) && value !== 0;

/**
 * The rows of a pivot from the top: branches before their children, the total last.
 * @param hasValue whether a row has a value; others are left out
 * @param order within each branch, in place of the axes' order; rows without a value are last
 */
export function pivotLines(
  axes: readonly Axis[],
  closed: ReadonlySet<string>,
  hasValue: (positions: readonly number[]) => boolean,
  order?: { readonly valueOf: (positions: readonly number[]) => number; readonly isDescending: boolean },
): PivotLine[] {
  const build = (positions: readonly number[]): PivotLine[] => {
    const axis = axes[positions.length];
    if (!axis) return [];
    const children = Array.from({ length: positionsOf(axis) }, (_, position) => [
      ...positions,
      position,
    ]).filter(hasValue);
    if (order) children.sort((a, b) => compare(order.valueOf(a), order.valueOf(b), order.isDescending));
    return children.flatMap(child => {
      const key = child.join('.');
      const isClosed = closed.has(key);
      return [{ key, positions: child, isClosed, isTotal: false }, ...(isClosed ? [] : build(child))];
    });
  };
  return [...build([]), { key: 'total', positions: [], isClosed: false, isTotal: true }];
}

/** The innermost columns from left to right, each level's total after its columns. */
export function pivotColumns(axes: readonly Axis[]): PivotColumn[] {
  const build = (positions: readonly number[]): PivotColumn[] => {
    const axis = axes[positions.length];
    const own = { key: positions.join('.') || 'all', positions };
    return axis
      ? [
          ...Array.from({ length: positionsOf(axis) }, (_, position) =>
            build([...positions, position]),
          ).flat(),
          own,
        ]
      : [own];
  };
  return build([]);
}

function compare(a: number, b: number, isDescending: boolean): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return isDescending ? b - a : a - b;
}
