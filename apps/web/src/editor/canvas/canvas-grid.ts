import { gap, rowHeight } from './layout.ts';

/** The distance between the tops of rows, in pixels. */
export const rowPitch = rowHeight + gap;

/** How the grid is drawn at the canvas's current width. */
export interface CanvasGrid {
  /** The distance between the left edges of columns, in pixels. */
  readonly pitch: number;
  /** Tiles are below each other, in one column, and cannot be moved. */
  readonly isNarrow: boolean;
}
