import type { Comparison } from '@belvedere/document';

/** How the comparison of one figure follows a brush on one other tile, for a page that cannot ask a server. */
export interface OfflineComparison {
  readonly by: Comparison;
  /** The figure's own period, wall-clock ms; open where an end is missing. */
  readonly period: { readonly from?: number; readonly below?: number };
  /** The brushed field that is the model's time: a brush along it moves what the figure is compared with. */
  readonly time?: string;
  /** A brush index of the earlier figure, a frame in base64. Without one no brush on this tile changes the earlier figure. */
  readonly index?: string;
}
