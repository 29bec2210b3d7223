import type { Mark } from '../scene.ts';

/* A line or an area along an axis. Painting one takes as long as it has points, and a narrow tile of two thousand weeks has eight in each pixel. */

/** Where the points of a course lie along its axis, and which of them cannot be told apart. */
export interface CourseLayout {
  /** In the order of the axis, pixels. */
  readonly xs: Float64Array;
  /** Undefined where points are few enough to be told apart. */
  readonly columns: readonly Column[] | undefined;
}

/** A half pixel's points. */
interface Column {
  /** Its middle. */
  readonly x: number;
  /** The first of its points, and the first that is not. */
  readonly from: number;
  readonly to: number;
}

/** Columns a pixel: where screens draw two or three dots in one, none of a course is lost. */
const perPixel = 2;
/** With as many points in a column a course is one blot from its least to its greatest. */
const manyInColumn = 2;

/** @param xs ascending or descending, pixels */
export function layOutCourse(xs: Float64Array): CourseLayout {
  const columnOf = (i: number) => Math.floor(xs[i]! * perPixel);
  if (xs.length === 0 || xs.length < manyInColumn * (Math.abs(columnOf(xs.length - 1) - columnOf(0)) + 1)) return { xs, columns: undefined };
  const columns: Column[] = [];
  for (let from = 0, to = 0; from < xs.length; from = to) {
    const column = columnOf(from);
    while (to < xs.length && columnOf(to) === column) to++;
    columns.push({ x: (column + 0.5) / perPixel, from, to });
  }
  return { xs, columns };
}

/**
 * A line, and dots where a point is alone between gaps. One that has more points than can be told apart is the ribbon that its pen covers: from
 * the least to the greatest of each half pixel, which is all that M4 keeps of a line as well (Jugel, Jerzak, Hackenbroich and Markl, VLDB 2014);
 * filled, it is painted in a third of the time, and of more points in less.
 * @param ys of each point, pixels; NaN breaks the line · pen.dots: at every point
 */
export function courseMarks({ xs, columns }: CourseLayout, ys: Float64Array, { stroke, width, dots = false }: { readonly stroke: string; readonly width: number; readonly dots?: boolean }): Mark[] {
  const reaches = columns && reachesOf(ys, columns);
  const marked = reaches ? aloneAmong(reaches) : lonePoints(xs, ys, dots);
  return [
    reaches ? { kind: 'area', xyy: ribbon(reaches, width / 2), fill: stroke } : { kind: 'line', xy: pointsOf(xs, ys), stroke, width },
    ...(marked.length > 0 ? [{ kind: 'circles', xy: marked, radius: 2.5, fill: stroke } as const] : []),
  ];
}

/**
 * The area between two edges. Of more points than can be told apart, the means of each half pixel: areas that lie on each other still do.
 * @param low one for all points, or of each · high NaN breaks the area
 */
export function areaMark({ xs, columns }: CourseLayout, low: Float64Array | number, high: Float64Array, fill: string, opacity: number): Mark {
  const lowAt = typeof low === 'number' ? () => low : (i: number) => low[i]!;
  const xyy: number[] = [];
  if (!columns) for (let i = 0; i < xs.length; i++) xyy.push(xs[i]!, lowAt(i), high[i]!);
  for (const { x, from, to } of columns ?? []) {
    let [below, above, count] = [0, 0, 0];
    for (let i = from; i < to; i++) {
      if (Number.isNaN(high[i]!)) continue;
      below += lowAt(i);
      above += high[i]!;
      count++;
    }
    xyy.push(x, below / count, above / count);
  }
  return { kind: 'area', xyy, fill, opacity };
}

/** From where to where a line goes in a column; NaN where it has no point. Pixels, y downwards. */
interface Reach {
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
}

function reachesOf(ys: Float64Array, columns: readonly Column[]): Reach[] {
  return columns.map(({ x, from, to }) => {
    let [top, bottom, isThere] = [Infinity, -Infinity, false];
    // The line comes from the point before, most often one of the last column.
    for (let i = Math.max(0, from - 1); i < to; i++) {
      const y = ys[i]!;
      if (Number.isNaN(y)) continue;
      isThere ||= i >= from;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
    return isThere ? { x, top, bottom } : { x, top: Number.NaN, bottom: Number.NaN };
  });
}

/** What a round pen covers: it also reaches into the columns beside its own. */
function ribbon(reaches: readonly Reach[], radius: number): number[] {
  const aside = 1 / perPixel;
  const besides = radius > aside ? Math.sqrt(radius ** 2 - aside ** 2) : 0;
  const xyy: number[] = [];
  for (const [i, { x, top, bottom }] of reaches.entries()) {
    let [low, high] = [bottom + radius, top - radius];
    for (const neighbour of [reaches[i - 1], reaches[i + 1]]) {
      if (!neighbour || Number.isNaN(neighbour.top)) continue;
      low = Math.max(low, neighbour.bottom + besides);
      high = Math.min(high, neighbour.top - besides);
    }
    xyy.push(x, low, high);
  }
  return xyy;
}

/** The middles of columns with gaps on both sides. */
function aloneAmong(reaches: readonly Reach[]): number[] {
  const isGap = (reach: Reach | undefined) => reach === undefined || Number.isNaN(reach.top);
  return reaches.flatMap((reach, i) => (!isGap(reach) && isGap(reaches[i - 1]) && isGap(reaches[i + 1]) ? [reach.x, (reach.top + reach.bottom) / 2] : []));
}

function pointsOf(xs: Float64Array, ys: Float64Array): number[] {
  const xy: number[] = [];
  for (let i = 0; i < xs.length; i++) xy.push(xs[i]!, ys[i]!);
  return xy;
}

/** Points of a line with a gap on both sides, which it would not show; or all of them. */
function lonePoints(xs: Float64Array, ys: Float64Array, all: boolean): number[] {
  const isGap = (i: number) => i < 0 || i >= ys.length || Number.isNaN(ys[i]!);
  const dots: number[] = [];
  for (let i = 0; i < ys.length; i++) if (!isGap(i) && (all || (isGap(i - 1) && isGap(i + 1)))) dots.push(xs[i]!, ys[i]!);
  return dots;
}
