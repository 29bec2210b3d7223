import type { DashboardRecord, Level } from '@belvedere/api';
import { listeningIn, listensTo } from '@belvedere/crossfilter';
import { durationMs, resolveTheme } from '@belvedere/document';
import { hasNoQuery } from '@belvedere/query';
import {
  dashboardContext,
  tilesOnPage,
  type DashboardContext,
} from '../../queries/dashboard-query-context.ts';
import { queryBrushIndex } from '../../queries/tiles/query-brush-index.ts';
import { resultOrProblems, canSample, problemFrame, resolveTile } from '../../queries/tiles/query-tile.ts';
import { tableRows, underlyingRows } from '../../queries/rows/table-pages.ts';
import { shownRows } from '../../queries/rows/result-rows.ts';
import { type QueryService } from '../../queries/query-service.ts';
import { queryContextOf } from '../../queries/query-context.ts';
import type { Caller } from '../../access/caller.ts';
import { foldersAbove, isAuthor, isOwnText, levelOf, requireLevel } from '../../access/may.ts';
import { limitedRows } from '../../access/export-limit.ts';
import { furtherRules } from '../../access/rules.ts';
import { dashboardVisibleTo, refuseUnexposed } from '../../access/exposed-fields.ts';
import { workspaceVisibleTo } from '../../access/row-policies.ts';
import { explainTile } from '../../queries/tiles/explain-tile.ts';
import { drawThumbnail } from '../../queries/tiles/draw-thumbnail.ts';
import { limits } from '../../limits.ts';
import { ProblemError } from '../../http/problems.ts';
import type { DashboardStore } from '../../workspace/documents/dashboard-store.ts';
import { homeOrder, isLookupOverview } from '../../workspace/documents/home-order.ts';
import type { RecordsFor } from '../../presenters/present-records.ts';
import { findTiles } from '../../presenters/find-tiles.ts';
import { isFoundIn } from '../../workspace/documents/search-dashboards.ts';
import type { WorkspaceStore } from '../../workspace/workspace-store.ts';
import { modelsOf, type WorkspaceDashboard } from '../../workspace/workspace.ts';
import { localeOf } from './exports.ts';
import { sandboxPolicy } from './exports.ts';
import type { Call, Handlers } from '../contract/mount-contract.ts';
import { readWorkspaceAsset } from '../../workspace/workspace-assets.ts';
import type { FastifyReply } from 'fastify';
import { asCompleted, sampledFrames, streamKey, withEnd } from '../../queries/frames/stream-tiles.ts';
import { placeholdersIn } from '../../presenters/published-dashboard.ts';
import { queryFieldValues } from '../../queries/models/query-field-values.ts';
import {
  dashboardSummary,
  foundFor,
  localized,
  openedFor,
  openedForGuest,
} from '../../presenters/present-dashboard.ts';

const recordIn = (record: DashboardRecord | undefined) => record && { record };

type DashboardHandlers = Pick<
  Handlers,
  | 'listDashboards'
  | 'findTiles'
  | 'getDashboard'
  | 'getThumbnail'
  | 'queryTiles'
  | 'getBrushIndex'
  | 'getTileRows'
  | 'explainTile'
  | 'getFieldValues'
  | 'getImage'
  | 'getMap'
>;

