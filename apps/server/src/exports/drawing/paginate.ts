import type { Rectangle } from '@belvedere/chart';
import type { Tile } from '@belvedere/document';

type NamedTile = readonly [id: string, tile: Tile];

/** A tile with its place on a sheet of paper. */
export interface PlacedTile {
  readonly id: string;
  readonly tile: Tile;
  readonly box: Rectangle;
}

/** Tiles that overlap vertically and therefore stay together, at their places in the layout. */
interface Band {
  readonly tiles: readonly PlacedTile[];
  readonly top: number;
  /** Including the gap below it. */
  readonly height: number;
  /** Whether its height may change. Figures and texts keep theirs. */
  readonly isFlexible: boolean;
}

const gap = 12;
/** How much a band's height may change to fill its sheet. */
const minScale = 0.75;
const greatestScale = 2;

/**
 * Distributes a dashboard page's tiles over as few sheets as possible, in bands whose heights are adjusted to
 * fill each sheet. Bands that are too high for a sheet are split between tiles.
 * @param room the height of a sheet
 */
export function paginate(
  tiles: readonly NamedTile[],
  boxes: ReadonlyMap<string, Rectangle>,
  room: number,
): PlacedTile[][] {
  const bands = bandsOf(tiles, boxes, room);
  return bestSplit(bands, room).map(sheet => fill(sheet, room));
}

function bandsOf(tiles: readonly NamedTile[], boxes: ReadonlyMap<string, Rectangle>, room: number): Band[] {
  const placed = tiles
    .map(([id, tile]) => ({ id, tile, box: boxes.get(id)! }))
    .toSorted((a, b) => a.box.y - b.box.y || a.box.x - b.box.x);
  const groups: PlacedTile[][] = [];
  let bottom = Number.NEGATIVE_INFINITY;
  for (const one of placed) {
    if (one.box.y >= bottom) groups.push([]);
    groups.at(-1)!.push(one);
    bottom = Math.max(bottom, one.box.y + one.box.height);
  }
  return groups.flatMap(group => splitHigh(group, room)).map(toBand);
}

/** Splits tiles that are too high together, even compressed, before the first that does not fit. */
function splitHigh(group: readonly PlacedTile[], room: number): PlacedTile[][] {
  const pieces: PlacedTile[][] = [];
  let top = group[0]!.box.y;
  const bottomOf = ({ box }: PlacedTile) => box.y + box.height;
  if (Math.max(...group.map(bottomOf)) - top <= room / minScale) return [[...group]];
  for (const one of group) {
    const clamped = { ...one, box: { ...one.box, height: Math.min(one.box.height, room) } };
    if (pieces.length === 0 || bottomOf(clamped) - top > room) {
      pieces.push([]);
      top = one.box.y;
    }
    pieces.at(-1)!.push(clamped);
  }
  return pieces;
}

function toBand(tiles: readonly PlacedTile[]): Band {
  const top = Math.min(...tiles.map(({ box }) => box.y));
  return {
    tiles,
    top,
    height: Math.max(...tiles.map(({ box }) => box.y + box.height)) - top + gap,
    isFlexible: tiles.some(({ tile }) => !['kpi', 'text', 'control'].includes(tile.kind)),
  };
}

/** The factor on the flexible bands' heights that fills a sheet, or on all heights if none are flexible. */
function scaleOf(bands: readonly Band[], room: number): number {
  const heightOf = (some: readonly Band[]) => some.reduce((sum, band) => sum + band.height, 0);
  const flexible = heightOf(bands.filter(band => band.isFlexible));
  // The lowest gap lies below the paper's edge.
  return flexible === 0
    ? (room + gap) / heightOf(bands)
    : (room + gap - (heightOf(bands) - flexible)) / flexible;
}

/** The split into the fewest sheets whose scales are closest to 1. */
function bestSplit(bands: readonly Band[], room: number): Band[][] {
  interface Split {
    readonly sheets: Band[][];
    readonly cost: number;
  }
  const best: (Split | undefined)[] = [{ sheets: [], cost: 0 }];
  for (let end = 1; end <= bands.length; end++) {
    for (let start = end - 1; start >= 0; start--) {
      const sheet = bands.slice(start, end);
      const scale = scaleOf(sheet, room);
      // A single band always has a sheet of its own.
      if (scale < (sheet.some(band => band.isFlexible) ? minScale : 1) && sheet.length > 1) break;
      const before = best[start]!;
      // Another sheet costs more than any distortion.
      const cost = before.cost + 100 + Math.log(Math.max(scale, 0.01)) ** 2;
      if (cost < (best[end]?.cost ?? Number.POSITIVE_INFINITY))
        best[end] = { sheets: [...before.sheets, sheet], cost };
    }
  }
  return best[bands.length]!.sheets;
}

/** Places the tiles of one sheet. */
function fill(bands: readonly Band[], room: number): PlacedTile[] {
  const scale = Math.min(greatestScale, scaleOf(bands, room));
  const placed: PlacedTile[] = [];
  let top = 0;
  for (const band of bands) {
    // A single band may be higher than its sheet.
    const factor = band.isFlexible ? scale : Math.min(1, (room + gap) / band.height);
    for (const { id, tile, box } of band.tiles)
      placed.push({
        id,
        tile,
        box: {
          ...box,
          y: top + (box.y - band.top) * factor,
          // Gaps within a band keep their height.
          height: Math.max(20, (box.height + gap) * factor - gap),
        },
      });
    top += band.height * factor;
  }
  return placed;
}
