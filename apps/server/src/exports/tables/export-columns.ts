import { chartMessagesIn, layerLabel } from '@belvedere/chart';
import type { Tile } from '@belvedere/document';
import type { Model } from '@belvedere/model';
import { isRatio, measureOf, resultMeasures, tileShape } from '@belvedere/query';
import { measureLabel } from '../../queries/models/measure-label.ts';
import type { TablePage } from '../../queries/rows/table-pages.ts';
import type { ExportColumn } from './export-table.ts';

/** Returns the columns of a chart's, pivot's or KPI's measures; none for other tiles. */
export function measureColumns(tile: Tile, model: Model, locale: string): ExportColumn[] {
  const shape = tileShape(tile, model);
  if (shape.kind !== 'cells') return [];
  const encodings = resultMeasures(tile);
  const words = chartMessagesIn(locale);
  return shape.measures.map((name, i): ExportColumn => {
    const { format, unit } = measureOf(model, name);
    const isPercent = isRatio(shape.show?.[i]);
    const own = encodings[i]?.format ?? (isPercent ? 'percent' : format);
    const label =
      tile.kind === 'boxplot'
        ? Object.values(words.figures)[i]!
        : tile.kind === 'candlestick' && i < 4
          ? Object.values(words.ohlc)[i]!
          : layerLabel(tile, shape.show?.[i], measureLabel(model, name, locale), locale);
    return { label, type: 'number', ...(own && { format: own }), ...(unit && !isPercent && { unit }) };
  });
}

/** Converts a result's column for export. */
export function exportColumn({
  label,
  type,
  format,
}: Pick<TablePage['columns'][number], 'label' | 'type' | 'format'>): ExportColumn {
  const kind = columnType(type);
  // Columns without a format show every digit and no separators: they may be years or IDs.
  return { label, type: kind, ...(kind === 'number' && { format: format ?? 'plain' }) };
}

function columnType(type: string): ExportColumn['type'] {
  switch (type) {
    case 'date':
    case 'boolean':
      return type;
    case 'time':
    case 'instant':
      return 'time';
    case 'integer':
    case 'decimal':
    case 'number':
      return 'number';
    default:
      return 'text';
  }
}

/** Labels a measure's column as on the page; dimensions keep their label. */
export function withMeasureLabel(
  column: ExportColumn,
  name: string,
  model: Model,
  locale: string,
): ExportColumn {
  return Object.hasOwn(model.dimensions, name)
    ? column
    : { ...column, label: measureLabel(model, name, locale) };
}

/** Adds a table tile's highlights and shading to a column. */
export function withCellColours(
  column: ExportColumn,
  name: string,
  { highlights = [], heat = [] }: Tile & { kind: 'table' },
): ExportColumn {
  const own = highlights.filter(({ field }) => field === name);
  return {
    ...column,
    ...(own.length > 0 && { highlights: own }),
    ...(heat.includes(name) && { heat: { isAdditive: false } }),
  };
}
