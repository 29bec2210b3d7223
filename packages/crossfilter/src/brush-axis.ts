import type { DataType } from '@belvedere/model';
import {
  coarserUnit,
  edgeOf,
  formatCalendarTime,
  parseCalendarTime,
  slotsOf,
  startOf,
  timeUnitOf,
  unitsBetween,
  type Axis,
  type Box,
  type FieldFilter,
} from '@belvedere/query';

/** A brush never needs more steps than a tile has pixels. */
const maxSteps = 512;

/**
 * Returns the steps that a brush on this axis snaps to. They are finer than the axis' bars where the numbers
 * stay round, with a whole number of steps per bar. The index has the same steps, so its results are exact.
 */
export function brushAxis(axis: Axis, type: DataType): Axis {
  if (axis.kind === 'categories') return axis;
  if (axis.kind === 'bins') {
    const factors = [100, 50, 20, 10, 5, 4, 2];
    const factor =
      factors.find(by => axis.count * by <= maxSteps && isRound(axis.step / by, type === 'integer')) ?? 1;
    return { ...axis, step: axis.step / factor, count: axis.count * factor };
  }
  const unit =
    type === 'date' && (axis.unit === 'day' || axis.unit === 'hour')
      ? axis.unit
      : finer[timeUnitOf(axis.unit)];
  const count = unitsBetween(unit, axis.from, edgeOf(axis, axis.count));
  return count <= maxSteps ? { ...axis, unit, count } : axis;
}

/**
 * Returns the axis with fewer steps that cover at least the same range; undefined when there are no fewer.
 */
export function coarserAxis(axis: Axis): Axis | undefined {
  if (axis.kind === 'categories' || axis.count < 2) return undefined;
  if (axis.kind === 'bins') return { ...axis, step: axis.step * 2, count: Math.ceil(axis.count / 2) };
  const own = timeUnitOf(axis.unit);
  const next = coarserUnit(own);
  if (!next) return undefined;
  const unit = (
    axis.unit === own || !next.startsWith('fiscal') ? next : axis.unit.replace(own, next)
  ) as typeof axis.unit;
  const from = startOf(unit, axis.from);
  return { ...axis, unit, from, count: unitsBetween(unit, from, edgeOf(axis, axis.count) - 1) + 1 };
}

const finer = {
  year: 'month',
  fiscalYear: 'month',
  quarter: 'month',
  fiscalQuarter: 'month',
  month: 'day',
  week: 'day',
  day: 'hour',
  hour: 'minute',
  minute: 'minute',
} as const;

/** Runs of slots, `[from, below)`, ascending and disjoint. */
export type SlotRuns = readonly (readonly [number, number])[];

/**
 * Converts a condition to slots of a brush axis. Undefined when it is not on the axis' steps: only the engine
 * can evaluate it then.
 */
export function slotRuns(axis: Axis, condition: FieldFilter): SlotRuns | undefined {
  if ('oneOf' in condition) {
    if (axis.kind !== 'categories') return undefined;
    const slots = condition.oneOf.map(value => axis.values.indexOf(value));
    return slots.includes(-1) ? undefined : runsOf(slots);
  }
  if (axis.kind === 'categories' || !('from' in condition || 'below' in condition)) return undefined;
  if (condition.from === undefined || condition.below === undefined) return undefined;
  const from = placeOfEdge(axis, condition.from);
  const below = placeOfEdge(axis, condition.below);
  return from === undefined || below === undefined ? undefined : [[from, Math.max(from, below)]];
}

/**
 * Returns which of the axis' edges a bound is; undefined when it is none. Computed instead of searched,
 * because it runs for every tile in every frame.
 */
function placeOfEdge(
  axis: Exclude<Axis, { kind: 'categories' }>,
  bound: string | number,
): number | undefined {
  const value = typeof bound === 'string' ? parseCalendarTime(bound) : bound;
  const position =
    axis.kind === 'bins'
      ? Math.round((value - axis.origin) / axis.step)
      : unitsBetween(axis.unit, axis.from, value);
  return position >= 0 && position <= axis.count && edgeOf(axis, position) === value ? position : undefined;
}

/** The condition that selects a run of positions on an axis. */
export function conditionFor(axis: Axis, from: number, below: number): FieldFilter {
  if (axis.kind === 'categories')
    return { oneOf: axis.values.slice(from, below) as (string | number | boolean | null)[] };
  if (axis.kind === 'bins') return { from: edgeOf(axis, from), below: edgeOf(axis, below) };
  return { from: formatCalendarTime(edgeOf(axis, from)), below: formatCalendarTime(edgeOf(axis, below)) };
}

