import type { OpenDashboard } from '@belvedere/api';
import { measureName, type AlertFile, type Tile } from '@belvedere/document';
import { resultMeasures } from '@belvedere/query';
import { measureField } from '../dashboard/tiles/describe.ts';
import { seenBy, type ResolvedDashboard } from '../dashboard/tiles/resolved-dashboard.ts';

type Filters = AlertFile['watch']['filters'];

/** Returns a dashboard as it is under an alert’s filters. */
export const underFilters = (dashboard: OpenDashboard, filters: Filters = {}): ResolvedDashboard =>
  seenBy(dashboard, { filters, selections: {} });

export function tileOf({ document }: ResolvedDashboard, id: string): Tile | undefined {
  return document?.pages.flatMap(page => Object.entries(page.tiles)).find(([name]) => name === id)?.[1];
}

/** The measures that a tile shows, each once, in its order. An alert watches one of them. */
export function tileMeasures(
  dashboard: ResolvedDashboard,
  id: string,
): readonly { readonly name: string; readonly label: string }[] {
  const tile = tileOf(dashboard, id);
  if (!tile) return [];
  const model = dashboard.models.find(({ name }) => name === (tile.model ?? dashboard.document?.model));
  const names = new Set(resultMeasures(tile).map(measureName));
  return Array.from(names, name => ({ name, label: measureField(name, model).label }));
}
