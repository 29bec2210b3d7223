import type { Panel, Rectangle } from '@belvedere/chart';

/** The outline of a mark, in pixels of the chart. Tooltips avoid it, and the highlight follows it. */
export interface MarkShape {
  readonly area: Rectangle;
  /** A crosshair along the value axis. */
  readonly line?: { readonly x: number; readonly top: number; readonly height: number };
  /** A point at the value of each series. */
  readonly dots?: readonly { readonly x: number; readonly y: number; readonly colour?: string | undefined }[];
  /** An SVG path around the mark, in pixels of its panel. */
  readonly outline?: { readonly path: string; readonly x: number; readonly y: number };
}

/** So far around a point is the point itself. */
const pointRadius = 7;

export const areaAround = (x: number, y: number): Rectangle => ({
  x: x - pointRadius,
  y: y - pointRadius,
  width: 2 * pointRadius,
  height: 2 * pointRadius,
});

/**
 * The outline of the mark at a position of a chart's axes.
 * @param values the panel's own values
 * @param isLine whether series are lines, not bars
 */
export function shapeAt(
  { chart, x: left, y: top }: Panel,
  { x, y }: { readonly x: number; readonly y: number },
  values: Float64Array,
  isLine: boolean,
): MarkShape | undefined {
  const { plot } = chart;
  const across = chart.x?.span(x) ?? ([plot.x, plot.x + plot.width] as const);
  const upright = chart.y?.span(y) ?? ([plot.y, plot.y + plot.height] as const);
  const between = (from: readonly number[], to: readonly number[]): Rectangle => ({
    x: left + from[0]!,
    y: top + to[0]!,
    width: from[1]! - from[0]!,
    height: to[1]! - to[0]!,
  });
  const tip = chart.markAt?.(values, chart.x ? x : y);
  if (!tip || (chart.x && chart.y)) return { area: between(across, upright) };
  if (chart.y) return { area: between([plot.x, Math.max(tip.x, plot.x)], upright) };
  if (!isLine)
    return { area: between(across, [Math.min(tip.y, plot.y + plot.height), plot.y + plot.height]) };
  const points = chart.series.flatMap(({ colour }, series) => {
    const point = chart.markAt!(values, x, chart.series.length > 1 ? series : undefined);
    return point ? [{ x: left + point.x, y: top + point.y, colour }] : [];
  });
  // Charts of several measures have one end for a position, whatever the series.
  const dots = points.filter(
    (point, i) => points.findIndex(other => other.x === point.x && other.y === point.y) === i,
  );
  return {
    area: areaAround(left + tip.x, top + tip.y),
    line: { x: left + tip.x, top: top + plot.y, height: plot.height },
    dots,
  };
}

/**
 * The position of a box near an area: beside it, else above or below it, where the frame has room.
 * @returns its upper left corner
 */
export function positionBeside(
  area: Rectangle,
  box: { readonly width: number; readonly height: number },
  frame: { readonly width: number; readonly height: number },
  distance = 8,
): { readonly left: number; readonly top: number } {
  const clamp = (value: number, room: number) => Math.max(0, Math.min(room, value));
  const top = clamp(
    area.y + Math.min(area.height, frame.height) / 2 - box.height / 2,
    frame.height - box.height,
  );
  const left = clamp(area.x + area.width / 2 - box.width / 2, frame.width - box.width);
  const right = area.x + area.width + distance;
  if (right + box.width <= frame.width) return { left: right, top };
  if (area.x - distance - box.width >= 0) return { left: area.x - distance - box.width, top };
  const below = area.y + area.height + distance;
  if (below + box.height <= frame.height) return { left, top: below };
  if (area.y - distance - box.height >= 0) return { left, top: area.y - distance - box.height };
  // Nowhere is room for it: at the side that has more.
  return { left: area.x + area.width / 2 < frame.width / 2 ? frame.width - box.width : 0, top };
}
