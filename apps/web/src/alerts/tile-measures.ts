import type { OpenDashboard } from '@belvedere/api';
import { labelFrom, measureName, type AlertFile, type Tile } from '@belvedere/document';
import { resultMeasures } from '@belvedere/query';
import { measureField, tileTitle } from '../dashboard/tiles/describe.ts';
import { presentDashboard, type ResolvedDashboard } from '../dashboard/tiles/resolved-dashboard.ts';

type Filters = AlertFile['watch']['filters'];

/** Returns a dashboard as it is under an alert’s filters. */
export const underFilters = (dashboard: OpenDashboard, filters: Filters = {}): ResolvedDashboard =>
  presentDashboard(dashboard, { filters, selections: {} });

export function tileOf({ document }: ResolvedDashboard, id: string): Tile | undefined {
  return document?.pages.flatMap(page => Object.entries(page.tiles)).find(([name]) => name === id)?.[1];
}

const modelOf = ({ document, models }: ResolvedDashboard, tile: Tile) =>
  models.find(({ name }) => name === (tile.model ?? document?.model));

/** A tile's title as its dashboard shows it, or its name in words. */
export function shownTitle(dashboard: ResolvedDashboard, id: string): string {
  const tile = tileOf(dashboard, id);
  return (tile && tileTitle(tile, modelOf(dashboard, tile))) || labelFrom(id);
}

/** The measures that a tile shows, each once, in its order. An alert watches one of them. */
export function tileMeasures(
  dashboard: ResolvedDashboard,
  id: string,
): readonly { readonly name: string; readonly label: string }[] {
  const tile = tileOf(dashboard, id);
  if (!tile) return [];
  const model = modelOf(dashboard, tile);
  const names = new Set(resultMeasures(tile).map(measureName));
  return Array.from(names, name => ({ name, label: measureField(name, model).label }));
}
