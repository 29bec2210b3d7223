import { positionsOf, slotsOf } from '@belvedere/query';
import type { Chart, ChartInput, ChartPoint, Panel } from './chart.ts';
import { annotationsIn } from './guides/annotations.ts';
import { positionName } from './guides/place-axis.ts';
import type { Mark } from './scene.ts';
import { fitText } from './text/text-width.ts';

const labelHeight = 16;
const gap = 14;
const minSize = { width: 110, height: 80 };

/**
 * Draws a chart for each value of the row and column fields. All share a scale, unless each has its own. With
 * one field, they flow into as many lines as fit.
 * @param draw draws one panel
 */
export function drawFacets(input: ChartInput, draw: (input: ChartInput) => Chart): Chart {
  const { axes, theme, locale, measures, headroom = 0 } = input;
  const size = { ...input.size, height: input.size.height - headroom };
  const rowAxis = axes.find(axis => axis.channel === 'row');
  const columnAxis = axes.find(axis => axis.channel === 'column');
  const inner = axes.filter(axis => axis.channel !== 'row' && axis.channel !== 'column');
  const groups = inner.reduce((product, axis) => product * slotsOf(axis), 1);
  const [rows, columns] = [rowAxis ? positionsOf(rowAxis) : 1, columnAxis ? positionsOf(columnAxis) : 1];
  const columnSlots = columnAxis ? slotsOf(columnAxis) : 1;
  const total = (rowAxis ? slotsOf(rowAxis) : 1) * columnSlots * groups;
  const isGrid = rowAxis !== undefined && columnAxis !== undefined;
  const count = rows * columns;
  const across = isGrid ? columns : rowAxis ? 1 : bestAcross(count, size);
  const down = isGrid ? rows : Math.ceil(count / across);
  const width = Math.max(minSize.width / 2, (size.width - gap * (across - 1)) / across);
  const height = Math.max(minSize.height / 2, (size.height - gap * 0.5 * (down - 1)) / down);
  const valuesOf = (row: number, column: number) => (values: Float64Array) => {
    const from = (row * columnSlots + column) * groups;
    if (measures.length === 1) return values.subarray(from, from + groups);
    const part = new Float64Array(groups * measures.length);
    for (let m = 0; m < measures.length; m++)
      part.set(values.subarray(m * total + from, m * total + from + groups), m * groups);
    return part;
  };
  const room = [input.base, ...(input.filtered ? [input.filtered] : [])].flatMap(values =>
    extremes(values, total, groups, measures.length),
  );
  const isFree = 'scales' in input.tile && input.tile.scales === 'free';
  const panels: Panel[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      const [x, y] = [
        (at % across) * (width + gap),
        headroom + Math.floor(at / across) * (height + gap * 0.5),
      ];
      const label = [
        rowAxis && positionName(rowAxis, row, locale),
        columnAxis && positionName(columnAxis, column, locale),
      ]
        .filter(Boolean)
        .join(' · ');
      const own = valuesOf(row, column);
      const chart = draw({
        ...input,
        tile: tileIn(row, column),
        headroom: 0,
        isInRow: panels.length > 0 && !isFree,
        axes: inner,
        base: own(input.base),
        ...(input.filtered && { filtered: own(input.filtered) }),
        ...(input.points && { points: pointsOfPanel(input.points, panelAt(row, column)) }),
        ...(!isFree && { room }),
        size: { width, height: Math.max(24, height - labelHeight) },
      });
      panels.push({
        chart,
        x,
        y: y + labelHeight,
        width,
        height: height - labelHeight,
        ...panelAt(row, column),
        label,
        valuesOf: own,
      });
    }
  }
  const titles = panels.map((panel): Mark => ({
    kind: 'text',
    x: panel.x,
    y: panel.y - 4,
    text: fitText(panel.label, width - 4, 11),
    fill: theme.text2,
    align: 'left',
    size: 11,
    weight: 600,
  }));
  return {
    plot: { x: 0, y: headroom, ...size },
    panels,
    series: panels[0]?.chart.series ?? [],
    guides: [
      ...titles,
      ...panels.map(({ chart, x, y }): Mark => ({ kind: 'group', x, y, marks: chart.guides })),
    ],
    marks: (values, look) =>
      panels.map((panel): Mark => {
        const { isSelectedIn, points, ...own } = look;
        const isSelected = isSelectedIn?.(panel);
        return {
          kind: 'group',
          x: panel.x,
          y: panel.y,
          marks: panel.chart.marks(panel.valuesOf(values), {
            ...own,
            ...(points && { points: pointsOfPanel(points, panel) }),
            ...(isSelected && { isSelected }),
          }),
        };
      }),
  };

  function tileIn(row: number, column: number): ChartInput['tile'] {
    const { tile } = input;
    if (!('annotations' in tile) || !tile.annotations) return tile;
    return {
      ...tile,
      annotations: [
        ...annotationsIn(tile.annotations, rowAxis && [rowAxis, row], columnAxis && [columnAxis, column]),
      ],
    };
  }

  function panelAt(row: number, column: number): Pick<Panel, 'row' | 'column'> {
    return { ...(rowAxis && { row }), ...(columnAxis && { column }) };
  }
}

function pointsOfPanel(
  points: readonly ChartPoint[],
  { row, column }: Pick<Panel, 'row' | 'column'>,
): readonly ChartPoint[] {
  return points.filter(
    point => (row === undefined || point.row === row) && (column === undefined || point.column === column),
  );
}

/** Returns the number of columns that makes panels about 1.5 times as wide as high. */
function bestAcross(count: number, size: { width: number; height: number }): number {
  let best = 1;
  let bestMiss = Infinity;
  for (let across = 1; across <= count; across++) {
    const [width, height] = [size.width / across, size.height / Math.ceil(count / across)];
    if (across > 1 && width < minSize.width) break;
    const miss =
      Math.abs(Math.log(width / height / 1.6)) + (Math.ceil(count / across) * across - count) * 0.1;
    if (miss < bestMiss) [best, bestMiss] = [across, miss];
  }
  return best;
}

/**
 * Returns minimum and maximum of each group over all panels. The stack of the maxima is at least as high as
 * any stack.
 */
function extremes(values: Float64Array, total: number, groups: number, measures: number): Float64Array[] {
  const [min, max] = [
    new Float64Array(groups * measures).fill(Number.NaN),
    new Float64Array(groups * measures).fill(Number.NaN),
  ];
  for (let m = 0; m < measures; m++) {
    for (let i = 0; i < total; i++) {
      const value = values[m * total + i]!;
      const at = m * groups + (i % groups);
      if (Number.isNaN(value)) continue;
      if (!(min[at]! <= value)) min[at] = value;
      if (!(max[at]! >= value)) max[at] = value;
    }
  }
  return [min, max];
}
