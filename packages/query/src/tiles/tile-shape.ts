import type { Comparison, FieldEncoding } from '@belvedere/document';
import type { Model } from '@belvedere/model';
import type { AxisRequest } from './axis-request.ts';
import type { ShowAs } from './table-calculations.ts';
import type { Channel } from './tile-encodings.ts';

/** The data a tile needs: totals along axes, the table's own rows, grouped rows, or nothing. */
export type TileShape =
  | {
      readonly kind: 'cells';
      readonly axes: readonly AxisRequest[];
      readonly measures: readonly string[];
      /** The table calculation of each measure. */
      readonly show?: readonly (ShowAs | null)[];
      readonly compare?: Comparison;
      /**
       * The number of axes that are rows and columns of a pivot. Each prefix of them is queried too, for the
       * totals.
       */
      readonly pivot?: { readonly rows: number; readonly columns: number };
    }
  | { readonly kind: 'rows'; readonly dimensions: readonly string[] }
  /**
   * The model's rows grouped by `dimensions`. `sparklines` are the measures that also run along the model's
   * time.
   */
  | {
      readonly kind: 'groups';
      readonly dimensions: readonly string[];
      readonly measures: readonly string[];
      readonly sparklines: readonly string[];
    }
  | { readonly kind: 'nothing' };

/** The parts of which each kind of tile makes its shape. */
export interface ShapeParts {
  readonly model: Model;
  /** The names of the measures that the tile draws. */
  readonly measures: readonly string[];
  /** The same, or the number of rows. */
  readonly counted: readonly string[];
  /** The axes of small multiples, before those within a panel. */
  readonly panels: readonly AxisRequest[];
  /** The axis of the series that the colour tells apart; none when it shows a measure. */
  readonly colour: readonly AxisRequest[];
  readonly request: (channel: Channel, encoding: FieldEncoding, limit: number) => AxisRequest;
}
