import type { DataType } from '@belvedere/model';
import {
  addUnits,
  positionsOf,
  slotsOf,
  startOf,
  type Axis,
  type CalendarUnit,
  type Value,
} from '@belvedere/query';
import { codeCount, singleValues, slotsOfCodes } from '../encoded-column.ts';
import type { PackedBits } from '../encoded-table.ts';
import type { CubeAxis } from '../kernel/scan.ts';
import type { Lookups } from './lookups.ts';
import type { Group } from './plan-shape.ts';

/** A group as an axis of a cube. */
export interface SettledGroup {
  /** May have one more slot than the query needs, for values outside of the filter or the axis. */
  readonly axis: CubeAxis;
  readonly shown: number;
  readonly type: DataType;
  /** The value of each slot, if the group has values instead of an axis. */
  readonly values?: readonly Value[];
}

/** Returns undefined if the field's codes cannot tell the group's values apart. */
export function settleGroup(
  { axis, unit }: Group,
  field: PackedBits | undefined,
  lookups: Lookups,
): SettledGroup | undefined {
  if (!field) return undefined;
  if (axis) {
    const slots = lookups.once(`slots ${field.key} ${axisKey(axis)}`, () => slotsOfCodes(field, axis));
    const shown = slotsOf(axis);
    return (
      slots && {
        type: field.type,
        shown,
        axis: { bitField: field.bitField, slots, count: slots.includes(shown) ? shown + 1 : shown },
      }
    );
  }
  if (unit) return settleUnit(field, unit);
  const all = singleValues(field);
  if (!all) return undefined;
  // Several codes may map to one value if the field derives from another.
  const bitFields = new Map([...new Set(all)].map((value, bitField) => [value, bitField]));
  return {
    type: field.type,
    shown: bitFields.size,
    axis: {
      bitField: field.bitField,
      slots: lookups.once(`codes ${field.key}`, () => Int32Array.from(all, value => bitFields.get(value)!)),
      count: bitFields.size,
    },
    values: [...bitFields.keys()],
  };
}

/** Groups codes by their unit of time. Undefined if the codes are coarser than the unit. */
function settleUnit(field: PackedBits, unit: CalendarUnit): SettledGroup | undefined {
  const { codes } = field;
  if (codes.kind !== 'times') return undefined;
  const starts = slotsOfCodes(field, {
    kind: 'times',
    field: '',
    unit,
    from: startOf(unit, codes.from),
    count: codeCount(codes),
  });
  if (!starts) return undefined;
  const axis: Axis = {
    kind: 'times',
    field: '',
    unit,
    from: startOf(unit, codes.from),
    count: starts.slice(0, codes.count).reduce((max, slot) => Math.max(max, slot), 0) + 1,
  };
  const values = Array.from({ length: positionsOf(axis) }, (_, bitField): Value =>
    addUnits(unit, axis.from, bitField),
  );
  return {
    type: 'time',
    shown: slotsOf(axis),
    axis: { bitField: field.bitField, slots: slotsOfCodes(field, axis)!, count: slotsOf(axis) },
    values: [...values, null],
  };
}

/** Returns equal text for axes that map equal codes to equal slots, whatever the dimension's name. */
function axisKey({ field: _, ...axis }: Axis): string {
  return JSON.stringify(axis);
}

export interface Run {
  readonly axis: CubeAxis;
  readonly shown: number;
  /** The stride of this axis in the query's group numbering, in which the last axis varies fastest. */
  readonly stride: number;
}

/**
 * The distinct axes of the groups. If two axes are the same (a time series by day, brushed by day), only the
 * diagonal has rows. Such an axis is counted once and its stride covers both.
 */
export function runs(groups: readonly SettledGroup[]): Run[] {
  const found: Run[] = [];
  groups.forEach(({ axis, shown }, g) => {
    const stride = groups.slice(g + 1).reduce((product, other) => product * other.shown, 1);
    const same = found.findIndex(
      other =>
        other.axis.slots === axis.slots && other.axis.bitField === axis.bitField && other.shown === shown,
    );
    if (same < 0) found.push({ axis, shown, stride });
    else found[same] = { ...found[same]!, stride: found[same]!.stride + stride };
  });
  return found;
}
