import { edgesOf, positionsOf, type Axis } from '@belvedere/query';

/**
 * Maps the positions of an axis to pixels. Bins and times are proportional to their values, so a month of
 * 31 days is wider than one of 30. Categories have equal widths.
 */
export interface PositionScale {
  readonly axis: Axis;
  readonly positions: number;
  /** The pixels of a position, ascending. */
  readonly span: (position: number) => readonly [number, number];
  readonly middle: (position: number) => number;
  /** The position at a pixel, or the nearest one for a pixel beyond the ends. */
  readonly positionAt: (pixel: number) => number;
  /** Converts a value (bins, times) or an edge of a position (categories) to pixels, and back. */
  readonly toPixel: (edge: number) => number;
  readonly fromPixel: (pixel: number) => number;
}

/**
 * @param first pixel of the axis' beginning; it may be larger than `last`, as on a y axis
 * @param isReversed the axis begins at `last` instead
 */
export function positionScale(axis: Axis, first: number, last: number, isReversed = false): PositionScale {
  const [from, to] = isReversed ? [last, first] : [first, last];
  const positions = Math.max(1, positionsOf(axis));
  const edges =
    axis.kind === 'categories' ? undefined : edgesOf(axis.count < 1 ? { ...axis, count: 1 } : axis);
  const low = edges ? edges[0]! : 0;
  const high = edges ? edges[positions]! : positions;
  const scale = (to - from) / (high - low || 1);
  const toPixel = (edge: number) => from + (edge - low) * scale;
  const fromPixel = (pixel: number) => low + (pixel - from) / scale;
  const edge = (position: number) => (edges ? edges[position]! : position);
  const span = (position: number): readonly [number, number] => {
    const [a, b] = [toPixel(edge(position)), toPixel(edge(position + 1))];
    return a < b ? [a, b] : [b, a];
  };
  return {
    axis,
    positions,
    span,
    middle: position => (toPixel(edge(position)) + toPixel(edge(position + 1))) / 2,
    positionAt: pixel => {
      const value = fromPixel(pixel);
      if (!edges) return Math.max(0, Math.min(positions - 1, Math.floor(value)));
      let [below, above] = [0, positions];
      while (above - below > 1) {
        const half = (below + above) >> 1;
        if (edges[half]! <= value) below = half;
        else above = half;
      }
      return below;
    },
    toPixel,
    fromPixel,
  };
}
