import {
  edgesOf,
  parseCalendarTime,
  positionsOf,
  type Axis,
  type Box,
  type FieldFilter,
} from '@belvedere/query';
import { flagsOf, runsOf, unionOfRuns, type SlotRuns } from './brush-axis.ts';

/** The positions of an axis that the condition meets at least in part. */
export function positionsMeeting(axis: Axis, condition: FieldFilter | undefined): SlotRuns {
  if (!condition) return [[0, positionsOf(axis)]];
  if (axis.kind === 'categories')
    return 'oneOf' in condition
      ? runsOf(axis.values.flatMap((value, position) => (condition.oneOf.includes(value) ? [position] : [])))
      : [];
  if (!('from' in condition || 'below' in condition)) return [];
  const bound = (value: string | number | undefined, open: number) =>
    value === undefined ? open : typeof value === 'number' ? value : parseCalendarTime(value);
  const edges = edgesOf(axis);
  // Binary search: 30 years of days have 11,000 positions, and a brush runs this in every frame.
  const from = Math.max(0, firstPast(edges, bound(condition.from, -Infinity)) - 1);
  const below = Math.min(axis.count, firstPast(edges, bound(condition.below, Infinity), true));
  return from < below ? [[from, below]] : [];
}

/** Whether a mark is selected, by its positions on up to three axes. */
export interface SelectedSlots {
  /**
   * -1 marks an axis on which the mark has no position, such as a branch of a tree. Undefined marks an axis
   * that the chart lacks.
   */
  (first: number, second?: number, third?: number): boolean;
  /** The selected positions, when the chart has only one axis. */
  readonly runs?: SlotRuns;
}

/** Tests which marks are inside any of the boxes; undefined without boxes. */
export function selectedSlots(
  axes: readonly (Axis | undefined)[],
  boxes: readonly Box[],
): SelectedSlots | undefined {
  if (boxes.length === 0) return undefined;
  const meeting = boxes.map(box => axes.map(axis => axis && positionsMeeting(axis, box[axis.field])));
  const [along, ...others] = axes;
  if (along && !others.some(axis => axis)) {
    const runs = unionOfRuns(meeting.flatMap(([first]) => first!));
    const flags = flagsOf(runs, positionsOf(along));
    return Object.assign((first: number) => first < 0 || flags[first] === 1, { runs });
  }
  const tests = meeting.map(box => box.map((runs, i) => runs && flagsOf(runs, positionsOf(axes[i]!))));
  const meets = (test: Uint8Array | undefined, position: number) =>
    position < 0 || !test || test[position] === 1;
  return (first, second = -1, third = -1) =>
    tests.some(test => meets(test[0], first) && meets(test[1], second) && meets(test[2], third));
}

/**
 * The index of the first ascending number greater than `value` (or equal, with `orEqual`); their count if
 * there is none.
 */
function firstPast(numbers: Float64Array, value: number, orEqual = false): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! > value || (orEqual && numbers[middle] === value)) high = middle;
    else low = middle + 1;
  }
  return low;
}
