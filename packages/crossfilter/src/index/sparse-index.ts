import { groupsOf, slotsOf, timeOfEdge, type Axis, type Box, type FieldFilter } from '@belvedere/query';
import { areasOnAxes, flagsOf, type BrushedArea } from '../brush-axis.ts';
import type { IndexPair } from './can-index.ts';

/** The cells of an index that have rows: their groups number the brushed axes first, then the tile's own. */
interface SparseCells {
  readonly groups: Int32Array;
  readonly parts: readonly (Float64Array | Int32Array)[];
}

/**
 * Sums the cells of an index within areas in one pass over the cells. Unlike running totals, their number does not
 * multiply by the slots of each axis, and smallest and largest values add up along any number of axes.
 * @param kept the number of leading brushed axes that the result keeps before the tile's own
 * @returns cells in the order of their groups
 */
export function sumWithin(
  { brush, axes, merges }: IndexPair,
  cells: SparseCells,
  areas: readonly BrushedArea[],
  kept = 0,
): { readonly groups: Int32Array; readonly parts: readonly Float64Array[] } {
  const own = groupsOf(axes);
  const slots = brush.map(slotsOf);
  const inside = areas.map(area => area.map((runs, i) => flagsOf(runs, slots[i]!)));
  const at = new Int32Array(brush.length);
  const found = new Map<number, number>();
  const groups: number[] = [];
  const parts = merges.map((): number[] => []);
  for (const [cell, group] of cells.groups.entries()) {
    let rest = Math.floor(group / own);
    for (let axis = slots.length - 1; axis >= 0; axis--) {
      at[axis] = rest % slots[axis]!;
      rest = Math.floor(rest / slots[axis]!);
    }
    if (!inside.some(area => area.every((flags, axis) => flags[at[axis]!] === 1))) continue;
    let target = 0;
    for (let axis = 0; axis < kept; axis++) target = target * slots[axis]! + at[axis]!;
    target = target * own + (group % own);
    const known = found.get(target);
    if (known === undefined) {
      found.set(target, groups.length);
      groups.push(target);
      merges.forEach((merge, part) => parts[part]!.push(ownValue(merge, cells.parts[part]![cell]!)));
    } else
      merges.forEach((merge, part) => {
        parts[part]![known] = merged(merge, parts[part]![known]!, cells.parts[part]![cell]!);
      });
  }
  const order = [...groups.keys()].toSorted((a, b) => groups[a]! - groups[b]!);
  return {
    groups: Int32Array.from(order, k => groups[k]!),
    parts: parts.map(values => Float64Array.from(order, k => values[k]!)),
  };
}

/** The areas of boxes that may overlap; undefined if one of them is not on the axes' steps. */
export function areasOfEach(
  axes: readonly Axis[],
  boxes: readonly Box[],
  unbound: readonly string[] = [],
): readonly BrushedArea[] | undefined {
  const areas = boxes.map(box => areasOnAxes(axes, [box], unbound));
  return areas.every(one => one !== undefined) ? areas.flat() : undefined;
}

/**
 * The conditions of both boxes.
 * @returns undefined if they have different kinds of conditions on a field
 */
export function meetBoxes(a: Box, b: Box): Box | undefined {
  const both: Record<string, FieldFilter> = { ...a };
  for (const [field, condition] of Object.entries(b)) {
    const met = Object.hasOwn(a, field) ? meet(a[field]!, condition) : condition;
    if (!met) return undefined;
    both[field] = met;
  }
  return both;
}

function meet(a: FieldFilter, b: FieldFilter): FieldFilter | undefined {
  if ('oneOf' in a && 'oneOf' in b) return { oneOf: a.oneOf.filter(value => b.oneOf.includes(value)) };
  const [first, second] = [a, b].map(one => ('from' in one || 'below' in one ? one : undefined));
  const froms = [first?.from, second?.from].filter(edge => edge !== undefined);
  const belows = [first?.below, second?.below].filter(edge => edge !== undefined);
  if (froms.length < 2 || belows.length < 2) return undefined;
  const [from] = froms.toSorted((one, other) => position(other) - position(one));
  const [below] = belows.toSorted((one, other) => position(one) - position(other));
  return { from, below: position(below!) < position(from!) ? from : below } as FieldFilter;
}

function position(edge: string | number): number {
  return typeof edge === 'string' ? timeOfEdge(edge) : edge;
}

/** NaN is a sum over nulls only. It adds 0, and the count of values marks it as null. */
function ownValue(merge: IndexPair['merges'][number], value: number): number {
  return merge === 'sum' ? value || 0 : value;
}

function merged(merge: IndexPair['merges'][number], a: number, b: number): number {
  if (merge === 'none') throw new RangeError('A part that cannot be merged cannot be summed.');
  if (merge === 'sum') return a + (b || 0);
  if (Number.isNaN(a)) return b;
  if (Number.isNaN(b)) return a;
  return merge === 'min' ? Math.min(a, b) : Math.max(a, b);
}
