import { addUnits, unitsBetween, type CalendarUnit } from './calendar.ts';
import type { Value } from './filter.ts';

/**
 * How the groups along one channel are laid out, settled before any number is asked, so that every answer to a tile, filtered or
 * not, asked or sliced from an index, shares the same groups. A row falls into exactly one *slot*, a small whole number:
 *
 * - categories: slot i is `values[i]` (null may be one of them); everything else is *Other*, the last slot, where `other` is set
 * - bins: slot i is `origin + i·step … origin + (i+1)·step`; then one slot for null, one for what lies outside
 * - times: slot i is the i-th unit from `from` on; then one slot for null, one for what lies outside
 *
 * `format` is what its model shows the field's numbers with.
 */
export type Axis =
  | {
      readonly kind: 'categories';
      readonly field: string;
      readonly values: readonly Value[];
      readonly other: boolean;
      readonly format?: string;
      readonly distinct?: number;
      /** For each value its colour among the series’, -1 for none; in their order where it is not said. */ readonly colours?: readonly number[];
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
 * Doubles cannot hold most decimals: (0 − −0.3) / 0.1 is 2.9999999999999996. A billionth of a step puts such values on the side of
 * their edge where the eye, and the range the bin stands for, have them. The SQL does the same.
 */
export const binTolerance = 1e-9;

/** How many slots an axis has, the special ones included. */
export function slotsOf(axis: Axis): number {
  return axis.kind === 'categories' ? axis.values.length + (axis.other ? 1 : 0) : axis.count + 2;
}

/** How many slots stand on the axis, in their order; special slots come after them. */
export function positionsOf(axis: Axis): number {
  return axis.kind === 'categories' ? slotsOf(axis) : axis.count;
}

/** The groups of several axes together: the last axis varies fastest. */
export function groupsOf(axes: readonly Axis[]): number {
  return axes.reduce((product, axis) => product * slotsOf(axis), 1);
}

export const nullSlot = (axis: Exclude<Axis, { kind: 'categories' }>) => axis.count;
export const outsideSlot = (axis: Exclude<Axis, { kind: 'categories' }>) => axis.count + 1;

/** Where the axis' range begins at `position` (0 … placesOf); times in wall-clock milliseconds. */
export function edgeOf(axis: Exclude<Axis, { kind: 'categories' }>, position: number): number {
  return axis.kind === 'bins'
    ? roundTo(axis.origin + position * axis.step, axis.step)
    : addUnits(axis.unit, axis.from, position);
}

/** Every edge of the axis, ascending, count + 1 of them. Worked out once for an axis: a brush asks with every step. */
export function edgesOf(axis: Exclude<Axis, { kind: 'categories' }>): Float64Array {
  const known = edgesKnown.get(axis);
  if (known) return known;
  const edges = Float64Array.from({ length: axis.count + 1 }, (_, position) => edgeOf(axis, position));
  edgesKnown.set(axis, edges);
  return edges;
}

const edgesKnown = new WeakMap<Axis, Float64Array>();

/** The slot a value falls into: the plain way, which the engine's SQL must agree with. */
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

/** Edges such as 0.30000000000000004 as 0.3: a step's own digits and three more are enough. */
function roundTo(value: number, step: number): number {
  const digits = Math.max(0, Math.min(15, Math.ceil(-Math.log10(step)) + 3));
  return Number(value.toFixed(digits));
}
