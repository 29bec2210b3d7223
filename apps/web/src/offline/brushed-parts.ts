import type { Cells } from '@belvedere/api';
import { sliceIndex, type BrushedArea, type BrushIndex } from '@belvedere/crossfilter';

/** Returns each part of a passive tile under a brush, with a value for each group. */
export function brushedParts(index: BrushIndex, areas: readonly BrushedArea[]): Float64Array[] {
  const parts = index.parts.map(() => new Float64Array(index.groups));
  sliceIndex(index, areas, parts);
  return parts;
}

/** Packs parts that have a value for each group into cells of a frame. */
export function cellsOfParts(parts: readonly Float64Array[]): Cells {
  return { groups: Int32Array.from({ length: parts[0]?.length ?? 0 }, (_, group) => group), parts };
}
