import type { Comparison } from '@belvedere/document';

/** How a figure's comparison follows a brush on another tile, for an offline page without a server. */
export interface OfflineComparison {
  readonly by: Comparison;
  /** The figure's own period, in wall-clock milliseconds; a missing end is open. */
  readonly period: { readonly from?: number; readonly below?: number };
  /** First day of the data, in wall-clock milliseconds. */
  readonly dataStart?: number;
  /** End of the data, exclusive, in wall-clock milliseconds. */
  readonly dataEnd?: number;
  /** The brushed field, if it is the model's time: a brush along it moves the comparison period. */
  readonly time?: string;
  /**
   * A brush index of the comparison figure, as a frame in base64. Without it, brushes on this tile do not
   * change the comparison figure.
   */
  readonly index?: string;
}
