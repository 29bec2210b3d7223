import type { TimeUnit } from '@belvedere/document';
import type { Gaps } from './fill-gaps.ts';

/** The period that a figure is compared with, in wall-clock milliseconds. */
export interface ComparedPeriod {
  readonly from: number;
  readonly below: number;
  /** The beginning of the data, if it lies within the period and the data covers too little of it to compare. */
  readonly dataFrom?: number;
}

/** A note that the tile displays. */
export type TileNote =
  | { readonly kind: 'not-applied'; readonly field: string }
  | { readonly kind: 'coarser'; readonly field: string; readonly unit: TimeUnit }
  | ({ readonly kind: 'compared' } & ComparedPeriod)
  | { readonly kind: 'nothing-to-compare' }
  /** An offline page's file does not contain the comparison data. */
  | { readonly kind: 'comparison-not-offline' }
  /** A page without a server shows the largest values of all rows, not of those that its filter leaves. */
  | { readonly kind: 'ranked-unfiltered' }
  /** Missing values of a measure along a field are filled. */
  | { readonly kind: 'filled'; readonly field: string; readonly gaps: Gaps }
  /** The source is unavailable. This is its last cached result, from that time (ms since 1970). */
  | { readonly kind: 'last-answer'; readonly at: number }
  /** The figures are of a part of a table: of some of its files, or of their bytes. The rest is being imported. */
  | {
      readonly kind: 'part-of-table';
      readonly unit: 'files' | 'bytes';
      readonly count: number;
      readonly of: number;
    };
