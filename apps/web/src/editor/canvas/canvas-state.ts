import type { OpenDashboard } from '@belvedere/api';
import type { TileFile } from '@belvedere/document';
import { replaceEqualDeep } from '@tanstack/react-query';
import { inOwnZone } from '../../data/session/own-zone.ts';
import { DashboardStore } from '../../live/dashboard-store.ts';

/** What the canvas draws: the draft as the server resolved it, and the results of its queries. */
export interface Shown {
  readonly dashboard: OpenDashboard;
  readonly live: DashboardStore;
}

/**
 * The state after the server has resolved a changed draft. Only tiles with other queries are queried again.
 * The others keep their results, and unchanged parts keep their identity.
 * @param isOtherData whether the data has changed, although the text has not
 */
export function nextShown(
  client: ConstructorParameters<typeof DashboardStore>[0],
  shown: Shown,
  dashboard: OpenDashboard,
  page: number,
  isOtherData: boolean,
): Shown {
  const isAll =
    isOtherData ||
    shown.dashboard.state !== dashboard.state ||
    contextOf(shown.dashboard) !== contextOf(dashboard) ||
    shown.live.state.page !== page;
  const isSame = (id: string, tile: TileFile) => {
    const before = tileIn(shown.dashboard, id);
    return (
      !isAll &&
      before !== undefined &&
      askedFor(before) === askedFor(tile) &&
      shown.dashboard.brokenTiles[id] === dashboard.brokenTiles[id]
    );
  };
  const tiles = Object.entries(dashboard.document?.pages[page]?.tiles ?? {});
  if (dashboard.id === shown.dashboard.id && tiles.every(([id, tile]) => isSame(id, tile))) {
    // A change of the revision alone, as after a comment, renders nothing.
    const { revision, updated } = shown.dashboard;
    const same = replaceEqualDeep(shown.dashboard, {
      ...dashboard,
      revision,
      ...(updated !== undefined && { updated }),
    });
    return same === shown.dashboard ? shown : { dashboard: same, live: shown.live };
  }
  const live = new DashboardStore(client, dashboard, inOwnZone(dashboard, { ...shown.live.state, page }));
  const requested: string[] = [];
  for (const [id, tile] of tiles) {
    const { status } = shown.live.tile(id).view;
    // A failure under a draft that was saved or discarded does not count for the document that replaced it.
    const isAnswered = status === 'fresh' || (status === 'failed' && dashboard.id === shown.dashboard.id);
    if (isSame(id, tile) && isAnswered) live.tiles.set(id, shown.live.tile(id));
    else {
      live.tile(id);
      requested.push(id);
    }
  }
  shown.live.close();
  if (requested.length > 0) void live.load(requested);
  return { dashboard, live };
}

export function tileIn({ document }: Pick<OpenDashboard, 'document'>, id: string): TileFile | undefined {
  return document?.pages.map(page => page.tiles[id]).find(tile => tile !== undefined);
}

/** The part of a tile on which its results depend. */
function askedFor(tile: TileFile): string {
  const { at: _, title: __, subtitle: ___, description: ____, opens: _____, ...requested } = tile;
  return JSON.stringify(requested);
}

/** The part of a dashboard on which the results of all its tiles depend. */
function contextOf({ document, timezone, calendar }: OpenDashboard): string {
  return JSON.stringify([
    document?.model,
    document?.timezone,
    timezone,
    calendar,
    document?.filters,
    document?.parameters,
  ]);
}