/** A brushed area: the slot runs of each axis. On several axes it is a box. */
export type BrushedArea = readonly SlotRuns[];

/**
 * Converts boxes to disjoint areas on the brush axes. Undefined when a box is not on the axes' steps, or when
 * boxes overlap.
 * @param unbound fields whose conditions do not matter
 */
export function areasOnAxes(
  axes: readonly Axis[],
  boxes: readonly Box[],
  unbound: readonly string[] = [],
): readonly BrushedArea[] | undefined {
  const areas: SlotRuns[][] = [];
  for (const box of boxes) {
    for (const field in box)
      if (!unbound.includes(field) && !axes.some(axis => axis.field === field)) return undefined;
    const area: SlotRuns[] = [];
    for (const axis of axes) {
      const runs = box[axis.field] ? slotRuns(axis, box[axis.field]!) : ([[0, slotsOf(axis)]] as const);
      if (!runs) return undefined;
      area.push(runs);
    }
    areas.push(area);
  }
  if (areas.length === 1) return areas;
  if (axes.length === 1) return [[unionOfRuns(areas.flatMap(([runs]) => runs!))]];
  // Boxes that differ only in unbound fields are the same area.
  const different = areas.filter(
    (area, i) => !areas.slice(0, i).some(other => JSON.stringify(other) === JSON.stringify(area)),
  );
  const isApart = different.every((area, i) =>
    different.slice(i + 1).every(other => area.some((runs, axis) => !doMeet(runs, other[axis]!))),
  );
  return isApart ? different : undefined;
}

/** Like `areasOnAxes`, but snaps every range to the nearest steps, with a minimum length of one step. */
export function areasNear(
  axes: readonly Axis[],
  boxes: readonly Box[],
  unbound: readonly string[] = [],
): readonly BrushedArea[] | undefined {
  const snapped = boxes.map(box =>
    Object.fromEntries(
      Object.entries(box).map(([field, condition]) => {
        const axis = axes.find(one => one.field === field);
        return [field, axis && axis.kind !== 'categories' ? onSteps(axis, condition) : condition];
      }),
    ),
  );
  return areasOnAxes(axes, snapped, unbound);
}

function onSteps(axis: Exclude<Axis, { kind: 'categories' }>, condition: FieldFilter): FieldFilter {
  if (
    !('from' in condition || 'below' in condition) ||
    condition.from === undefined ||
    condition.below === undefined
  )
    return condition;
  const [from, below] = [condition.from, condition.below].map(bound =>
    nearestEdge(axis, typeof bound === 'string' ? parseCalendarTime(bound) : bound),
  ) as [number, number];
  const first = Math.min(from, axis.count - 1);
  return conditionFor(axis, first, Math.max(below, first + 1));
}

function nearestEdge(axis: Exclude<Axis, { kind: 'categories' }>, value: number): number {
  const position = Math.max(
    0,
    Math.min(
      axis.count,
      axis.kind === 'bins'
        ? Math.floor((value - axis.origin) / axis.step)
        : unitsBetween(axis.unit, axis.from, value),
    ),
  );
  return position < axis.count && value - edgeOf(axis, position) > edgeOf(axis, position + 1) - value
    ? position + 1
    : position;
}

function doMeet(a: SlotRuns, b: SlotRuns): boolean {
  return a.some(([from, below]) => b.some(([left, right]) => from < right && left < below));
}

export function runsOf(slots: readonly number[]): SlotRuns {
  return unionOfRuns(slots.map(slot => [slot, slot + 1] as const));
}

export function unionOfRuns(runs: SlotRuns): SlotRuns {
  const joined: [number, number][] = [];
  for (const [from, below] of runs.toSorted((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], below);
    else if (below > from) joined.push([from, below]);
  }
  return joined;
}

/** One flag for each position, 1 within the runs. */
export function flagsOf(runs: SlotRuns, positions: number): Uint8Array {
  const flags = new Uint8Array(positions);
  for (const [from, below] of runs) flags.fill(1, from, below);
  return flags;
}

function isRound(step: number, isInteger: boolean): boolean {
  if (isInteger) return Number.isInteger(step);
  return Math.abs(step * 1e6 - Math.round(step * 1e6)) < 1e-6 || step < 1e-4;
}
