import { slotOf, type Value } from '@belvedere/query';
import type { ChannelAxis, ChartPoint } from '../chart.ts';

/**
 * Converts rows to points. A row has x, y and then a value for each axis (colour, shape, row, column). Rows
 * without x or y are dropped.
 */
export function pointsOfRows(
  rows: readonly (readonly Value[])[],
  axes: readonly ChannelAxis[],
): ChartPoint[] {
  return rows.flatMap(([x, y, ...tooltipValues], index): ChartPoint[] => {
    if (typeof x !== 'number' || typeof y !== 'number') return [];
    const positions = Object.fromEntries(
      axes.map((axis, i) => [axis.channel, slotOf(axis, tooltipValues[i] ?? null)]),
    );
    return [
      {
        index,
        x,
        y,
        colour: positions['color'] ?? 0,
        ...(positions['shape'] !== undefined && { shape: positions['shape'] }),
        ...(positions['row'] !== undefined && { row: positions['row'] }),
        ...(positions['column'] !== undefined && { column: positions['column'] }),
      },
    ];
  });
}

/** The key of a shape among the hidden legend entries. Colours are keyed by position. */
export function hiddenShape(shape: number): number {
  return -1 - shape;
}

/** Whether a point's colour or shape is hidden in the legend. */
export function isHidden({ colour, shape }: ChartPoint, hidden: ReadonlySet<number> | undefined): boolean {
  return (
    hidden !== undefined && (hidden.has(colour) || (shape !== undefined && hidden.has(hiddenShape(shape))))
  );
}
