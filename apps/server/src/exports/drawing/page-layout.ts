import type { Rectangle } from '@belvedere/chart';
import type { Tile } from '@belvedere/document';

/** Layout of a dashboard's page as on the screen: rows of 28 pixels with gaps of 12, 24 columns. */
export const pageWidth = 1152;
/** The space around a page's heading and tiles. */
export const pageMargin = 24;
const rowHeight = 40;
const gap = 12;

/** Returns the position of each tile on a page, and the page's height. */
export function layOut(tiles: readonly (readonly [string, Tile])[]): {
  readonly boxes: ReadonlyMap<string, Rectangle>;
  readonly height: number;
} {
  const boxes = new Map<string, Rectangle>();
  let height = 0;
  tiles.forEach(([id, tile], i) => {
    const [column, row, columns, rows] = tile.at ?? [(i % 2) * 12, Math.floor(i / 2) * 8, 12, 8];
    const unit = (pageWidth + gap) / 24;
    const box = {
      x: column * unit,
      y: row * rowHeight,
      width: Math.min(columns, 24 - column) * unit - gap,
      height: rows * rowHeight - gap,
    };
    boxes.set(id, box);
    height = Math.max(height, box.y + box.height);
  });
  return { boxes, height };
}
