import { lineThrough } from '../../guides/line-through.ts';
import type { Mark } from '../../scene.ts';
import type { Bubble, BubbleLayout } from './bubble-layout.ts';

export type LineMark = Extract<Mark, { kind: 'line' }>;

/** A line for each colour through its bubbles, in the order of their values. */
export function linesThrough(
  bubbles: readonly Bubble[],
  direction: 1 | -1,
  isMuted: boolean,
  { detailAxis, series, theme }: BubbleLayout,
): LineMark[] {
  const valueOf = ({ detail }: Bubble) =>
    detailAxis.kind === 'categories' ? detailAxis.values[detail] : detail;
  const inOrder = (a: Bubble, b: Bubble) => {
    const [first, second] = [valueOf(a) ?? null, valueOf(b) ?? null];
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    return direction * (first < second ? -1 : first > second ? 1 : 0);
  };
  return [
    ...Map.groupBy(
      bubbles.filter(bubble => !bubble.isOther && valueOf(bubble) !== null),
      ({ colour }) => colour,
    ),
  ].map(([colour, own]): LineMark => ({
    kind: 'line',
    xy: own.toSorted(inOrder).flatMap(({ x, y }) => [x, y]),
    stroke: isMuted ? theme.unfiltered : series[Math.max(0, colour)]!.colour,
    width: 1.5,
    opacity: 0.6,
  }));
}

/** The straight line of least squares through the bubbles; undefined on logarithmic axes. */
export function trendOf(
  bubbles: readonly Bubble[],
  { plot, xScale, yScale, theme }: BubbleLayout,
): Mark | undefined {
  const points = bubbles.filter(bubble => !bubble.isOther);
  const line = lineThrough(points);
  const xs = points.map(bubble => bubble.x);
  if (!line || xScale.isLog || yScale.isLog) return undefined;
  const ends = [Math.min(...xs), Math.max(...xs)];
  return {
    kind: 'line',
    xy: ends.flatMap(x => [x, Math.max(plot.y, Math.min(plot.y + plot.height, line(x)))]),
    stroke: theme.text,
    width: 1.5,
    dash: [5, 3],
  };
}
