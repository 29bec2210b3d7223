import type { Tile } from '@belvedere/document';
import { measuresOf, shadingMeasures, titleFields } from '@belvedere/query';
import { chartMessagesIn } from './chart-messages.ts';

/**
 * The title of a tile without one of its own: `Revenue by category`, `Revenue over time`, `Map of revenue by
 * country`.
 * @param label the label of its measure
 * @param time the model's time dimension
 */
export function chartTitle(
  tile: Tile,
  label: string,
  labelOf: (field: string) => string,
  time: string | undefined,
  locale: string,
): string {
  const words = chartMessagesIn(locale);
  const [measure, ...others] = measuresOf(tile);
  const show = others.length === shadingMeasures(tile).length ? measure?.show : undefined;
  const what = show ? words.calculated[show](label) : label;
  const fields = titleFields(tile);
  if (fields.length === 1 && fields[0] === time && runsAlongX(tile)) return words.overTime(what);
  // A count of rows without a name of their own is a distribution: “Rows by price” says less.
  if (measure && 'measure' in measure && measure.measure === 'rows' && label === 'Rows' && isBinned(tile))
    return words.distributionOf(labelOf(fields[0]!));
  if (tile.kind === 'map') return words.mapOf(tile.region ? words.by(what, fields.map(labelOf)) : what);
  return words.by(what, fields.map(labelOf));
}

function isBinned(tile: Tile): boolean {
  return tile.kind === 'bar' && 'bin' in tile.x && tile.x.bin !== undefined && titleFields(tile).length === 1;
}

function runsAlongX(tile: Tile): boolean {
  return (
    tile.kind === 'line' ||
    tile.kind === 'area' ||
    tile.kind === 'combo' ||
    (tile.kind === 'bar' && 'field' in tile.x && !('aggregate' in tile.x))
  );
}
