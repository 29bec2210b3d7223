import { positionName, type ChannelAxis } from '@belvedere/chart';
import { edgeOf, nullSlot, outsideSlot } from '@belvedere/query';
import { isoTime } from './cell-text.ts';
import type { ExportColumn, ExportValue } from './export-table.ts';

interface AxisCells {
  readonly type: ExportColumn['type'];
  readonly values: readonly ExportValue[];
}

/**
 * Returns an axis' cells for a file: times as the start of each period, other positions as names.
 * Rows beyond the ends of a time axis have a name but no time. Such a column is text, with its times in ISO
 * 8601.
 */
export function axisCells(
  axis: ChannelAxis,
  cells: readonly { readonly position: number; readonly name: string }[],
): AxisCells {
  if (axis.kind !== 'times') return { type: 'text', values: cells.map(({ name }) => name) };
  const type = timeTypeOf(axis);
  const outside = outsideSlot(axis);
  const hasOutside = cells.some(({ position }) => position === outside);
  const values = cells.map(({ position, name }): ExportValue => {
    if (position === nullSlot(axis)) return null;
    if (position === outside) return name;
    return hasOutside ? positionInFile(axis, position, '') : edgeOf(axis, position);
  });
  return { type: hasOutside ? 'text' : type, values };
}

/** Names a position in a file: a time by its start in ISO 8601, anything else as on the page. */
export function positionInFile(axis: ChannelAxis, position: number, locale: string): string {
  return axis.kind === 'times' && position < axis.count
    ? isoTime(edgeOf(axis, position), timeTypeOf(axis))
    : positionName(axis, position, locale);
}

function timeTypeOf({ unit }: ChannelAxis & { kind: 'times' }): 'date' | 'time' {
  return unit === 'hour' || unit === 'minute' ? 'time' : 'date';
}