export function dashboardRoutes(
  store: WorkspaceStore,
  dashboards: DashboardStore,
  queries: QueryService,
  recordsFor: RecordsFor,
): DashboardHandlers {
  const open = async (
    id: string,
    state: DashboardContext['state'],
    { caller, granted, signal }: Pick<Call, 'caller' | 'granted' | 'signal'>,
  ): Promise<{ readonly dashboard: WorkspaceDashboard; readonly context: DashboardContext }> => {
    const dashboard = await foundFor(caller, id, dashboards, granted());
    const workspace = isOwnText(id) ? granted() : store.current;
    const queryContext = queryContextOf(workspace, dashboard?.document, caller, signal);
    // Refuses a missing dashboard.
    const context = dashboardContext(dashboard, state, queryContext, queries);
    return { dashboard: dashboard!, context };
  };

  const levelIn = (caller: Caller, id: string): Level =>
    levelOf(caller, { kind: 'dashboard', id }, store.current) ?? 'view';

  /** The folders of these dashboards, without those of overviews, which are in none. */
  const foldersFor = (caller: Caller, ids: readonly string[]) => {
    const saved = ids.filter(id => store.current.dashboards.get(id)?.origin !== 'overview');
    const paths = [...new Set(['', ...saved.flatMap(foldersAbove)])].toSorted();
    return paths.flatMap(path => {
      const level = levelOf(caller, { kind: 'folder', id: path }, store.current);
      return level ? [{ path, level }] : [];
    });
  };

  /** A file of the workspace, for those who write dashboards or see one that names it. */
  const sendAsset = async (
    folder: 'images' | 'maps',
    file: string,
    reply: FastifyReply,
    { caller, granted }: Pick<Call, 'caller' | 'granted'>,
  ) => {
    if (caller.guest) {
      const dashboard = await foundFor(caller, caller.guest.dashboard, dashboards, granted());
      // Placeholders are numbered in the dashboard as the guest sees it.
      const read = workspaceVisibleTo(store.current, caller);
      const { document } = dashboard ? dashboardVisibleTo(caller, dashboard, read) : {};
      const own =
        document && [...placeholdersIn(document)].find(([, placeholder]) => placeholder === file)?.[0];
      if (own === undefined) throw new ProblemError('not-found', 'File not found.');
      return sendOwnFile(reply, await readWorkspaceAsset(store.folders.root, folder, own));
    }
    const isNamed = () =>
      [...granted().dashboards.values()].some(
        ({ document }) => document && placeholdersIn(document).has(file),
      );
    if (caller.grants !== 'all' && !isAuthor(caller) && !isNamed())
      throw new ProblemError('not-found', 'File not found, or not shared with you.');
    return sendOwnFile(reply, await readWorkspaceAsset(store.folders.root, folder, file));
  };

  /** The queue of the dashboard's default source, which most of its tiles query. */
  const queueFor = ({ dashboard, queryContext: { workspace } }: DashboardContext) =>
    queries.queueOf(workspace.models.get(dashboard.model ?? '')?.model.source ?? 'files');

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
            ...dashboardSummary(dashboard, levelIn(caller, dashboard.id)),
            ...(isLookupOverview(dashboard, store.current) && { isLookup: true as const }),
            ...recordIn(recordOf(dashboard)),
          })),
        folders: foldersFor(caller, [...granted().dashboards.keys()]),
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
      const { context } = await open(params.id, state, call);
      const locale = localeOf(query.locale, store.current.settings.locale);
      const svg = await drawThumbnail(context, query.theme, locale, store.folders.root);
      return sendThumbnail(reply, svg);
    },

    queryTiles: async ({ params, body, ...call }) => {
      const { dashboard, context: here } = await open(params.id, body.state, call);
      const broken = dashboard.brokenTiles;
      const frames = (shared: AbortSignal) => {
        queueFor(here).refuseOverload(here.queryContext.caller.userId);
        const context = { ...here, queryContext: { ...here.queryContext, signal: shared } };
        const wanted = tilesOnPage(context).filter(
          ([id]) => !(id in broken) && (!body.tiles || body.tiles.includes(id)),
        );
        const tiles = wanted.flatMap(([id, tile]) => {
          const exact = resultOrProblems(context, id, tile, body.scope);
          return [
            exact,
            ...(canSample(context, tile) ? [sampledFrames(context, id, tile, body.scope, exact)] : []),
          ];
        });
        return withEnd(asCompleted(tiles), context);
      };
      return { key: streamKey('results', dashboard, here, body), frames };
    },

    getBrushIndex: async ({ params, body, ...call }) => {
      const { dashboard, context: here } = await open(params.id, body.state, call);
      const { brokenTiles } = dashboard;
      const tiles = tilesOnPage(here);
      const tile = tiles.find(([id]) => id === body.active)?.[1];
      if (!tile || hasNoQuery(tile) || tile.kind === 'table' || tile.kind === 'text')
        throw new ProblemError('not-found', `Chart \`${body.active}\` not found on this page.`);
      const frames = async (shared: AbortSignal) => {
        queueFor(here).refuseOverload(here.queryContext.caller.userId);
        const context = { ...here, queryContext: { ...here.queryContext, signal: shared } };
        const active = (await resolveTile(context, body.active, tile))!;
        const listening = listeningIn(context.dashboard);
        const passive = tiles.filter(
          ([id]) =>
            listensTo(listening, id, body.active) &&
            !(id in brokenTiles) &&
            (!body.tiles || body.tiles.includes(id)),
        );
        return asCompleted(
          passive.map(([id, other]) =>
            queryBrushIndex(context, active, id, other).catch((error: unknown) => [
              problemFrame(context, id, 'filtered', error),
            ]),
          ),
        );
      };
      return { key: streamKey('index', dashboard, here, body), frames };
    },

    getTileRows: async ({ params, body, ...call }) => {
      const { context } = await open(params.id, body.state, call);
      const tile = tilesOnPage(context).find(([id]) => id === params.tile)?.[1];
      if (!tile || hasNoQuery(tile))
        throw new ProblemError(
          'not-found',
          `Tile \`${params.tile}\` not found on this page, or it has no rows.`,
        );
      refuseUnexposed(context.exposed, Object.keys(body.mark ?? {}));
      if (body.row && (tile.kind !== 'table' || body.mark))
        throw new ProblemError('request-invalid', 'Only a table tile has single rows.');
      const isShown = tile.kind === 'table' && !body.mark;
      // The rows behind a mark show more than the dashboard does.
      if (!isShown) {
        const { on: kind, level } = furtherRules.seeRows;
        requireLevel(call.caller, { kind, id: params.id }, level, store.current);
      }
      const object = { kind: 'dashboard', id: params.id } as const;
      const limit = limitedRows(call.caller, object, body, store.current, context.dashboard);
      const range = { ...body, limit };
      const page = isShown
        ? await tableRows(context, params.tile, tile, range)
        : await underlyingRows(context, params.tile, tile, range.mark, range);
      const { columns, rows, total } = page;
      return {
        columns: columns.map(column => ({ ...column })),
        rows: shownRows(rows),
        total,
        ...(page.totals && { totals: [...page.totals] }),
        ...(page.key && { key: [...page.key] }),
        ...(page.sparklines && { sparklines: page.sparklines }),
      };
    },

    getImage: ({ params, reply, ...call }) => sendAsset('images', params.file, reply, call),
    getMap: ({ params, reply, ...call }) => sendAsset('maps', params.file, reply, call),

    explainTile: async ({ params, body, ...call }) => {
      const { context } = await open(params.id, body.state, call);
      const tile = tilesOnPage(context).find(([id]) => id === params.tile)?.[1];
      if (!tile) throw new ProblemError('not-found', `Tile \`${params.tile}\` not found on this page.`);
      refuseUnexposed(context.exposed, Object.keys(body.mark ?? {}));
      return explainTile(context, params.tile, tile, body.mark, localeOf(body.locale, 'en'));
    },

    getFieldValues: async ({ params, body, ...call }) => {
      const { context } = await open(params.id, body.state, call);
      return queryFieldValues(context, params.field, body);
    },
  };
}

/**
 * Sends an image with its exact type and no script permissions: an SVG may hold scripts, which must not run
 * under this origin.
 */
function sendOwnFile(
  reply: FastifyReply,
  { bytes, type }: { readonly bytes: Buffer; readonly type: string },
): FastifyReply {
  return reply.header('content-type', type).header('content-security-policy', sandboxPolicy).send(bytes);
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
