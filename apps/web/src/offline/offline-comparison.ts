import type { CellsHeader, Frame, IndexHeader, OfflineComparison, TileNote } from '@belvedere/api';
import {
  comparedPeriod,
  comparisonPeriod,
  formatCalendarTime,
  timeOfEdge,
  type Box,
  type Range,
} from '@belvedere/query';
import { brushedCells } from './brushed-cells.ts';

/** A KPI's comparison under a brush: its note, and the cells of the comparison period if there are any. */
export interface BrushedComparison {
  readonly note: TileNote;
  readonly cells?: Frame['cells'];
}

/**
 * Compares a KPI under a brush as the server would.
 * @param index the brush index of the comparison
 * @param base the comparison without a brush
 */
export function brushedComparison(
  { by, period, time, dataStart, dataEnd }: OfflineComparison,
  index: Frame | undefined,
  base: { readonly notes: CellsHeader['notes']; readonly cells: Frame['cells'] },
  boxes: readonly Box[],
): BrushedComparison {
  const baseNote = base.notes.find(
    note => note.kind === 'compared' || note.kind === 'nothing-to-compare',
  ) ?? {
    kind: 'nothing-to-compare',
  };
  if (time !== undefined && typeof by !== 'object') {
    const moved = movedBoxes(
      boxes,
      time,
      { from: period.from ?? -Infinity, below: period.below ?? Infinity },
      by,
      dataEnd,
    );
    if (!moved) return { note: { kind: 'nothing-to-compare' } };
    return earlier({ kind: 'compared', ...comparedPeriod(moved.range, dataStart) }, moved.boxes);
  }
  if (baseNote.kind === 'nothing-to-compare') return { note: baseNote };
  return index ? earlier(baseNote, boxes) : { note: baseNote, ...(base.cells && { cells: base.cells }) };

  function earlier(note: TileNote, of: readonly Box[]): BrushedComparison {
    const cells = index?.cells && brushedCells(index.header as IndexHeader, index.cells, of);
    return cells ? { note, cells } : { note: { kind: 'comparison-not-offline' } };
  }
}

/**
 * Moves the boxes to the comparison period of the time that they and the KPI's own period have in common, as
 * the server does.
 * @returns undefined if that time has no beginning or no end
 */
function movedBoxes(
  boxes: readonly Box[],
  time: string,
  own: Range,
  by: Parameters<typeof comparisonPeriod>[1],
  dataEnd: number | undefined,
): { readonly range: Range; readonly boxes: readonly Box[] } | undefined {
  const ranges = boxes.map(box => rangeIn(box, time));
  const brushed = {
    from: Math.min(...ranges.map(range => range.from)),
    below: Math.max(...ranges.map(range => range.below)),
  };
  const earlier = comparisonPeriod(
    { from: Math.max(own.from, brushed.from), below: Math.min(own.below, brushed.below) },
    by,
    dataEnd,
  );
  if (!earlier) return undefined;
  const { range, back } = earlier;
  const moment = (edge: number) => (Number.isFinite(edge) ? back(edge) : edge);
  const moved = boxes.flatMap((box, i) => {
    const from = Math.max(moment(own.from), moment(ranges[i]!.from), range.from);
    const below = Math.min(moment(own.below), moment(ranges[i]!.below), range.below);
    return from < below
      ? [{ ...box, [time]: { from: formatCalendarTime(from), below: formatCalendarTime(below) } }]
      : [];
  });
  return { range, boxes: moved };
}

function rangeIn(box: Box, time: string): Range {
  const condition = box[time];
  if (!condition || !('from' in condition || 'below' in condition))
    return { from: -Infinity, below: Infinity };
  const edge = (value: string | number | undefined, open: number) =>
    value === undefined ? open : timeOfEdge(value);
  return { from: edge(condition.from, -Infinity), below: edge(condition.below, Infinity) };
}
