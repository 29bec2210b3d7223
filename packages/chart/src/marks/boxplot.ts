import { slotsOf } from '@belvedere/query';
import { roomOf, type Chart, type ChartInput, type ChartMeasure } from '../chart.ts';
import { uprightFrame } from '../guides/frame.ts';
import { extentOf } from '../guides/value-axis.ts';
import type { Mark } from '../scene.ts';

/**
 * Draws for each position a box of the middle half of the values with its median, and whiskers to outer
 * quantiles (Tukey's box plot).
 */
export function drawBoxes(input: ChartInput): Chart {
  const { tile, axes, theme, measures } = input;
  if (tile.kind !== 'boxplot') throw new TypeError('not a box plot');
  const axis = axes.find(candidate => candidate.channel === 'x')!;
  const slots = slotsOf(axis);
  const positions = axis.kind === 'categories' ? slots : axis.count;
  const inPlace = (values: Float64Array) =>
    Array.from({ length: 5 }, (_, i) => values.subarray(i * slots, i * slots + positions));
  const extent = extentOf(...roomOf(input).flatMap(inPlace));
  const { plot, axisScale, scale, guides } = uprightFrame(input, axis, {
    extent,
    measure: measures[2] as ChartMeasure,
    options: { floats: true },
  });
  return {
    plot,
    guides: guides.filter(mark => !(mark.kind === 'text' && mark.size === 10)),
    x: axisScale!,
    series: [{ label: '', colour: theme.accent }],
    value: { along: 'y', scale },
    marks: (values, { isMuted, isSelected }) => {
      const looks = {
        bright: { boxes: [] as number[], lines: [] as number[], medians: [] as number[] },
        dim: { boxes: [] as number[], lines: [] as number[], medians: [] as number[] },
      };
      for (let position = 0; position < positions; position++) {
        const [low, q1, median, q3, high] = Array.from(
          { length: 5 },
          (_, i) => values[i * slots + position]!,
        ) as [number, number, number, number, number];
        if (Number.isNaN(median)) continue;
        const [left, right] = axisScale!.span(position);
        const width = Math.min(44, (right - left) * 0.6);
        const [x, middle] = [(left + right - width) / 2, (left + right) / 2];
        const [y1, y2, y3, y4, y5] = [low, q1, median, q3, high].map(scale.toPixel) as [
          number,
          number,
          number,
          number,
          number,
        ];
        const target = isMuted || (isSelected && !isSelected(position)) ? looks.dim : looks.bright;
        target.boxes.push(x, y4, width, Math.max(1, y2 - y4));
        target.lines.push(
          middle - 0.5,
          y5,
          1,
          Math.max(0, y4 - y5),
          middle - 0.5,
          y2,
          1,
          Math.max(0, y1 - y2),
          x + width / 4,
          y5,
          width / 2,
          1,
          x + width / 4,
          y1 - 1,
          width / 2,
          1,
        );
        target.medians.push(x, y3 - 1, width, 2);
      }
      return [
        { kind: 'rects', xywh: looks.dim.lines, fill: theme.axis },
        { kind: 'rects', xywh: looks.dim.boxes, fill: theme.unfiltered },
        { kind: 'rects', xywh: looks.dim.medians, fill: theme.axis },
        { kind: 'rects', xywh: looks.bright.lines, fill: theme.accent, opacity: 0.7 },
        { kind: 'rects', xywh: looks.bright.boxes, fill: theme.accent, opacity: 0.35 },
        { kind: 'rects', xywh: looks.bright.medians, fill: theme.accent },
      ] satisfies Mark[];
    },
  };
}
