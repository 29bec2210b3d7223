import { edgesOf, placesOf, type Axis } from '@belvedere/query';

/**
 * Where an axis' places lie in pixels. Bins and times lie where their values say, so a month of 31 days is wider than one of 30;
 * categories lie side by side, evenly.
 */
export interface Position {
  readonly axis: Axis;
  readonly places: number;
  /** The pixels of a place, ascending. */
  readonly span: (place: number) => readonly [number, number];
  readonly middle: (place: number) => number;
  /** The place at a pixel, the nearest one where the pixel is beyond the ends. */
  readonly placeAt: (pixel: number) => number;
  /** A value (bins, times) or a place's edge (categories) in pixels, and back. */
  readonly toPixel: (edge: number) => number;
  readonly fromPixel: (pixel: number) => number;
}

/**
 * @param first the pixel where the axis begins; it may be larger than `last`, as on a y axis
 * @param isReversed the axis begins at `last` instead
 */
export function positionOf(axis: Axis, first: number, last: number, isReversed = false): Position {
  const [from, to] = isReversed ? [last, first] : [first, last];
  const places = Math.max(1, placesOf(axis));
  const edges =
    axis.kind === 'categories' ? undefined : edgesOf(axis.count < 1 ? { ...axis, count: 1 } : axis);
  const low = edges ? edges[0]! : 0;
  const high = edges ? edges[places]! : places;
  const scale = (to - from) / (high - low || 1);
  const toPixel = (edge: number) => from + (edge - low) * scale;
  const fromPixel = (pixel: number) => low + (pixel - from) / scale;
  const edge = (place: number) => (edges ? edges[place]! : place);
  const span = (place: number): readonly [number, number] => {
    const [a, b] = [toPixel(edge(place)), toPixel(edge(place + 1))];
    return a < b ? [a, b] : [b, a];
  };
  return {
    axis,
    places,
    span,
    middle: place => (toPixel(edge(place)) + toPixel(edge(place + 1))) / 2,
    placeAt: pixel => {
      const value = fromPixel(pixel);
      if (!edges) return Math.max(0, Math.min(places - 1, Math.floor(value)));
      let [below, above] = [0, places];
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
