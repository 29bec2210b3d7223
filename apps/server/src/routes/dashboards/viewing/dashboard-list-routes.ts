import type { DashboardRecord, Level } from '@belvedere/api';
import { durationMs, resolveTheme } from '@belvedere/document';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../../../access/caller.ts';
import { dashboardVisibleTo } from '../../../access/exposed-fields.ts';
import { foldersAbove, isOwnText, levelOf } from '../../../access/may.ts';
import { workspaceVisibleTo } from '../../../access/row-policies.ts';
import { ProblemError } from '../../../http/problems.ts';
import { limits } from '../../../limits.ts';
import { findTiles } from '../../../presenters/find-tiles.ts';
import {
  dashboardSummary,
  foundFor,
  localized,
  openedFor,
  openedForGuest,
} from '../../../presenters/present-dashboard.ts';
import type { RecordsFor } from '../../../presenters/present-records.ts';
import { drawThumbnail } from '../../../queries/tiles/draw-thumbnail.ts';
import { homeOrder, isLookupOverview } from '../../../workspace/documents/home-order.ts';
import { isFoundIn } from '../../../workspace/documents/search-dashboards.ts';
import { showsPart } from '../../../workspace/tables/table-part.ts';
import type { WorkspaceStore } from '../../../workspace/workspace-store.ts';
import { modelsOf, type WorkspaceDashboard } from '../../../workspace/workspace.ts';
import type { Handlers } from '../../contract/mount-contract.ts';
import { localeOf } from '../exports.ts';
import { openDashboard, type DashboardQueryServices } from './open-dashboard.ts';

/** Endpoints that list dashboards and open one. */
export function dashboardListRoutes(
  services: DashboardQueryServices,
  recordsFor: RecordsFor,
): Pick<Handlers, 'listDashboards' | 'findTiles' | 'findMovedDashboard' | 'getDashboard' | 'getThumbnail'> {
  const { store, dashboards } = services;
  return {
    listDashboards: async ({ query, caller, granted }) => {
      const recordOf = await recordsFor(caller);
      const isWanted = (dashboard: WorkspaceDashboard) =>
        !query.search || isFoundIn(dashboard, query.search, recordOf(dashboard)?.owner?.name);
      return {
        dashboards: [...granted().dashboards.values()]
          .map(dashboard => dashboardVisibleTo(caller, dashboard, workspaceVisibleTo(store.current, caller)))
          .map(dashboard => localized(dashboard, query.language))
          .filter(isWanted)
          .toSorted(homeOrder(store.current))
          .map(dashboard => ({
            ...dashboardSummary(dashboard, levelIn(caller, dashboard.id, store)),
            ...(isLookupOverview(dashboard, store.current) && { isLookup: true as const }),
            ...(showsPart(dashboard, store.current) && { showsPart: true as const }),
            ...recordIn(recordOf(dashboard)),
          })),
        folders: foldersFor(caller, store, [...granted().dashboards.keys()]),
        look: resolveTheme(store.current.settings),
        skippedFiles: [...granted().skippedFiles],
      };
    },

    findTiles: ({ query, granted }) => {
      const all = [...granted().dashboards.values()]
        .toSorted(homeOrder(store.current))
        .map(dashboard => localized(dashboard, query.language));
      const found = findTiles(all, store.current, query.search, query.language ?? 'en');
      return { tiles: found.slice(0, limits.foundTiles), isCut: found.length > limits.foundTiles };
    },

    findMovedDashboard: async ({ params, granted }) => {
      const id = await dashboards.moves.currentId(params.id);
      return id !== undefined && granted().dashboards.has(id) ? { id } : {};
    },

    getDashboard: async ({ params, query, caller, granted }) => {
      const dashboard = localized(await foundFor(caller, params.id, dashboards, granted()), query.language);
      if (!dashboard) throw new ProblemError('not-found', 'Dashboard not found, or not shared with you.');
      keepFresh(dashboard, store);
      if (caller.guest) return openedForGuest(caller, dashboard, store.current, query.language);
      // A state database that fails takes no dashboard away, only its notes.
      const notes = await dashboards.notesOf(params.id).catch(() => []);
      // Drafts and earlier revisions have none.
      const recordOf = isOwnText(params.id)
        ? undefined
        : await recordsFor(caller, dashboards.fileOf(params.id));
      return {
        ...openedFor(caller, dashboard, isOwnText(params.id) ? granted() : store.current, notes),
        ...recordIn(recordOf?.(dashboard)),
      };
    },

    getThumbnail: async ({ params, query, reply, ...call }) => {
      const state = { page: 0, filters: {}, selections: {} };
      const { context } = await openDashboard(params.id, state, call, services);
      const locale = localeOf(query.locale, store.current.settings.locale);
      const svg = await drawThumbnail(context, query.theme, locale, store.folders.root);
      return sendThumbnail(reply, svg);
    },
  };
}

const recordIn = (record: DashboardRecord | undefined) => record && { record };

function levelIn(caller: Caller, id: string, store: WorkspaceStore): Level {
  return levelOf(caller, { kind: 'dashboard', id }, store.current) ?? 'view';
}

/** The folders of these dashboards, without those of overviews, which are in none. */
function foldersFor(
  caller: Caller,
  store: WorkspaceStore,
  ids: readonly string[],
): { readonly path: string; readonly level: Level }[] {
  const saved = ids.filter(id => store.current.dashboards.get(id)?.origin !== 'overview');
  const paths = [...new Set(['', ...saved.flatMap(foldersAbove)])].toSorted();
  return paths.flatMap(path => {
    const level = levelOf(caller, { kind: 'folder', id: path }, store.current);
    return level ? [{ path, level }] : [];
  });
}

function sendThumbnail(reply: FastifyReply, svg: string): FastifyReply {
  return (
    reply
      .header('content-type', 'image/svg+xml')
      // Not that of the browser's earlier user, who may see other rows.
      .header('vary', 'cookie')
      .header('cache-control', 'private, max-age=60')
      .send(svg)
  );
}

/** Lets the databases of a dashboard with a refresh interval check for newer data, without waiting for them. */
function keepFresh({ document }: WorkspaceDashboard, { current, sources }: WorkspaceStore): void {
  if (!document?.refresh) return;
  const everyMs = durationMs(document.refresh.every);
  for (const source of new Set(modelsOf(document, current).map(({ model }) => model.source)))
    void sources.refreshWithin(source, everyMs);
}
