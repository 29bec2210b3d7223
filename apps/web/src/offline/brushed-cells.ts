import type { Cells, Frame, IndexHeader } from '@belvedere/api';
import {
  areasOfEach,
  areasOnAxes,
  buildIndex,
  canIndex,
  selfAligned,
  sliceIndex,
  sumWithin,
} from '@belvedere/crossfilter';
import type { Box } from '@belvedere/query';

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
