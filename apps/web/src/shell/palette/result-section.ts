import type { RankedItem, RankedSection } from './rank-results.ts';

/** A section of results before they are ranked, each with what it does when it is chosen. */
export type ResultSection = Omit<RankedSection, 'items'> & {
  readonly items: readonly (Omit<RankedItem, 'id'> & { readonly act: () => void })[];
};

/** Px. */
export const iconSize = 15;
