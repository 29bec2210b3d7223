import { groupsOf, slotsOf, type Axis } from '@belvedere/query';
import { coarserAxis } from '../brush-axis.ts';

/** A chart's own two axes, in panels of two fields. */
const maxAxes = 4;

/** The bounds of a brush index (SPEC part 9). */
export const indexLimits = { cellsPerPair: 2_000_000, bytesPerPage: 64 * 2 ** 20 } as const;

export interface IndexPair {
  readonly brush: readonly Axis[];
  /** Brushed fields that do not bind the passive tile. */
  readonly unbound?: readonly string[];
  /** Whether the index has fewer steps than the brush snaps to. */
  readonly isCoarse?: boolean;
  readonly axes: readonly Axis[];
  readonly merges: readonly ('sum' | 'min' | 'max' | 'none')[];
}

/**
 * Whether a tile can follow another tile's brush from an index, and if not, why. Only this function decides
 * that. Medians and distinct counts do not add up. Two large axes crossed with each other do not fit.
 */
export function canIndex({
  brush,
  axes,
  merges,
}: IndexPair): 'yes' | 'nothing-to-brush' | 'does-not-add-up' | 'too-large' {
  if (brush.length === 0 || brush.length > maxAxes) return 'nothing-to-brush';
  // The brush includes or excludes each group as a whole, so even a median is unchanged.
  if (selfAligned({ brush, axes }))
    return cellsOf({ brush: [], axes, merges }) > indexLimits.cellsPerPair ? 'too-large' : 'yes';
  if (merges.includes('none')) return 'does-not-add-up';
  // A running total cannot subtract smallest and largest values; on one axis they are scanned instead.
  if (brush.length > 1 && merges.some(merge => merge !== 'sum')) return 'does-not-add-up';
  return cellsOf({ brush, axes, merges }) > indexLimits.cellsPerPair ? 'too-large' : 'yes';
}

/**
 * Chooses the steps in which a tile follows another's brush: the brush's own steps if their index fits.
 * Otherwise it takes the largest number of steps of the tile's own axes that fits (SPEC part 9: “past them
 * coarser bins”). The result is then approximate until the gesture ends.
 * @param own the active tile's axes as drawn
 */
export function fittingBrush<A extends Axis>(
  pair: IndexPair & { readonly brush: readonly A[] },
  own: readonly A[],
): readonly A[] | undefined {
  let brush = pair.brush;
  let next: readonly A[] | undefined = own;
  for (;;) {
    const can = canIndex({ ...pair, brush });
    if (can !== 'too-large') return can === 'yes' ? brush : undefined;
    if (!next) return undefined;
    brush = next;
    next = withFewerSteps(brush);
  }
}

/** Reduces the steps of the axis that has most of them and can have fewer. */
function withFewerSteps<A extends Axis>(brush: readonly A[]): readonly A[] | undefined {
  const [widest] = brush
    .map((axis, i) => ({ i, axis, coarser: coarserAxis(axis) }))
    .filter(({ coarser }) => coarser !== undefined)
    .toSorted((a, b) => slotsOf(b.axis) - slotsOf(a.axis));
  return widest && brush.with(widest.i, { ...widest.axis, ...widest.coarser });
}

/** The brushed axis, when it is one of the passive tile's own axes. */
export interface SelfAligned {
  readonly slots: number;
  /** The number of groups between one slot and the next. */
  readonly stride: number;
}

/**
 * Finds the passive tile's axis that equals the single brushed axis. Each row has the same position on both,
 * so there is nothing to cross.
 */
export function selfAligned({ brush, axes }: Pick<IndexPair, 'brush' | 'axes'>): SelfAligned | undefined {
  const [brushed] = brush;
  const at = brush.length === 1 ? axes.findIndex(axis => isAlike(axis, brushed!)) : -1;
  return at < 0 ? undefined : { slots: slotsOf(brushed!), stride: groupsOf(axes.slice(at + 1)) };
}

function isAlike(a: Axis, b: Axis): boolean {
  if (a.field !== b.field) return false;
  if (a.kind === 'times' && b.kind === 'times')
    return a.unit === b.unit && a.from === b.from && a.count === b.count;
  if (a.kind === 'bins' && b.kind === 'bins')
    return a.origin === b.origin && a.step === b.step && a.count === b.count;
  return (
    a.kind === 'categories' &&
    b.kind === 'categories' &&
    a.other === b.other &&
    a.values.length === b.values.length &&
    a.values.every((value, i) => Object.is(value, b.values[i]))
  );
}

export function cellsOf({ brush, axes, merges }: IndexPair): number {
  return groupsOf(brush) * groupsOf(axes) * Math.max(1, merges.length);
}
