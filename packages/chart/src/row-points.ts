import { slotOf, type Value } from '@belvedere/query';
import type { ChannelAxis, ChartPoint } from './chart.ts';

/**
 * Rows as points: where they lie, then for each of the axes that tell them apart (colour, shape, row, column)
 * what they have along it. Without a place there is no point.
 */
export function pointsOfRows(
  rows: readonly (readonly Value[])[],
  axes: readonly ChannelAxis[],
): ChartPoint[] {
  return rows.flatMap(([x, y, ...told], index): ChartPoint[] => {
    if (typeof x !== 'number' || typeof y !== 'number') return [];
    const positions = Object.fromEntries(
      axes.map((axis, i) => [axis.channel, slotOf(axis, told[i] ?? null)]),
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

/** A shape among what a legend has left away, beside colours, which are their places. */
export function hiddenShape(shape: number): number {
  return -1 - shape;
}

/** Whether a legend has left away a point's colour or its shape. */
export function isHidden({ colour, shape }: ChartPoint, hidden: ReadonlySet<number> | undefined): boolean {
  return (
    hidden !== undefined && (hidden.has(colour) || (shape !== undefined && hidden.has(hiddenShape(shape))))
  );
}
