import { listeningIn, listensTo } from '@belvedere/crossfilter';
import { hasNoQuery } from '@belvedere/query';
import { ProblemError } from '../../../http/problems.ts';
import { tilesOnPage, type DashboardContext } from '../../../queries/dashboard-query-context.ts';
import { asCompleted, sampledFrames, streamKey, withEnd } from '../../../queries/frames/stream-tiles.ts';
import type { QueryService } from '../../../queries/query-service.ts';
import type { QueryQueue } from '../../../queries/queue/query-queue.ts';
import { canSample } from '../../../queries/tiles/cells-frame.ts';
import { queryBrushIndex } from '../../../queries/tiles/query-brush-index.ts';
import { problemFrame, resultOrProblems } from '../../../queries/tiles/query-tile.ts';
import { resolveTile } from '../../../queries/tiles/resolve-tile.ts';
import type { Handlers } from '../../contract/mount-contract.ts';
import { openDashboard, type DashboardQueryServices } from './open-dashboard.ts';

/** Endpoints that stream the results of tiles. */
export function tileStreamRoutes(
  services: DashboardQueryServices,
): Pick<Handlers, 'queryTiles' | 'getBrushIndex'> {
  const { queries } = services;
  return {
    queryTiles: async ({ params, body, ...call }) => {
      const { dashboard, context: here } = await openDashboard(params.id, body.state, call, services);
      const broken = dashboard.brokenTiles;
      const frames = (shared: AbortSignal) => {
        queueFor(here, queries).refuseOverload(here.queryContext.caller.userId);
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
      const { dashboard, context: here } = await openDashboard(params.id, body.state, call, services);
      const { brokenTiles } = dashboard;
      const tiles = tilesOnPage(here);
      const tile = tiles.find(([id]) => id === body.active)?.[1];
      if (!tile || hasNoQuery(tile) || tile.kind === 'table' || tile.kind === 'text')
        throw new ProblemError('not-found', `Chart \`${body.active}\` not found on this page.`);
      const frames = async (shared: AbortSignal) => {
        queueFor(here, queries).refuseOverload(here.queryContext.caller.userId);
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
  };
}

/** The queue of the dashboard's default source, which most of its tiles query. */
function queueFor(
  { dashboard, queryContext: { workspace } }: DashboardContext,
  queries: QueryService,
): QueryQueue {
  return queries.queues.ofSource(workspace.models.get(dashboard.model ?? '')?.model.source ?? 'files');
}
