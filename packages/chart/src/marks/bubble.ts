import { isMeasure, type MeasureEncoding } from '@belvedere/document';
import { groupsOf, positionsOf, slotsOf } from '@belvedere/query';
import { roomOf, type Chart, type ChartInput, type ChartMeasure, type Target } from '../chart.ts';
import { axisOptions } from '../guides/axis-options.ts';
import { labelSize, scaleOptions } from '../guides/frame.ts';
import { lineThrough } from '../guides/line-through.ts';
import { positionName } from '../guides/place-axis.ts';
import { extentOf, valueScale, type ValueScale } from '../guides/value-axis.ts';
import type { Mark, Rectangle } from '../scene.ts';
import { fitText, textWidth } from '../text-width.ts';
import { chartMessagesIn } from '../chart-messages.ts';
import { seriesOf } from './series.ts';

type Way = Extract<Mark, { kind: 'line' }>;

interface Bubble {
  readonly group: number;
  /** Its places on the axes: of the detail, and of the colour (-1 without one). */
  readonly detail: number;
  readonly colour: number;
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** All values past the last that has a point of its own. */
  readonly isOther: boolean;
}

/**
 * So many points are named by themselves, as far as there is room; of more the largest, or as many as fit
 * where the tile asks for it.
 */
const fewPoints = 40;
const largestPoints = 12;
const plainRadius = 5;

