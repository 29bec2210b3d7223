import { groupsOf, positionsOf, slotsOf, type Axis } from '@belvedere/query';
import type { ChannelAxis } from './chart.ts';

/**
 * One row of a pivot: its places on the row axes so far; fewer than there are axes: what is below it,
 * together.
 */
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
 * A pivot's numbers: the value of a measure at places on some of its row axes and some of its column axes;
 * NaN for none.
 */
export type PivotValues = (rows: readonly number[], columns: readonly number[], measure: number) => number;

/** One of a pivot's answers: along the first so many of its rows and of its columns. */
export interface PivotPart {
  readonly axes: readonly ChannelAxis[];
  readonly values: Float64Array;
}

/** Finds each value in the answer along its own axes: totals are answers too, never added up. */
export function pivotValues(part: (rows: number, columns: number) => PivotPart | undefined): PivotValues {
  return (rows, columns, measure) => {
    const found = part(rows.length, columns.length);
    if (!found) return Number.NaN;
    const positions = [...rows, ...columns];
    const group = found.axes.reduce((sum, axis, i) => sum * slotsOf(axis) + positions[i]!, 0);
    return found.values[measure * groupsOf(found.axes) + group] ?? Number.NaN;
  };
}

/** Whether something stands in a cell: counts of nothing are left blank. */
export const isThere = (value: number) => !Number.isNaN(value) && value !== 0;

/**
 * The rows of a pivot from the top: branches before what is below them, the total last.
 * @param hasValue whether anything stands in a row; empty ones are left out
 * @param order within each branch, in place of the axes' own order; what has no value comes last
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

/** The innermost columns from left to right, each level's total after what it stands for. */
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
