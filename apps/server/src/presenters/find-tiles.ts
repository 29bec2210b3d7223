import type { Tile } from '@belvedere/document';
import { titleOf } from './tile-title.ts';
import type { Workspace, WorkspaceDashboard } from '../workspace/workspace.ts';

export interface FoundTile {
  readonly dashboard: string;
  readonly dashboardTitle: string;
  /** From 0. */
  readonly page: number;
  readonly tile: string;
  readonly title: string;
}

/**
 * Tiles whose titles, or titles with their dashboards', contain every word of a search. Better matches come
 * first.
 */
export function findTiles(
  dashboards: Iterable<WorkspaceDashboard>,
  workspace: Workspace,
  search: string,
  locale: string,
): readonly FoundTile[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found: (FoundTile & { readonly rank: number })[] = [];
  for (const { id, title, document } of dashboards)
    for (const [page, { tiles }] of (document?.pages ?? []).entries())
      for (const [tile, spec] of Object.entries(tiles)) {
        const own = safeTitle(spec as Tile, workspace, document!.model, locale);
        const all = `${own}\n${title}`.toLowerCase();
        if (own === '' || !words.every(word => all.includes(word))) continue;
        // A tile that only shares its dashboard's title was not looked for.
        if (!words.some(word => own.toLowerCase().includes(word))) continue;
        const inTitle = words.filter(word => own.toLowerCase().includes(word)).length;
        found.push({ dashboard: id, dashboardTitle: title, page, tile, title: own, rank: inTitle });
      }
  return found.toSorted((a, b) => b.rank - a.rank).map(({ rank: _, ...one }) => one);
}

/** A tile's title; empty for a tile whose fields no longer exist. */
export function safeTitle(
  tile: Tile,
  workspace: Workspace,
  dashboardModel: string | undefined,
  locale: string,
): string {
  const name = tile.model ?? dashboardModel;
  try {
    return titleOf(tile, name === undefined ? undefined : workspace.models.get(name)?.model, locale);
  } catch {
    return tile.title ?? '';
  }
}
