import type { ListedQuery } from '@belvedere/api';
import type { Tile } from '@belvedere/document';
import type { RunningQuery } from '../queries/queue/running-queries.ts';
import type { Workspace, WorkspaceDashboard } from '../workspace/workspace.ts';
import { safeTitle } from './find-tiles.ts';

/** A query as admins see it: with the titles of its dashboard and tile, and without its filters. */
export function presentQuery(query: RunningQuery, workspace: Workspace): ListedQuery {
  const found =
    query.dashboard === undefined ? undefined : workspace.dashboards.get(savedId(query.dashboard));
  const tile = tileTitle(found, query.tile, workspace);
  return {
    id: query.id,
    state: query.startedAt === undefined ? 'waiting' : 'running',
    kind: kindOf(query),
    user: { id: query.userId, name: query.userName },
    source: query.source,
    ...(query.model !== undefined && { model: query.model }),
    ...(found && { dashboard: { id: found.id, title: found.title } }),
    ...(tile !== undefined && { tile }),
    since: new Date(query.since).toISOString(),
    ...(query.startedAt !== undefined && { startedAt: new Date(query.startedAt).toISOString() }),
    ...(query.rows !== undefined && { rows: query.rows }),
  };
}

/** The document of a draft. */
function savedId(dashboard: string): string {
  return dashboard.replace(/^draft:/, '');
}

function kindOf({ kind, dashboard, tile }: RunningQuery): ListedQuery['kind'] {
  if (kind !== 'model' || dashboard === undefined) return kind;
  if (savedId(dashboard).startsWith('explore:')) return 'explore';
  return tile === undefined ? 'dashboard' : 'tile';
}

function tileTitle(
  found: WorkspaceDashboard | undefined,
  tile: string | undefined,
  workspace: Workspace,
): string | undefined {
  if (!found?.document || tile === undefined) return undefined;
  const spec = found.document.pages.find(({ tiles }) => Object.hasOwn(tiles, tile))?.tiles[tile];
  return spec && (safeTitle(spec as Tile, workspace, found.document.model, 'en') || tile);
}