/** One point for each value of a field: placed by two measures, as large as a third. */
export function drawBubbles(input: ChartInput): Chart {
  const { tile, axes, measures, theme, locale, size, hidden } = input;
  if (tile.kind !== 'scatter' || !isMeasure(tile.x) || !isMeasure(tile.y))
    throw new TypeError('not a scatter of measures');
  const [xMeasure, yMeasure, sizeMeasure] = measures as [ChartMeasure, ChartMeasure, ChartMeasure?];
  const detailAxis = axes.find(axis => axis.channel === 'detail')!;
  const colourAxis = axes.find(axis => axis.channel === 'color');
  const groups = groupsOf(axes);
  const colours = colourAxis ? slotsOf(colourAxis) : 1;
  const series = seriesOf(colourAxis, theme, locale);
  const words = chartMessagesIn(locale);
  const names = Array.from({ length: positionsOf(detailAxis) }, (_, position) =>
    positionName(detailAxis, position, locale),
  );
  const valuesOf = (values: Float64Array, measure: number) =>
    values.subarray(measure * groups, (measure + 1) * groups);
  const room = roomOf(input);
  const largest = sizeMeasure
    ? Math.max(...extentOf(...room.map(values => valuesOf(values, 2))).map(Math.abs))
    : 0;
  const mostRadius = Math.max(7, Math.min(26, Math.min(size.width, size.height) / 11));
  const radiusOf = (values: Float64Array, group: number) =>
    sizeMeasure
      ? Math.max(2, mostRadius * Math.sqrt(Math.abs(values[2 * groups + group]! || 0) / (largest || 1)))
      : plainRadius;

  const [along, beside] = [axisOptions(tile.x), axisOptions(tile.y)];
  const [top, bottom] = [18 + (input.headroom ?? 0), size.height - (along.labels ? 20 : 6)];
  const padding = sizeMeasure ? mostRadius : plainRadius;
  const yScale = scaleOf(1, yMeasure, tile.y, bottom, top, 'y');
  const left = beside.labels
    ? Math.max(...yScale.ticks.map(tick => textWidth(tick.label, labelSize)), 12) + 8
    : 2;
  const plot: Rectangle = {
    x: left,
    y: top,
    width: Math.max(10, size.width - left - 6),
    height: Math.max(10, bottom - top),
  };
  const xScale = scaleOf(0, xMeasure, tile.x, plot.x, plot.x + plot.width, 'x');
  const guides = [...gridOf(), ...(input.isInRow ? [] : titles())];

  return {
    plot,
    guides,
    series,
    value: { along: 'y', scale: yScale },
    across: xScale,
    // The smaller before the larger that they may lie on; Other last, since nothing of it can be selected.
    targets: values =>
      bubblesOf(values)
        .toReversed()
        .toSorted((a, b) => Number(a.isOther) - Number(b.isOther))
        .map((bubble): Target => ({
          positions: [bubble.detail],
          group: bubble.group,
          name: bubble.colour >= 0 ? `${bubble.name} · ${series[bubble.colour]!.label}` : bubble.name,
          value: values[groups + bubble.group]!,
          colour: colourOf(bubble),
          x: bubble.x,
          y: bubble.y,
          outline: `M${bubble.x - bubble.radius} ${bubble.y}a${bubble.radius} ${bubble.radius} 0 1 0 ${bubble.radius * 2} 0a${bubble.radius} ${bubble.radius} 0 1 0 ${-bubble.radius * 2} 0z`,
          contains: (x, y) => Math.hypot(x - bubble.x, y - bubble.y) <= Math.max(bubble.radius + 1, 6),
        })),
    marks: (values, { isMuted, isSelected }) => {
      const bubbles = bubblesOf(values);
      const isDim = (bubble: Bubble) =>
        isMuted || (isSelected !== undefined && !isSelected(bubble.detail, bubble.colour));
      const circle = (bubble: Bubble): Mark => ({
        kind: 'circles',
        xy: [bubble.x, bubble.y],
        radius: bubble.radius,
        fill: isDim(bubble) ? theme.unfiltered : colourOf(bubble),
        opacity: isDim(bubble) ? 0.7 : sizeMeasure ? 0.72 : 0.85,
      });
      // What is selected stands before what is not; the way through them lies below.
      const ways = tile.order ? waysThrough(bubbles, isMuted === true) : [];
      const drawn = [
        ...ways,
        ...[...bubbles.filter(isDim), ...bubbles.filter(bubble => !isDim(bubble))].map(circle),
      ];
      if (isMuted) return drawn;
      const trendPath = tile.trend ? linePathOf(bubbles) : undefined;
      const named =
        tile.labels === false
          ? 0
          : tile.labels || bubbles.length <= fewPoints
            ? bubbles.length
            : sizeMeasure
              ? largestPoints
              : 0;
      return [
        ...drawn,
        ...(trendPath ? [trendPath] : []),
        ...namesBeside(
          bubbles.filter(bubble => !isDim(bubble)),
          named,
          ways,
        ),
      ];
    },
  };

  /** The largest first, so that none is hidden by another that could stand behind it. */
  function bubblesOf(values: Float64Array): readonly Bubble[] {
    const found: Bubble[] = [];
    for (let group = 0; group < groups; group++) {
      const [x, y] = [values[group]!, values[groups + group]!];
      const colour = colourAxis ? group % colours : -1;
      const detail = Math.floor(group / colours);
      if (
        detail >= names.length ||
        (colour >= 0 && hidden?.has(colour)) ||
        !xScale.shows(x) ||
        !yScale.shows(y)
      )
        continue;
      found.push({
        group,
        detail,
        colour,
        name: names[detail]!,
        x: xScale.toPixel(x),
        y: yScale.toPixel(y),
        radius: radiusOf(values, group),
        isOther: detailAxis.kind === 'categories' && detail >= detailAxis.values.length,
      });
    }
    return found.sort((a, b) => b.radius - a.radius || a.group - b.group);
  }

  function colourOf({ colour, isOther }: Bubble): string {
    return isOther ? theme.text3 : series[Math.max(0, colour)]!.colour;
  }

  /**
   * A scale with as much room beyond the outermost points as the largest takes, unless the tile says where it
   * ends.
   */
  function scaleOf(
    which: number,
    measure: ChartMeasure,
    encoding: MeasureEncoding,
    from: number,
    to: number,
    channel: 'x' | 'y',
  ): ValueScale {
    const references =
      tile.kind === 'scatter'
        ? (tile.references ?? [])
            .flatMap(reference => reference[channel] ?? [])
            .filter(value => typeof value === 'number')
        : [];
    const [low, high] = extentOf(...room.map(values => valuesOf(values, which)), references);
    const beyond = ((high - low) * padding) / Math.max(1, Math.abs(to - from) - 2 * padding);
    const options = scaleOptions(encoding);
    const { tickCount, format } = axisOptions(encoding);
    const isPlain = options.type === undefined || options.type === 'linear';
    // Powers of ten lie far apart: a scale to the next of them would be half empty.
    const least = Math.min(
      ...room.flatMap(values => [...valuesOf(values, which)].filter(value => value > 0)),
    );
    const domain: [number, number] | undefined =
      options.type === 'log' && high > 0 ? [least / 1.25, high * 1.25] : undefined;
    const bottom = !isPlain || low === 0 ? low : low > 0 ? Math.max(0, low - beyond) : low - beyond;
    return valueScale(bottom, isPlain ? high + beyond : high, from, to, measure, locale, {
      ...(format && { format }),
      floats: encoding.scale?.zero !== true,
      ...(domain && { domain }),
      ...options,
      ...(channel === 'x' && { ticks: Math.max(2, Math.min(8, Math.round(Math.abs(to - from) / 80))) }),
      ...(tickCount && { ticks: tickCount }),
    });
  }

  function gridOf(): Mark[] {
    return [
      ...yScale.ticks.flatMap((tick): Mark[] => [
        ...(beside.grid !== false || tick.value === 0
          ? [
              {
                kind: 'rects',
                xywh: [plot.x, Math.round(tick.pixel), plot.width, 1],
                fill: tick.value === 0 ? theme.axis : theme.grid,
              } as const,
            ]
          : []),
        ...(beside.labels
          ? [
              {
                kind: 'text',
                x: plot.x - 8,
                y: tick.pixel + 4,
                text: tick.label,
                fill: theme.text3,
                align: 'right',
                size: labelSize,
              } as const,
            ]
          : []),
      ]),
      ...xScale.ticks.flatMap((tick): Mark[] => {
        const half = textWidth(tick.label, labelSize) / 2;
        const align = tick.pixel + half > size.width ? 'right' : 'center';
        return [
          ...(along.grid !== false || tick.value === 0
            ? [
                {
                  kind: 'rects',
                  xywh: [Math.round(tick.pixel), plot.y, 1, plot.height],
                  fill: tick.value === 0 ? theme.axis : theme.grid,
                } as const,
              ]
            : []),
          ...(along.labels
            ? [
                {
                  kind: 'text',
                  x: align === 'right' ? size.width : tick.pixel,
                  y: size.height - 4,
                  text: tick.label,
                  fill: theme.text3,
                  align,
                  size: labelSize,
                } as const,
              ]
            : []),
        ];
      }),
    ];
  }

  /** The names of the two axes and of the size, without which the points mean nothing. */
  function titles(): Mark[] {
    const title = (text: string, x: number, y: number, align: 'left' | 'right'): Mark => ({
      kind: 'text',
      x,
      y,
      text: fitText(text, plot.width * 0.6, 10),
      fill: theme.text2,
      align,
      size: 10,
      weight: 600,
    });
    const above = top - 9;
    return [
      ...(beside.title ? [] : [title(`↑ ${yMeasure.label}`, 0, above, 'left')]),
      ...(along.title
        ? []
        : [title(`${xMeasure.label} →`, plot.x + plot.width - 2, plot.y + plot.height - 5, 'right')]),
      ...(sizeMeasure ? [title(words.sized(sizeMeasure.label), plot.x + plot.width, above, 'right')] : []),
    ];
  }

  /** A line for each colour through its points, in the order of the values they are of. */
  function waysThrough(bubbles: readonly Bubble[], isMuted: boolean): Way[] {
    const direction = tile.kind === 'scatter' && tile.order?.sort === 'descending' ? -1 : 1;
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
    ].map(([colour, own]): Way => ({
      kind: 'line',
      xy: own.toSorted(inOrder).flatMap(({ x, y }) => [x, y]),
      stroke: isMuted ? theme.unfiltered : series[Math.max(0, colour)]!.colour,
      width: 1.5,
      opacity: 0.6,
    }));
  }

  function linePathOf(bubbles: readonly Bubble[]): Mark | undefined {
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

  /**
   * A name right of its point, else left of it, above or below: wherever nothing stands yet. Those of larger
   * points come first.
   */
  function namesBeside(bubbles: readonly Bubble[], most: number, ways: readonly Way[]): Mark[] {
    const below: Rectangle = {
      x: plot.x + plot.width - textWidth(xMeasure.label, 10) - 18,
      y: plot.y + plot.height - 14,
      width: plot.width,
      height: 14,
    };
    const occupied: Rectangle[] = [
      below,
      ...bubbles.map(({ x, y, radius }) => ({
        x: x - radius,
        y: y - radius,
        width: radius * 2,
        height: radius * 2,
      })),
      ...ways.flatMap(alongWay),
    ];
    return bubbles.slice(0, most).flatMap((bubble): Mark[] => {
      const text = fitText(bubble.name, 120, labelSize);
      const width = textWidth(text, labelSize);
      const { x, y, radius } = bubble;
      if (width < radius * 2 - 6)
        return [{ kind: 'text', x, y: y + 4, text, fill: theme.text, align: 'center', size: labelSize }];
      const positions = (
        [
          ['left', x + radius + 3, y - 6],
          ['right', x - radius - 3 - width, y - 6],
          ['center', x - width / 2, y - radius - 14],
          ['center', x - width / 2, y + radius + 2],
        ] as const
      ).map(([align, px, py]) => ({ align, x: px, y: py, width, height: 12 }));
      const free = positions.find(
        position =>
          position.x >= plot.x &&
          position.x + width <= size.width &&
          position.y >= 12 &&
          position.y + 12 <= plot.y + plot.height &&
          occupied.every(other => !overlap(position, other)),
      );
      if (!free) return [];
      occupied.push(free);
      return [
        {
          kind: 'text',
          x: free.x + { left: 0, center: width / 2, right: width }[free.align],
          y: free.y + 10,
          text,
          fill: theme.text2,
          align: free.align,
          size: labelSize,
        },
      ];
    });
  }
}

/** Small pieces of the ground that a line goes over, for names to stand beside it. */
function alongWay({ xy }: Way): Rectangle[] {
  const pieces: Rectangle[] = [];
  for (let i = 2; i < xy.length; i += 2) {
    const [x, y, nextX, nextY] = xy.slice(i - 2, i + 2) as [number, number, number, number];
    const steps = Math.ceil(Math.hypot(nextX - x, nextY - y) / 6);
    for (let step = 0; step <= steps; step++)
      pieces.push({
        x: x + ((nextX - x) * step) / steps - 2,
        y: y + ((nextY - y) * step) / steps - 2,
        width: 4,
        height: 4,
      });
  }
  return pieces;
}

function overlap(a: Rectangle, b: Rectangle): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
