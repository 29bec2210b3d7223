import { figuresIn, isMeasure, type MeasureEncoding, type Tile } from '@belvedere/document';

/** The channels of a chart along which its groups are laid out; `detail` may come several times, from the outer level to the inner. */
export type Channel = 'x' | 'y' | 'color' | 'detail' | 'row' | 'column' | 'spark';

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
    case 'funnel':
      return Array.isArray(tile.x) ? tile.x : [tile.x];
    case 'pivot':
      return tile.values;
    case 'text':
      return figuresIn(tile.text).map(measure => ({ measure }));
    default:
      return [];
  }
}

/** Whether a tile shows only what stands in its file. */
export function asksNothing(tile: Tile): boolean {
  return tile.kind === 'image' || tile.kind === 'control' || (tile.kind === 'text' && measuresOf(tile).length === 0);
}

/** The dimensions of a tile that a selection on it can bind; colours of charts with places only tell series apart. */
export function isSelectable(tile: Tile, channel: Channel): boolean {
  if (channel === 'color') return ['pie', 'donut', 'treemap', 'sunburst', 'sankey'].includes(tile.kind);
  return channel !== 'spark' && tile.kind !== 'gauge';
}
