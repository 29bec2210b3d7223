import type { Cells } from '@belvedere/api';
import { sliceIndex, type BrushedArea, type BrushIndex } from '@belvedere/crossfilter';

/** A passive tile's parts under a brush, each for all of its groups. */
export function brushedParts(index: BrushIndex, areas: readonly BrushedArea[]): Float64Array[] {
  const parts = index.parts.map(() => new Float64Array(index.groups));
  sliceIndex(index, areas, parts);
  return parts;
}

/** Parts of all groups as they travel. */
export function cellsOfParts(parts: readonly Float64Array[]): Cells {
  return { groups: Int32Array.from({ length: parts[0]?.length ?? 0 }, (_, group) => group), parts };
}
