import type { Mark } from '../scene.ts';

/* A line or an area along an axis. Painting one takes as long as it has points, and thirty years of days have forty in each pixel. */

/** Columns a pixel: where screens draw two or three dots in one, none of a course is lost. */
const perPixel = 2;
/** With as many points in a column a course is one blot from its least to its greatest. */
const manyInColumn = 2;

/**
 * A line, and dots where a point is alone between gaps. One that has more points than can be told apart is the ribbon that its pen covers: from
 * the least to the greatest of each half pixel, which is all that M4 keeps of a line as well (Jugel, Jerzak, Hackenbroich and Markl, VLDB 2014);
 * filled, it is painted in a tenth of the time.
 * @param xy points in the order of x; NaN breaks the line · options.dots: at every point
 */
export function courseMarks(xy: readonly number[], { stroke, width, dots = false }: { readonly stroke: string; readonly width: number; readonly dots?: boolean }): Mark[] {
  const columns = columnsOf(xy, 2);
  const reaches = columns && reachesOf(xy, columns);
  const marked = reaches ? aloneAmong(reaches) : lonePoints(xy, dots);
  return [
    reaches ? { kind: 'area', xyy: ribbon(reaches, width / 2), fill: stroke } : { kind: 'line', xy, stroke, width },
    ...(marked.length > 0 ? [{ kind: 'circles', xy: marked, radius: 2.5, fill: stroke } as const] : []),
  ];
}

/**
 * The area between two edges. Of more points than can be told apart, the means of each half pixel: areas that lie on each other still do.
 * @param xyy x, lower y, upper y of each point in the order of x; NaN breaks the area
 */
export function areaMark(xyy: readonly number[], fill: string, opacity: number): Mark {
  const columns = columnsOf(xyy, 3);
  return { kind: 'area', xyy: columns ? columns.flatMap(({ x, from, to }) => [x, mean(xyy, 1, from, to), mean(xyy, 2, from, to)]) : xyy, fill, opacity };
}

interface Column {
  /** Its middle. */
  readonly x: number;
  /** The first of its points, and the first that is not. */
  readonly from: number;
  readonly to: number;
}

/** @returns undefined where points are few enough to be told apart */
function columnsOf(points: readonly number[], width: 2 | 3): Column[] | undefined {
  const count = points.length / width;
  const columnOf = (i: number) => Math.floor(points[i * width]! * perPixel);
  if (count === 0 || count < manyInColumn * (Math.abs(columnOf(count - 1) - columnOf(0)) + 1)) return undefined;
  const columns: Column[] = [];
  for (let from = 0, to = 0; from < count; from = to) {
    const column = columnOf(from);
    while (to < count && columnOf(to) === column) to++;
    columns.push({ x: (column + 0.5) / perPixel, from, to });
  }
  return columns;
}

/** From where to where a line goes in a column; NaN where it has no point. Pixels, y downwards. */
interface Reach {
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
}

function reachesOf(xy: readonly number[], columns: readonly Column[]): Reach[] {
  return columns.map(({ x, from, to }) => {
    let [top, bottom, isThere] = [Infinity, -Infinity, false];
    // The line comes from the point before, most often one of the last column.
    for (let i = Math.max(0, from - 1); i < to; i++) {
      const y = xy[i * 2 + 1]!;
      if (Number.isNaN(y)) continue;
      isThere ||= i >= from;
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
    return isThere ? { x, top, bottom } : { x, top: Number.NaN, bottom: Number.NaN };
  });
}

/** What a round pen covers: it also reaches into the columns beside its own. */
function ribbon(reaches: readonly Reach[], radius: number): number[] {
  const aside = 1 / perPixel;
  const besides = radius > aside ? Math.sqrt(radius ** 2 - aside ** 2) : 0;
  return reaches.flatMap(({ x, top, bottom }, i) => {
    let [low, high] = [bottom + radius, top - radius];
    for (const neighbour of [reaches[i - 1], reaches[i + 1]]) {
      if (!neighbour || Number.isNaN(neighbour.top)) continue;
      low = Math.max(low, neighbour.bottom + besides);
      high = Math.min(high, neighbour.top - besides);
    }
    return [x, low, high];
  });
}

/** The middles of columns with gaps on both sides. */
function aloneAmong(reaches: readonly Reach[]): number[] {
  const isGap = (reach: Reach | undefined) => reach === undefined || Number.isNaN(reach.top);
  return reaches.flatMap((reach, i) => (!isGap(reach) && isGap(reaches[i - 1]) && isGap(reaches[i + 1]) ? [reach.x, (reach.top + reach.bottom) / 2] : []));
}

function mean(points: readonly number[], part: 1 | 2, from: number, to: number): number {
  let [sum, count] = [0, 0];
  for (let i = from; i < to; i++) {
    const y = points[i * 3 + part]!;
    if (Number.isNaN(points[i * 3 + 2]!)) continue;
    sum += y;
    count++;
  }
  return sum / count;
}

/** Points of a line with a gap on both sides, which it would not show; or all of them. */
function lonePoints(xy: readonly number[], all: boolean): number[] {
  const dots: number[] = [];
  for (let i = 0; i < xy.length; i += 2) {
    const isLone = Number.isNaN(xy[i - 1] ?? Number.NaN) && Number.isNaN(xy[i + 3] ?? Number.NaN);
    if (!Number.isNaN(xy[i + 1]!) && (all || isLone)) dots.push(xy[i]!, xy[i + 1]!);
  }
  return dots;
}
