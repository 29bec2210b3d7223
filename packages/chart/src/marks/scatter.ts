import type { Chart, ChartInput, ChartPoint } from '../chart.ts';
import { isHidden } from '../rows/row-points.ts';
import { axisOptions } from '../guides/axis-options.ts';
import { verticalLabels } from '../guides/place-axis.ts';
import { isReversed, labelsBelow, labelSize } from '../guides/frame.ts';
import { lineThrough } from '../guides/line-through.ts';
import { positionScale, type PositionScale } from '../scales/position.ts';
import type { Mark } from '../scene.ts';
import { textWidth } from '../text/text-width.ts';
import { drawHeatmap } from './heatmap.ts';
import { seriesOf } from './series.ts';
import { symbolPath } from './symbols.ts';

/** Draws single points if they are few enough, else their density. */
export function drawScatter(input: ChartInput): Chart {
  const { points } = input;
  if (!points) return withValue(drawHeatmap(input));
  const { axes, theme, locale, size, hidden } = input;
  const xAxis = axes.find(axis => axis.channel === 'x')!;
  const yAxis = axes.find(axis => axis.channel === 'y')!;
  const colour = axes.find(axis => axis.channel === 'color');
  const series = seriesOf(colour, theme, locale);
  const [along, beside] = [
    axisOptions((input.tile as { x?: unknown }).x),
    axisOptions((input.tile as { y?: unknown }).y),
  ];
  const top = 4 + (input.headroom ?? 0);
  const bottom = size.height - (along.labels ? 20 : 6);
  const left = beside.labels
    ? Math.max(
        ...verticalLabels(positionScale(yAxis, bottom, top), locale, beside).map(label =>
          textWidth(label.label, labelSize),
        ),
        12,
      ) + 8
    : 2;
  const plot = {
    x: left,
    y: top,
    width: Math.max(10, size.width - left - 4),
    height: Math.max(10, bottom - top),
  };
  const x = positionScale(xAxis, plot.x, plot.x + plot.width, isReversed(input, 'x'));
  const y = positionScale(yAxis, plot.y + plot.height, plot.y, isReversed(input, 'y'));
  const guides: Mark[] = [
    ...verticalLabels(y, locale, beside).flatMap((label): Mark[] => [
      ...(beside.grid !== false
        ? [
            {
              kind: 'rects',
              xywh: [plot.x, Math.round(label.pixel), plot.width, 1],
              fill: theme.grid,
            } as const,
          ]
        : []),
      ...(beside.labels
        ? [
            {
              kind: 'text',
              x: plot.x - 8,
              y: label.pixel + 4,
              text: label.label,
              fill: theme.text3,
              align: 'right',
              size: labelSize,
            } as const,
          ]
        : []),
    ]),
    ...labelsBelow(x, plot, along, size.height - 4, input),
  ];
  const radius = points.length > 1500 ? 1.75 : points.length > 300 ? 2.25 : 3;
  const opacity = points.length > 800 ? 0.45 : 0.75;
  const isInside = (px: number, py: number) =>
    px >= plot.x && px <= plot.x + plot.width && py >= plot.y && py <= plot.y + plot.height;
  return {
    plot,
    guides,
    x,
    y,
    series,
    value: valueAlong(y),
    marks: (_, look) => {
      const shown: readonly ChartPoint[] = look.points ?? points;
      // One mark for each colour and shape.
      const bright: number[][][] = series.map(() => []);
      const dim: number[][] = [];
      for (const point of shown) {
        const [px, py] = [x.toPixel(point.x), y.toPixel(point.y)];
        if (!isInside(px, py) || isHidden(point, hidden)) continue;
        const isDim =
          look.isMuted || (look.isSelected && !look.isSelected(x.positionAt(px), y.positionAt(py)));
        const target = isDim ? dim : bright[Math.max(0, Math.min(series.length - 1, point.colour))]!;
        (target[point.shape ?? 0] ??= []).push(px, py);
      }
      const trendMarks =
        input.tile.kind === 'scatter' && input.tile.trend && !look.isMuted ? lineThrough(shown) : undefined;
      return [
        ...pointMarks(radius, dim, { fill: theme.unfiltered }),
        ...bright.flatMap((shapes, s) => pointMarks(radius, shapes, { fill: series[s]!.colour, opacity })),
        ...(trendMarks ? [trendMark(trendMarks)] : []),
      ];
    },
  };

  /** The trend line, within the plot. */
  function trendMark(at: (value: number) => number): Mark {
    const [left, right] = [plot.x, plot.x + plot.width].map(x.fromPixel) as [number, number];
    const xy: number[] = [];
    for (let step = 0; step <= 60; step++) {
      const value = left + ((right - left) * step) / 60;
      const pixel = y.toPixel(at(value));
      xy.push(x.toPixel(value), pixel >= plot.y && pixel <= plot.y + plot.height ? pixel : Number.NaN);
    }
    return { kind: 'line', xy, stroke: theme.text, width: 1.5, dash: [5, 3] };
  }
}

/** Returns the marks of points of one fill, by shape. */
function pointMarks(
  radius: number,
  shapes: readonly (readonly number[] | undefined)[],
  look: { readonly fill: string; readonly opacity?: number },
): Mark[] {
  const [round = [], ...others] = shapes;
  return [
    { kind: 'circles', xy: round, radius, ...look },
    ...others.flatMap((xy = [], i): Mark[] =>
      xy.length === 0
        ? []
        : [
            {
              kind: 'path',
              d: xy
                .flatMap((x, at) => (at % 2 === 0 ? [symbolPath(i + 1, x, xy[at + 1]!, radius)] : []))
                .join(''),
              ...look,
            },
          ],
    ),
  ];
}

/** Returns the y positions as a value scale, for reference lines. */
function valueAlong(y: PositionScale): NonNullable<Chart['value']> {
  return {
    along: 'y',
    scale: {
      toPixel: y.toPixel,
      ticks: [],
      zero: y.toPixel(0),
      isLog: false,
      shows: value => !Number.isNaN(value),
    },
  };
}

function withValue(chart: Chart): Chart {
  return chart.y ? { ...chart, value: valueAlong(chart.y) } : chart;
}
