import type { TimeUnit } from '@belvedere/document';
import type { Gaps } from './fill-gaps.ts';

/** A note that the tile displays. */
export type TileNote =
  | { readonly kind: 'not-applied'; readonly field: string }
  | { readonly kind: 'coarser'; readonly field: string; readonly unit: TimeUnit }
  | { readonly kind: 'compared'; readonly from: number; readonly below: number }
  | { readonly kind: 'nothing-to-compare' }
  /** An offline page's file does not contain the comparison data. */
  | { readonly kind: 'comparison-not-offline' }
  /** Missing values of a measure along a field are filled. */
  | { readonly kind: 'filled'; readonly field: string; readonly gaps: Gaps }
  /** The source is unavailable. This is its last cached result, from that time (ms since 1970). */
  | { readonly kind: 'last-answer'; readonly at: number };
