import { groupsOf, type Axis } from '@belvedere/query';

/** The bounds of a brush index (SPEC part 9). */
export const indexLimits = { cellsPerPair: 2_000_000, bytesPerPage: 64 * 2 ** 20 } as const;

export interface IndexPair {
  readonly brush: readonly Axis[];
  readonly axes: readonly Axis[];
  readonly merges: readonly ('sum' | 'min' | 'max' | 'ask')[];
}

/**
 * Whether one tile can follow another's brush from an index, and if not, why. This is the only place that decides it.
 * Medians and distinct counts do not add up; two large axes against each other do not fit.
 */
export function canIndex({ brush, axes, merges }: IndexPair): 'yes' | 'nothing-to-brush' | 'does-not-add-up' | 'too-large' {
  if (brush.length === 0 || brush.length > 2) return 'nothing-to-brush';
  if (merges.includes('ask')) return 'does-not-add-up';
  // Smallest and largest values cannot be taken back out of a running total; along one axis they are scanned.
  if (brush.length > 1 && merges.some(merge => merge !== 'sum')) return 'does-not-add-up';
  return cellsOf({ brush, axes, merges }) > indexLimits.cellsPerPair ? 'too-large' : 'yes';
}

export function cellsOf({ brush, axes, merges }: IndexPair): number {
  return groupsOf(brush) * groupsOf(axes) * Math.max(1, merges.length);
}
