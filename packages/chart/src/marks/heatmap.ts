import { positionsOf, slotsOf, type Axis } from '@belvedere/query';
import { colourScale } from '../scales/colour.ts';
import type { Chart, ChartInput, Look } from '../chart.ts';
import { formatNumber } from '../text/format.ts';
import { axisOptions, hasLegend } from '../guides/axis-options.ts';
import { isReversed, labelsBelow, labelSize } from '../guides/frame.ts';
import { categoryLabel, verticalLabels } from '../guides/place-axis.ts';
import { namesBeside, type NamesBeside } from '../guides/names-beside.ts';
import { namesBelow, oneLine } from '../guides/names-below.ts';
import { extentOf } from '../guides/value-axis.ts';
import { positionScale, type PositionScale } from '../scales/position.ts';
import type { Mark } from '../scene.ts';
import { textWidth } from '../text/text-width.ts';
import { inkOn } from '../theme/theme.ts';

/** Minimum height of a row with a label. */
const rowOfText = 13;

/** Draws cells coloured by a measure; for a scatter of many points, by their density. */
export function drawHeatmap(input: ChartInput): Chart {
  const { axes, theme, locale, size, tile } = input;
  const [measure] = input.measures;
  const xAxis = axes.find(axis => axis.channel === 'x')!;
  const yAxis = axes.find(axis => axis.channel === 'y')!;
  const isDensity = tile.kind === 'scatter';
  const [along, beside] = [
    axisOptions((tile as { x?: unknown }).x),
    axisOptions((tile as { y?: unknown }).y),
  ];
  const top = 4 + (input.headroom ?? 0);
  const isContinuous = yAxis.kind !== 'categories';
  const names =
    yAxis.kind === 'categories'
      ? Array.from({ length: slotsOf(yAxis) }, (_, position) =>
          categoryLabel(yAxis, position, locale, beside),
        )
      : [];
  // The legend has a line below the labels if the tile is high enough.
  const rampHeight = size.height >= 150 && hasLegend(tile) ? 16 : 0;
  const provisional = positionScale(yAxis, size.height - 20, top);
  const yLabels = yAxis.kind === 'categories' ? [] : verticalLabels(provisional, locale, beside);
  const rowNames = (rowHeight: number) => namesBeside(names, size.width * 0.4 - 12, rowHeight, labelSize);
  const leftOf = ({ width }: NamesBeside) =>
    beside.labels ? Math.max(width, ...yLabels.map(label => textWidth(label.label, labelSize)), 12) + 12 : 4;
  // Wrapped row labels are no wider than single-line ones.
  const narrowest = Math.max(10, size.width - leftOf(rowNames(0)) - 4);
  // Slanted labels leave each row the height of its label, unless they would be too short.
  const spare = size.height - top - rampHeight - rowOfText * positionsOf(yAxis) - 8 - labelSize;
  const deepest = Math.min(size.height / 3, spare >= 40 ? spare : Infinity);
  const namesOfColumns = along.labels
    ? namesBelow(xAxis, narrowest / positionsOf(xAxis), size.height, locale, labelSize, along, { deepest })
    : { ...oneLine, depth: 6 };
  const height = Math.max(10, size.height - top - namesOfColumns.depth - rampHeight);
  const namesOfRows = rowNames(height / positionsOf(yAxis));
  const left = leftOf(namesOfRows);
  const plot = { x: left, y: top, width: Math.max(10, size.width - left - 4), height };
  const x = positionScale(xAxis, plot.x, plot.x + plot.width, isReversed(input, 'x'));
  // Categories run from the top down, numbers and times upwards.
  const y = isContinuous
    ? positionScale(yAxis, plot.y + plot.height, plot.y, isReversed(input, 'y'))
    : positionScale(yAxis, plot.y, plot.y + plot.height, isReversed(input, 'y'));
  const perRow = slotsOf(yAxis);
  const extentWhere = (holds: (column: number, row: number) => boolean) =>
    extentOf(
      ...(input.room ?? [input.filtered ?? input.base]).map(values =>
        values.filter((_, group) => holds(Math.floor(group / perRow), group % perRow)),
      ),
    );
  // Null groups and values outside the axes are not drawn, so they must not extend the scale.
  const isShown = (column: number, row: number) => column < x.positions && row < y.positions;
  // Other combines all remaining values. On the common scale, its sums would make all other cells pale.
  const [otherColumn, otherRow] = measure!.isAdditive
    ? [otherPosition(xAxis), otherPosition(yAxis)]
    : [-1, -1];
  const [min, max] = extentWhere(isShown);
  const [low, high] =
    otherColumn < 0 && otherRow < 0
      ? [min, max]
      : extentWhere((column, row) => isShown(column, row) && column !== otherColumn && row !== otherRow);
  const { colours, bucketOf, legend } = colourScale([low, high], measure!, input, {
    isSquareRoot: isDensity,
    hasMore: max > high,
    hasLess: min < Math.min(0, low),
  });
  const gap = isDensity ? 0 : 1;
  const columns = wholePixels(x, gap);
  const rows = wholePixels(y, gap);
  const every = Math.max(
    1,
    Math.ceil(rowOfText / (plot.height / y.positions)),
    beside.tickCount ? Math.round(y.positions / beside.tickCount) : 1,
  );
  const isLabelled = 'labels' in tile && tile.labels === true && plot.height / y.positions >= 14;
  const nameMarks = names.flatMap((_, position) =>
    position % every === 0 ? namesOfRows.marks(position, plot.x - 8, y.middle(position), theme.text2) : [],
  );
  const cells = { x, y, columns, rows, perRow, colours, bucketOf, isDensity, isLabelled };
  const guides: Mark[] = [
    ...(rampHeight > 0 ? legend(plot.x + plot.width, size.height - 3) : []),
    ...(beside.labels && isContinuous
      ? tickLabels(verticalLabels(y, locale, beside), plot.x - 8, theme)
      : []),
    ...(beside.labels ? nameMarks : []),
    ...labelsBelow(x, plot, { ...along, grid: false }, size.height - 4 - rampHeight, input, namesOfColumns),
  ];
  return {
    plot,
    guides,
    x,
    y,
    series: [],
    marks: (values, look) => heatmapCells(cells, values, look, input),
  };
}

