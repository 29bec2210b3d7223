import type { Cells, Frame, IndexHeader } from '@belvedere/api';
import {
  areasOfEach,
  areasOnAxes,
  buildIndex,
  canIndex,
  positionsMeeting,
  selfAligned,
  sliceIndex,
  sumWithin,
} from '@belvedere/crossfilter';
import { edgeOf, groupsOf, slotsOf, type Axis, type Box } from '@belvedere/query';

/**
 * A passive tile's cells under a brush, from its index.
 * @returns undefined if a box is not on the steps of the index
 */
export function brushedCells(header: IndexHeader, cells: Cells, boxes: readonly Box[]): Cells | undefined {
  const { brush, unbound } = header;
  if (header.isSparse) {
    const areas = areasOfEach(brush, boxes, unbound);
    return areas && sumWithin(header, cells, areas);
  }
  const areas = areasOnAxes(brush, boxes, unbound);
  if (!areas) return undefined;
  const index = buildIndex(header, cells);
  const parts = index.parts.map(() => new Float64Array(index.groups));
  sliceIndex(index, areas, parts);
  return { groups: Int32Array.from({ length: index.groups }, (_, group) => group), parts };
}

/**
 * The frame of an index along a chart's own axes, from one along these and along filters, under the filters.
 * @returns undefined if it cannot be sliced at sixty frames a second; its results come when the gesture ends
 */
export function underBox(frame: Frame, filters: Box, fields: readonly string[]): Frame | undefined {
  const { header, cells } = frame;
  if (header.kind !== 'index' || !cells) return frame;
  const { isSparse: _, ...sparse } = header;
  const areas = areasOfEach(header.brush, [filters], header.unbound);
  const kept = header.brush.filter(axis => fields.includes(axis.field)).length;
  const unbound = header.unbound.filter(field => fields.includes(field));
  const own = { ...sparse, brush: header.brush.slice(0, kept), unbound };
  if (!areas || canIndex(own) !== 'yes') return undefined;
  return { header: own, cells: sumWithin(header, cells, areas, selfAligned(own) ? 0 : kept) };
}

/**
 * A frame whose charts along filtered dates and numbers begin and end with the filters. Results for all values of a
 * filter would draw its period small beside empty ones.
 */
export function withinFilters(frame: Frame, filters: Box): Frame {
  const { header, cells } = frame;
  if ((header.kind !== 'cells' && header.kind !== 'index') || !cells) return frame;
  const ranges = header.axes.map(axis => rangeWithin(axis, filters));
  if (ranges.every(range => range === undefined)) return frame;
  const axes = header.axes.map((axis, i) => {
    const [from, below] = ranges[i] ?? [];
    if (from === undefined || below === undefined || axis.kind === 'categories') return axis;
    if (axis.kind === 'bins') return { ...axis, origin: edgeOf(axis, from), count: below - from };
    const { partial: _, ...whole } = axis;
    return { ...whole, from: edgeOf(axis, from), count: below - from };
  });
  const own = groupsOf(header.axes);
  const kept = groupsOf(axes);
  const moved = Array.from(cells.groups, group => {
    const at = movedGroup(group % own, header.axes, axes, ranges);
    return at === undefined ? -1 : Math.floor(group / own) * kept + at;
  });
  const order = [...moved.keys()].filter(cell => moved[cell]! >= 0);
  return {
    header: { ...header, axes },
    cells: {
      groups: Int32Array.from(order, cell => moved[cell]!),
      parts: cells.parts.map(part => Float64Array.from(order, cell => part[cell]!)),
    },
  };
}

/** The positions of an axis that its filter leaves; undefined if these are all or none. */
function rangeWithin(axis: Axis, filters: Box): readonly [number, number] | undefined {
  const condition = filters[axis.field];
  if (!condition || axis.kind === 'categories') return undefined;
  const [run] = positionsMeeting(axis, condition);
  return run && run[1] - run[0] < axis.count ? run : undefined;
}

/** The number of a group on shorter axes; undefined if it is not on them. */
function movedGroup(
  group: number,
  before: readonly Axis[],
  after: readonly Axis[],
  ranges: readonly (readonly [number, number] | undefined)[],
): number | undefined {
  let rest = group;
  let [moved, stride] = [0, 1];
  for (let i = before.length - 1; i >= 0; i--) {
    const [axis, range] = [before[i]!, ranges[i]];
    const slot = rest % slotsOf(axis);
    rest = Math.floor(rest / slotsOf(axis));
    let at = slot;
    if (range && axis.kind !== 'categories') {
      const [from, below] = range;
      const isPosition = slot < axis.count;
      if (isPosition && (slot < from || slot >= below)) return undefined;
      // The slots of nulls and of values elsewhere are the last two.
      at = isPosition ? slot - from : slot - axis.count + below - from;
    }
    moved += at * stride;
    stride *= slotsOf(after[i]!);
  }
  return moved;
}
