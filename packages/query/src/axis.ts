import { addUnits, unitsBetween, type CalendarUnit } from './calendar.ts';
import type { Value } from './filter.ts';

/**
 * The layout of the groups along one channel, fixed before any query runs. Every result of a tile shares the
 * same groups: filtered or not, queried or sliced from an index. Each row falls into exactly one *slot*, a
 * small integer:
 *
 * - categories: slot i is `values[i]` (null may be among them); all other values are *Other*, the last slot,
 *   if `other` is set
 * - bins: slot i is `origin + i·step … origin + (i+1)·step`; then one slot for null and one for values off
 *   the axis
 * - times: slot i is the i-th unit from `from` on; then one slot for null and one for values off the axis
 *
 * `format` is the model's number format of the field.
 */
export type Axis =
  | {
      readonly kind: 'categories';
      readonly field: string;
      readonly values: readonly Value[];
      readonly other: boolean;
      readonly format?: string;
      readonly distinct?: number;
      /**
       * For each value, its colour's index among the series, -1 for none. Undefined: in the values' order.
       */
      readonly colours?: readonly number[];
    }
  | {
      readonly kind: 'bins';
      readonly field: string;
      readonly origin: number;
      readonly step: number;
      readonly count: number;
      readonly format?: string;
    }
  | {
      readonly kind: 'times';
      readonly field: string;
      readonly unit: CalendarUnit;
      readonly from: number;
      readonly count: number;
      /** Ends whose unit has data for only a part of it. */
      readonly partial?: PartialEnds;
    };

/** The ends of a time axis whose unit has data for only a part of it. */
export interface PartialEnds {
  readonly first?: true;
  readonly last?: true;
}

/**
 * Doubles cannot represent most decimals: (0 − −0.3) / 0.1 is 2.9999999999999996. A billionth of a step moves
 * such values to the side of the edge that a viewer and the bin's range expect. The SQL does the same.
 */
export const binTolerance = 1e-9;

/** The number of slots of an axis, special slots included. */
export function slotsOf(axis: Axis): number {
  return axis.kind === 'categories' ? axis.values.length + (axis.other ? 1 : 0) : axis.count + 2;
}

/** The number of slots with a position on the axis, in order. Special slots follow them. */
export function positionsOf(axis: Axis): number {
  return axis.kind === 'categories' ? slotsOf(axis) : axis.count;
}

/** The number of groups of several axes combined; the last axis varies fastest. */
export function groupsOf(axes: readonly Axis[]): number {
  return axes.reduce((product, axis) => product * slotsOf(axis), 1);
}

export const nullSlot = (axis: Exclude<Axis, { kind: 'categories' }>) => axis.count;
export const outsideSlot = (axis: Exclude<Axis, { kind: 'categories' }>) => axis.count + 1;

/** Returns the edge where `position` begins (0 … positionsOf); times in wall-clock milliseconds. */
export function edgeOf(axis: Exclude<Axis, { kind: 'categories' }>, position: number): number {
  return axis.kind === 'bins'
    ? roundTo(axis.origin + position * axis.step, axis.step)
    : addUnits(axis.unit, axis.from, position);
}

/**
 * Returns all count + 1 edges of the axis, ascending. Cached per axis, because a brush reads them with every
 * step.
 */
export function edgesOf(axis: Exclude<Axis, { kind: 'categories' }>): Float64Array {
  const known = edgesKnown.get(axis);
  if (known) return known;
  const edges = Float64Array.from({ length: axis.count + 1 }, (_, position) => edgeOf(axis, position));
  edgesKnown.set(axis, edges);
  return edges;
}

const edgesKnown = new WeakMap<Axis, Float64Array>();

/** Returns the slot of a value. This is the reference implementation; the engine's SQL must agree with it. */
export function slotOf(axis: Axis, value: Value): number {
  if (axis.kind === 'categories') {
    const position = axis.values.indexOf(value);
    return position >= 0 ? position : axis.values.length;
  }
  if (value === null || typeof value !== 'number' || Number.isNaN(value)) return nullSlot(axis);
  if (value < edgeOf(axis, 0) || value >= edgeOf(axis, axis.count)) return outsideSlot(axis);
  const position =
    axis.kind === 'bins'
      ? Math.floor((value - axis.origin) / axis.step + binTolerance)
      : unitsBetween(axis.unit, axis.from, value);
  return Math.min(axis.count - 1, position);
}

/** Rounds edges such as 0.30000000000000004 to 0.3: the step's own digits plus three are enough. */
function roundTo(value: number, step: number): number {
  const digits = Math.max(0, Math.min(15, Math.ceil(-Math.log10(step)) + 3));
  return Number(value.toFixed(digits));
}