/** Labels at the ticks of a vertical axis, which end at `right`. */
function tickLabels(
  labels: ReturnType<typeof verticalLabels>,
  right: number,
  theme: ChartInput['theme'],
): Mark[] {
  return labels.map(label => ({
    kind: 'text',
    x: right,
    y: label.pixel + 4,
    text: label.label,
    fill: theme.text3,
    align: 'right',
    size: labelSize,
  }));
}

/** The cells of a heatmap: their axes, their pixels and their colours. */
interface HeatmapCells extends Pick<ReturnType<typeof colourScale>, 'colours' | 'bucketOf'> {
  readonly x: PositionScale;
  readonly y: PositionScale;
  /** Start and length of each column and row, in turn. */
  readonly columns: Float64Array;
  readonly rows: Float64Array;
  /** The number of groups in each column, with those that are not drawn. */
  readonly perRow: number;
  readonly isDensity: boolean;
  readonly isLabelled: boolean;
}

/** Draws the cells of each colour as one mark, then the labels that fit. */
function heatmapCells(
  { x, y, columns, rows, perRow, colours, bucketOf, isDensity, isLabelled }: HeatmapCells,
  values: Float64Array,
  { isMuted, isSelected }: Look,
  { theme, locale, measures }: Pick<ChartInput, 'theme' | 'locale' | 'measures'>,
): Mark[] {
  const byColour: number[][] = colours.map(() => []);
  const dim: number[] = [];
  const labels: Mark[] = [];
  for (let i = 0; i < x.positions; i++) {
    for (let j = 0; j < y.positions; j++) {
      const value = values[i * perRow + j]!;
      if (Number.isNaN(value) || (isDensity && value === 0)) continue;
      const isDim = isMuted || (isSelected && !isSelected(i, j));
      const bucket = bucketOf(value);
      const target = isDim ? dim : byColour[bucket]!;
      target.push(columns[2 * i]!, rows[2 * j]!, columns[2 * i + 1]!, rows[2 * j + 1]!);
      if (!isLabelled || isDim) continue;
      const text = formatNumber(value, measures[0]!.format, locale, 'label');
      const [from, to] = x.span(i);
      if (textWidth(text, labelSize) < to - from - 4)
        labels.push({
          kind: 'text',
          x: x.middle(i),
          y: y.middle(j) + 4,
          text,
          fill: inkOn(colours[bucket]!),
          align: 'center',
          size: labelSize,
        });
    }
  }
  return [
    { kind: 'rects', xywh: dim, fill: theme.unfiltered, opacity: isMuted && !isDensity ? 0.55 : 1 },
    ...byColour.map((xywh, bucket): Mark => ({ kind: 'rects', xywh, fill: colours[bucket]! })),
    ...labels,
  ];
}

/** Returns start and length of each position, in turn, in whole pixels with `gap` between them. */
function wholePixels(axisScale: PositionScale, gap: number): Float64Array {
  const found = new Float64Array(axisScale.positions * 2);
  for (let position = 0; position < axisScale.positions; position++) {
    const [from, to] = axisScale.span(position).map(Math.round) as [number, number];
    found.set([from, Math.max(1, to - from - gap)], position * 2);
  }
  return found;
}

/** Returns the position of *Other* on a colour-scaled axis; -1 without it. */
function otherPosition(axis: Axis): number {
  return axis.kind === 'categories' && axis.other && axis.values.length > 1 ? axis.values.length : -1;
}
