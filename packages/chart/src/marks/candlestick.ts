import { slotsOf } from '@belvedere/query';
import { roomOf, type Chart, type ChartInput, type ChartMeasure } from '../chart.ts';
import { uprightFrame } from '../guides/frame.ts';
import { extentOf } from '../guides/value-axis.ts';

/**
 * Draws a price in each period: a wick from the lowest to the highest, a body from open to close, hollow if
 * it rose.
 */
export function drawCandles(input: ChartInput): Chart {
  const { tile, axes, theme, measures } = input;
  if (tile.kind !== 'candlestick') throw new TypeError('not a candlestick chart');
  const axis = axes.find(candidate => candidate.channel === 'x')!;
  const slots = slotsOf(axis);
  const positions = axis.kind === 'categories' ? slots : axis.count;
  const inPlace = (values: Float64Array) =>
    Array.from({ length: 4 }, (_, i) => values.subarray(i * slots, i * slots + positions));
  const { plot, axisScale, scale, guides } = uprightFrame(input, axis, {
    extent: extentOf(...roomOf(input).flatMap(inPlace)),
    measure: measures[3] as ChartMeasure,
    options: { floats: true },
  });
  return {
    plot,
    guides,
    x: axisScale!,
    value: { along: 'y', scale },
    series: [{ label: '', colour: theme.series[0]! }],
    marks: (values, { isMuted, isSelected }) => {
      const wicks = { up: [] as number[], down: [] as number[], dim: [] as number[] };
      const bodies = { up: [] as number[], down: [] as number[], dim: [] as number[] };
      const hollows: number[] = [];
      for (let position = 0; position < positions; position++) {
        const [open, high, low, close] = Array.from(
          { length: 4 },
          (_, i) => values[i * slots + position]!,
        ) as [number, number, number, number];
        if ([open, high, low, close].some(Number.isNaN)) continue;
        const [left, right] = axisScale!.span(position);
        const width = Math.max(1, Math.min(14, (right - left) * 0.66));
        const middle = (left + right) / 2;
        const look = isMuted || (isSelected && !isSelected(position)) ? 'dim' : close >= open ? 'up' : 'down';
        const [top, bottom] = [scale.toPixel(Math.max(open, close)), scale.toPixel(Math.min(open, close))];
        wicks[look].push(
          middle - 0.5,
          scale.toPixel(high),
          1,
          Math.max(1, scale.toPixel(low) - scale.toPixel(high)),
        );
        bodies[look].push(middle - width / 2, top, width, Math.max(1, bottom - top));
        if (look === 'up' && width >= 5 && bottom - top > 3)
          hollows.push(middle - width / 2 + 1, top + 1, width - 2, bottom - top - 2);
      }
      return (['dim', 'up', 'down'] as const)
        .flatMap(look => {
          const fill =
            look === 'dim' ? theme.unfiltered : look === 'up' ? theme.series[0]! : theme.series[1]!;
          return [
            { kind: 'rects', xywh: wicks[look], fill } as const,
            { kind: 'rects', xywh: bodies[look], fill } as const,
          ];
        })
        .concat([{ kind: 'rects', xywh: hollows, fill: theme.surface }]);
    },
  };
}
