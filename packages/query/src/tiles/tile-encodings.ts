import {
  measuresInText,
  isMeasure,
  type FieldEncoding,
  type MeasureEncoding,
  type Tile,
} from '@belvedere/document';

/** The channels of a chart along which its groups are laid out; `detail` may come several times, from the outer level to the inner. */
export type Channel = 'x' | 'y' | 'color' | 'shape' | 'detail' | 'row' | 'column' | 'spark';

/** The measures a tile draws, in the order its answers bear them; none where it only counts rows. */
export function measuresOf(tile: Tile): readonly MeasureEncoding[] {
  switch (tile.kind) {
    case 'kpi':
    case 'gauge':
      return [tile.value];
    case 'heatmap':
    case 'calendar':
      return [tile.color];
    case 'map':
      return tile.color ? [tile.color] : [];
    case 'bar':
      return [tile.y, tile.x].filter(isMeasure).slice(0, 1);
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
    case 'sunburst':
    case 'sankey':
      return [tile.size];
    case 'scatter':
      return [tile.x, tile.y, ...(tile.size ? [tile.size] : [])].filter(isMeasure);
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

/** The measures told of a mark that is pointed at, beside what it shows. */
export function tooltipMeasures(tile: Tile): readonly MeasureEncoding[] {
  return 'tooltip' in tile ? (tile.tooltip ?? []).filter(isMeasure) : [];
}

/** The fields told of a single point that is pointed at, beside its place. */
export function tooltipFields(tile: Tile): readonly FieldEncoding[] {
  return tile.kind === 'scatter'
    ? (tile.tooltip ?? []).filter((encoding): encoding is FieldEncoding => !isMeasure(encoding))
    : [];
}

/** The measures a tile's answers bear, in their order: those it draws, or how many rows there are, then those it tells. */
export function resultMeasures(tile: Tile): readonly MeasureEncoding[] {
  const drawn = measuresOf(tile);
  return [...(drawn.length > 0 ? drawn : [{ measure: 'rows' }]), ...tooltipMeasures(tile)];
}

/** What a tile is made of, whatever kind it is: the fields it groups by, and its measures. */
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

/** The fields along which a tile's title says that its measure is shown; none for single figures. */
export function titleFields(tile: Tile): readonly string[] {
  if (tile.kind === 'kpi' || tile.kind === 'gauge' || tile.kind === 'candlestick' || tile.kind === 'table')
    return [];
  const fields = tileFields(tile).fields.map(encoding => encoding.field);
  return tile.kind === 'scatter' || tile.kind === 'boxplot' ? fields.slice(0, 1) : fields;
}

type Scatter = Extract<Tile, { kind: 'scatter' }>;

/** A scatter that has a point for each value of a field, placed by measures; `isOfRows`: one for each row of the table. */
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

/** Whether a tile shows only what stands in its file. */
export function hasNoQuery(tile: Tile): boolean {
  return (
    tile.kind === 'image' ||
    tile.kind === 'control' ||
    (tile.kind === 'text' && measuresOf(tile).length === 0)
  );
}

/** Whether a tile's marks are the parts of one whole, which they divide among them: of a whole of 0 there are none. */
export function isOfParts(tile: Tile): boolean {
  return ['pie', 'donut', 'treemap', 'sunburst', 'sankey'].includes(tile.kind);
}

/** The dimensions of a tile that a selection on it can bind, if it selects at all; colours of charts with places only tell series apart. */
export function isSelectable(tile: Tile, channel: Channel): boolean {
  if (tile.selects === false) return false;
  if (channel === 'color') return isOfParts(tile);
  return channel !== 'spark' && channel !== 'shape' && tile.kind !== 'gauge';
}
