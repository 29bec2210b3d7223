import type { Mark } from '../scene.ts';

/*
 * A line or an area along an axis. Painting time grows with the points, and a narrow tile of two thousand weeks
 * has eight in each pixel.
 */

/** The points of a line along its axis, grouped by half pixels if there are many. */
export interface LineLayout {
  /** Pixels, in the order of the axis. */
  readonly xs: Float64Array;
  /** Undefined if the points are few enough to draw each. */
  readonly columns: readonly Column[] | undefined;
}

/** The points of a half pixel. */
interface Column {
  /** Its centre, pixels. */
  readonly x: number;
  /** Its points: `[from, to)`. */
  readonly from: number;
  readonly to: number;
}

/** Columns per pixel, so that high-density screens lose no detail. */
const perPixel = 2;
/** From this many points in a column on, a line fills it from minimum to maximum. */
const manyInColumn = 2;

/** @param xs ascending or descending, pixels */
export function layOutLine(xs: Float64Array): LineLayout {
  const columnOf = (i: number) => Math.floor(xs[i]! * perPixel);
  if (xs.length === 0 || xs.length < manyInColumn * (Math.abs(columnOf(xs.length - 1) - columnOf(0)) + 1))
    return { xs, columns: undefined };
  const columns: Column[] = [];
  for (let from = 0, to = 0; from < xs.length; from = to) {
    const column = columnOf(from);
    while (to < xs.length && columnOf(to) === column) to++;
    columns.push({ x: (column + 0.5) / perPixel, from, to });
  }
  return { xs, columns };
}

/**
 * Draws a line, with dots at points between gaps. A line with many points is drawn as the filled area that
 * its stroke covers, from minimum to maximum of each half pixel, which takes a third of the time. M4 keeps
 * the same extremes (Jugel, Jerzak, Hackenbroich and Markl, VLDB 2014).
 * @param ys of each point, pixels; NaN breaks the line · pen.dots: at every point · pen.radius of dots
 */
export function lineMarks(
  { xs, columns }: LineLayout,
  ys: Float64Array,
  {
    stroke,
    width,
    dots = false,
    radius = 2.5,
  }: { readonly stroke: string; readonly width: number; readonly dots?: boolean; readonly radius?: number },
): Mark[] {
  const reaches = columns && reachesOf(ys, columns);
  const marked = reaches ? aloneAmong(columns, reaches) : lonePoints(xs, ys, dots);
  return [
    reaches
      ? { kind: 'area', xyy: ribbon(columns, reaches, width / 2), fill: stroke }
      : { kind: 'line', xy: pointsOf(xs, ys), stroke, width },
    ...(marked.length > 0 ? [{ kind: 'circles', xy: marked, radius, fill: stroke } as const] : []),
  ];
}

/**
 * Draws the area between two edges. Many points are averaged per half pixel, so that stacked areas still
 * fit together.
 * @param low one for all points, or of each · high NaN breaks the area
 */
export function areaMark(
  { xs, columns }: LineLayout,
  low: Float64Array | number,
  high: Float64Array,
  fill: string,
  opacity: number,
): Mark {
  const isLevel = typeof low === 'number';
  const xyy: number[] = [];
  if (!columns) for (let i = 0; i < xs.length; i++) xyy.push(xs[i]!, isLevel ? low : low[i]!, high[i]!);
  for (const { x, from, to } of columns ?? []) {
    let [below, above, count] = [0, 0, 0];
    for (let i = from; i < to; i++) {
      if (Number.isNaN(high[i]!)) continue;
      below += isLevel ? low : low[i]!;
      above += high[i]!;
      count++;
    }
    xyy.push(x, below / count, above / count);
  }
  return { kind: 'area', xyy, fill, opacity };
}

/** Minimum and maximum of a line in each column; NaN without a point. Pixels, y downwards. */
interface Reaches {
  readonly tops: Float64Array;
  readonly bottoms: Float64Array;
}

function reachesOf(ys: Float64Array, columns: readonly Column[]): Reaches {
  const [tops, bottoms] = [new Float64Array(columns.length), new Float64Array(columns.length)];
  for (let column = 0; column < columns.length; column++) {
    const { from, to } = columns[column]!;
    let [top, bottom, isThere] = [Infinity, -Infinity, false];
    // The line comes from the point before, usually in the last column.
    for (let i = Math.max(0, from - 1); i < to; i++) {
      const y = ys[i]!;
      if (Number.isNaN(y)) continue;
      isThere ||= i >= from;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
    tops[column] = isThere ? top : Number.NaN;
    bottoms[column] = isThere ? bottom : Number.NaN;
  }
  return { tops, bottoms };
}

/** Extends the extremes by the radius of a round pen, which also covers neighbouring columns. */
function ribbon(columns: readonly Column[], { tops, bottoms }: Reaches, radius: number): number[] {
  const aside = 1 / perPixel;
  const besides = radius > aside ? Math.sqrt(radius ** 2 - aside ** 2) : 0;
  const xyy: number[] = [];
  for (let column = 0; column < columns.length; column++) {
    let [low, high] = [bottoms[column]! + radius, tops[column]! - radius];
    for (let beside = column - 1; beside <= column + 1; beside += 2) {
      // Comparisons with a missing or empty neighbour (NaN, undefined) are false.
      if (bottoms[beside]! + besides > low) low = bottoms[beside]! + besides;
      if (tops[beside]! - besides < high) high = tops[beside]! - besides;
    }
    xyy.push(columns[column]!.x, low, high);
  }
  return xyy;
}

/** Returns the centres of columns with gaps on both sides. */
function aloneAmong(columns: readonly Column[], { tops, bottoms }: Reaches): number[] {
  const isGap = (column: number) => !(tops[column]! >= -Infinity);
  const found: number[] = [];
  for (let column = 0; column < columns.length; column++) {
    if (!isGap(column) && isGap(column - 1) && isGap(column + 1))
      found.push(columns[column]!.x, (tops[column]! + bottoms[column]!) / 2);
  }
  return found;
}

function pointsOf(xs: Float64Array, ys: Float64Array): number[] {
  const xy: number[] = [];
  for (let i = 0; i < xs.length; i++) xy.push(xs[i]!, ys[i]!);
  return xy;
}

/** Returns the points with a gap on both sides, which a line does not show; or all points. */
function lonePoints(xs: Float64Array, ys: Float64Array, all: boolean): number[] {
  const dots: number[] = [];
  let isGapBefore = true;
  for (let i = 0; i < ys.length; i++) {
    const isGap = Number.isNaN(ys[i]!);
    if (!isGap && (all || (isGapBefore && (i + 1 === ys.length || Number.isNaN(ys[i + 1]!)))))
      dots.push(xs[i]!, ys[i]!);
    isGapBefore = isGap;
  }
  return dots;
}
