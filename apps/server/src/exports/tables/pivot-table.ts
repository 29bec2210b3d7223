import { emptyReasonOf, type Frame } from '@belvedere/api';
import {
  chartMessagesIn,
  extentOf,
  isThere,
  pivotColumns,
  pivotLines,
  pivotValues,
  positionName,
  type ChannelAxis,
} from '@belvedere/chart';
import type { Tile } from '@belvedere/document';
import type { Model } from '@belvedere/model';
import { dimensionOf, groupsOf } from '@belvedere/query';
import { positionInFile } from './axis-cells.ts';
import { measureColumns } from './export-columns.ts';
import type { ExportColumn, ExportTable, ExportValue } from './export-table.ts';
import { partOf, type ResultPart } from './result-part.ts';

type PivotTile = Tile & { kind: 'pivot' };
type PivotBody = Pick<ExportTable, 'columns' | 'rows' | 'blank' | 'emptyReason' | 'totals'>;

/**
 * Returns a pivot tile with all its rows expanded, as on the page.
 * @param isDrawn whether positions are named as on the page, instead of as in a file
 */
export function pivotTable(
  tile: PivotTile,
  model: Model,
  frames: readonly Frame[],
  locale: string,
  isDrawn: boolean,
): PivotBody {
  const measures = measureColumns(tile, model, locale);
  const main = partOf(frames, 'main');
  if (!main) return { columns: [], rows: [] };
  const rowAxes = main.axes.filter(axis => axis.channel === 'row');
  const columnAxes = main.axes.filter(axis => axis.channel === 'column');
  const { total } = chartMessagesIn(locale);
  const nameIn = (axis: ChannelAxis, position: number) =>
    isDrawn ? positionName(axis, position, locale) : positionInFile(axis, position, locale);
  const columnName = (positions: readonly number[]) => {
    if (positions.length === 0) return total;
    const names = positions.map((position, i) => nameIn(columnAxes[i]!, position));
    return [...names, ...(positions.length < columnAxes.length ? [total] : [])].join(' › ');
  };
  const rowCell = (positions: readonly number[], axis: number): string => {
    if (axis < positions.length) return nameIn(rowAxes[axis]!, positions[axis]!);
    return axis === positions.length ? total : '';
  };
  const valueAt = valuesOf(frames, rowAxes.length, columnAxes.length);
  const cellAt = (row: readonly number[], column: readonly number[], measure: number): ExportValue => {
    const value = valueAt(row, column, measure);
    return isThere(value) ? value : null;
  };
  const lines = pivotLines(rowAxes, new Set(), positions =>
    measures.some((_, m) => isThere(valueAt(positions, [], m))),
  );
  const columns = pivotColumns(columnAxes);
  const heat = tile.heat ? measures.map((_, m) => heatOf(main, m)) : undefined;
  const emptyReason = emptyReasonOf(tile, main.header, main.values);
  return {
    columns: [
      ...rowAxes.map((axis): ExportColumn => ({ label: dimensionOf(model, axis.field).label, type: 'text' })),
      ...columns.flatMap(({ positions }) =>
        measures.map((measure, m): ExportColumn => ({
          ...measure,
          ...(heat && positions.length === columnAxes.length && { heat: heat[m]! }),
          label:
            columnAxes.length === 0
              ? measure.label
              : measures.length === 1
                ? columnName(positions)
                : `${columnName(positions)} · ${measure.label}`,
        })),
      ),
    ],
    rows: lines.map(line => [
      ...rowAxes.map((_, i) => rowCell(line.positions, i)),
      ...columns.flatMap(column => measures.map((_, m) => cellAt(line.positions, column.positions, m))),
    ]),
    blank: '',
    ...(emptyReason && { emptyReason }),
    totals: new Set(lines.flatMap((line, i) => (line.positions.length < rowAxes.length ? [i] : []))),
  };
}

/** Looks values up in the result's parts: subtotals are in parts of their own. */
function valuesOf(frames: readonly Frame[], rows: number, columns: number) {
  const parts = new Map<string, ResultPart | undefined>();
  return pivotValues((r, c) => {
    const name = r === rows && c === columns ? 'main' : `r${r}c${c}`;
    if (!parts.has(name)) parts.set(name, partOf(frames, name));
    return parts.get(name);
  });
}

/** The shading of a measure's cells, over the extent of its values without totals. */
function heatOf(main: ResultPart, measure: number): NonNullable<ExportColumn['heat']> {
  const cells = groupsOf(main.axes);
  return {
    extent: extentOf(main.values.subarray(measure * cells, (measure + 1) * cells)),
    isAdditive: main.additive[measure] ?? false,
  };
}
