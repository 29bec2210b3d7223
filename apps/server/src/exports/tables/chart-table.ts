import type { Frame } from '@belvedere/api';
import { dataTableRows, isChartTile } from '@belvedere/chart';
import type { Tile } from '@belvedere/document';
import type { Model } from '@belvedere/model';
import { dimensionOf } from '@belvedere/query';
import { axisCells } from './axis-cells.ts';
import { measureColumns } from './export-columns.ts';
import type { ExportColumn, ExportTable } from './export-table.ts';
import { partOf } from './result-part.ts';

/** Returns the numbers of a chart or KPI as its table view has them, with one row per position. */
export function chartTable(
  tile: Tile,
  model: Model,
  frames: readonly Frame[],
  locale: string,
): Pick<ExportTable, 'columns' | 'rows'> {
  const measures = measureColumns(tile, model, locale);
  const main = partOf(frames, 'main');
  if (!main || (!isChartTile(tile) && tile.kind !== 'kpi')) return { columns: measures, rows: [] };
  const number = (value: number) => (Number.isNaN(value) ? null : value);
  if (main.axes.length === 0)
    return { columns: measures, rows: [measures.map((_, i) => number(main.values[i]!))] };
  const rows = dataTableRows(main.axes, main.values, measures.length, locale, keepsPositions.has(tile.kind));
  const cells = main.axes.map((axis, i) =>
    axisCells(
      axis,
      rows.map(({ positions, names }) => ({ position: positions[i]!, name: names[i]! })),
    ),
  );
  return {
    columns: [
      ...main.axes.map((axis, i): ExportColumn => ({
        label: dimensionOf(model, axis.field).label,
        type: cells[i]!.type,
      })),
      ...measures,
    ],
    rows: rows.map((row, at) => [...cells.map(({ values }) => values[at]!), ...row.values.map(number)]),
  };
}

/**
 * Kinds that draw series along one axis keep every position, with or without a value. In grids and trees,
 * most combinations are empty.
 */
const keepsPositions: ReadonlySet<Tile['kind']> = new Set([
  'bar',
  'line',
  'area',
  'combo',
  'radar',
  'waterfall',
]);
