import {
  measuresInText,
  isMeasure,
  type FieldEncoding,
  type MeasureEncoding,
  type Tile,
} from '@belvedere/document';

/**
 * The channels of a chart that lay out its groups. `detail` may repeat, from the outer level to the inner.
 */
export type Channel = 'x' | 'y' | 'color' | 'shape' | 'detail' | 'row' | 'column' | 'spark';

/** The measures a tile draws, in the order of its results; empty when it only counts rows. */
export function measuresOf(tile: Tile): readonly MeasureEncoding[] {
  switch (tile.kind) {
    case 'kpi':
    case 'gauge':
      return [tile.value, ...targetMeasures(tile)];
    case 'heatmap':
    case 'calendar':
      return [tile.color];
    case 'map':
      return tile.color ? [tile.color] : [];
    case 'bar':
      return [...[tile.y, tile.x].filter(isMeasure).slice(0, 1), ...shadingMeasures(tile)];
    case 'line':
    case 'area':
    case 'waterfall':
    case 'radar':
      return [tile.y];
    case 'combo':
      return tile.layers.map(layer => layer.y);
    case 'candlestick':
      return [tile.open, tile.high, tile.low, tile.close];
    case 'pie':
    case 'donut':
      return [tile.theta];
    case 'treemap':
      return [tile.size, ...shadingMeasures(tile)];
    case 'sunburst':
    case 'sankey':
      return [tile.size];
    case 'scatter':
      return [
        ...[tile.x, tile.y, ...(tile.size ? [tile.size] : [])].filter(isMeasure),
        ...shadingMeasures(tile),
      ];
    case 'funnel':
      return Array.isArray(tile.x) ? tile.x : [tile.x];
    case 'pivot':
      return tile.values;
    case 'text':
      return measuresInText(tile.text).map(measure => ({ measure }));
    default:
      return [];
  }
}

/**
 * The measure that shades a tile's marks beside those that give them their size or position; it is the last of
 * those drawn. Kinds that consist of shades, like heatmaps, have none.
 */
export function shadingMeasures(tile: Tile): readonly MeasureEncoding[] {
  return (tile.kind === 'bar' || tile.kind === 'treemap' || tile.kind === 'scatter') &&
    tile.color &&
    isMeasure(tile.color)
    ? [tile.color]
    : [];
}

/** The measure that is the target of a figure or a gauge, after its value; none for a fixed number. */
export function targetMeasures(tile: Tile): readonly MeasureEncoding[] {
  return (tile.kind === 'kpi' || tile.kind === 'gauge') && typeof tile.target === 'object'
    ? [tile.target]
    : [];
}

/** The measures that a mark's tooltip adds to those drawn. */
export function tooltipMeasures(tile: Tile): readonly MeasureEncoding[] {
  return 'tooltip' in tile ? (tile.tooltip ?? []).filter(isMeasure) : [];
}

/** The fields that a point's tooltip adds to its x and y values. Only scatters have them. */
export function tooltipFields(tile: Tile): readonly FieldEncoding[] {
  return tile.kind === 'scatter'
    ? (tile.tooltip ?? []).filter((encoding): encoding is FieldEncoding => !isMeasure(encoding))
    : [];
}

/**
 * The measures of a tile's results, in order: those drawn, or the number of rows, then those in the tooltip.
 */
export function resultMeasures(tile: Tile): readonly MeasureEncoding[] {
  const drawn = measuresOf(tile);
  return [...(drawn.length > 0 ? drawn : [{ measure: 'rows' }]), ...tooltipMeasures(tile)];
}

/** The fields that a tile groups by and its measures, regardless of its kind. */
export function tileFields(tile: Tile): {
  readonly fields: readonly FieldEncoding[];
  readonly measures: readonly MeasureEncoding[];
} {
  const measures = measuresOf(tile);
  const at = (key: string): readonly FieldEncoding[] => {
    const value = (tile as Readonly<Record<string, unknown>>)[key];
    return [value]
      .flat()
      .filter(
        (one): one is FieldEncoding =>
          one !== null && typeof one === 'object' && 'field' in one && !isMeasure(one as FieldEncoding),
      );
  };
  if (tile.kind === 'table') return { fields: (tile.columns ?? []).map(field => ({ field })), measures: [] };
  if (tile.kind === 'control') return { fields: [{ field: tile.field }], measures: [] };
  if (tile.kind === 'pivot') return { fields: [...tile.rows, ...(tile.columns ?? [])], measures };
  return {
    fields: [
      'x',
      'y',
      'detail',
      'color',
      'shape',
      'levels',
      'region',
      'longitude',
      'latitude',
      'spark',
    ].flatMap(at),
    measures,
  };
}

/** The fields that a tile's title names after its measure; none for single figures. */
export function titleFields(tile: Tile): readonly string[] {
  if (tile.kind === 'kpi' || tile.kind === 'gauge' || tile.kind === 'candlestick' || tile.kind === 'table')
    return [];
  const fields = tileFields(tile).fields.map(encoding => encoding.field);
  return tile.kind === 'scatter' || tile.kind === 'boxplot' ? fields.slice(0, 1) : fields;
}

type Scatter = Extract<Tile, { kind: 'scatter' }>;

/**
 * Whether a scatter has a point per value of a field, positioned by measures. Otherwise (`isOfRows`) it has a
 * point per row.
 */
export function isOfGroups(
  tile: Tile,
): tile is Scatter & { readonly x: MeasureEncoding; readonly y: MeasureEncoding } {
  return tile.kind === 'scatter' && (isMeasure(tile.x) || isMeasure(tile.y));
}

export function isOfRows(
  tile: Tile,
): tile is Scatter & { readonly x: FieldEncoding; readonly y: FieldEncoding } {
  return tile.kind === 'scatter' && !isOfGroups(tile);
}

/** Whether a tile shows only content of its file and needs no query. */
export function hasNoQuery(tile: Tile): boolean {
  return (
    tile.kind === 'image' ||
    tile.kind === 'control' ||
    (tile.kind === 'text' && measuresOf(tile).length === 0)
  );
}

/** Whether a tile's marks are parts of one whole. A whole of 0 has no parts to draw. */
export function isOfParts(tile: Tile): boolean {
  return ['pie', 'donut', 'treemap', 'sunburst', 'sankey'].includes(tile.kind);
}

/**
 * Whether a selection on the tile can bind the dimension of this channel. Colours of charts with positions
 * only tell series apart.
 */
export function isSelectable(tile: Tile, channel: Channel): boolean {
  if (tile.selects === false) return false;
  if (channel === 'color') return isOfParts(tile);
  return channel !== 'spark' && channel !== 'shape' && tile.kind !== 'gauge';
}
