import type { Frame } from '@belvedere/api';
import type { Tile } from '@belvedere/document';
import { fileTableOf, type WorkspaceDashboard } from '../../workspace/workspace.ts';
import { scopeOf } from '../../access/row-policies.ts';
import { isAuthor } from '../../access/may.ts';
import { appliedFilters } from '../tile-filters.ts';
import { dataTime } from '../data-times.ts';
import { tileModel, type DashboardContext } from '../dashboard-query-context.ts';
import { modelOf } from '../models/visible-models.ts';
import { queryTile } from '../tiles/query-tile.ts';

/**
 * Returns the cache key of a stream of frames. Any change in the workspace changes its revision, and any
 * change in a draft changes the
 * draft's. Callers who see different data have different keys.
 */
export function streamKey(
  what: string,
  { id, revision }: WorkspaceDashboard,
  { queryContext, exposed }: DashboardContext,
  body: object,
): string {
  return JSON.stringify([
    what,
    id,
    revision,
    scopeOf(queryContext.caller),
    // Conditions on fields that are not exposed do not apply.
    exposed !== undefined,
    isAuthor(queryContext.caller),
    queryContext.workspace.revision,
    queryContext.zone,
    body,
  ]);
}

/** No sample is queried if the exact result arrives within this time. */
const soonMs = 40;
/** Tables with more rows never respond that fast, unless the result is cached. */
const neverSoonRows = 30_000_000;

/**
 * Returns a tile's sampled result, unless the exact one is faster. Errors of the sample are ignored; the
 * exact query reports them.
 */
export async function sampledFrames(
  context: DashboardContext,
  id: string,
  tile: Tile,
  scope: 'both' | 'filtered',
  exact: Promise<Frame[]>,
): Promise<Frame[]> {
  let isDone = false;
  const done = exact.then(() => {
    isDone = true;
    return [];
  });
  const rows =
    fileTableOf(context.queryContext.workspace, tileModel(context, tile))?.imported?.profile.rows ?? 0;
  await Promise.race([done, new Promise(resolve => setTimeout(resolve, rows > neverSoonRows ? 0 : soonMs))]);
  if (isDone) return [];
  const near = queryTile(
    { ...context, queryContext: { ...context.queryContext, resultRows: 'sample' } },
    id,
    tile,
    scope,
  ).catch(() => []);
  return Promise.race([done, near]);
}

/** Yields the promises' frames in the order in which they settle. */
export async function* asCompleted(promises: readonly Promise<Frame[]>[]): AsyncGenerator<Frame> {
  const open = new Map(promises.map((promise, i) => [i, promise.then(frames => ({ i, frames }))]));
  while (open.size > 0) {
    const { i, frames } = await Promise.race(open.values());
    open.delete(i);
    yield* frames;
  }
}

export async function* withEnd(
  frames: AsyncGenerator<Frame>,
  context: DashboardContext,
): AsyncGenerator<Frame> {
  yield* frames;
  const name = context.dashboard.model;
  const model =
    name && context.queryContext.workspace.models.has(name)
      ? modelOf(context.queryContext.workspace, name)
      : undefined;
  const newest = model && (await dataTime(context, model).catch(() => undefined));
  const applied = await appliedFilters(context).catch(() => ({}));
  yield {
    header: {
      kind: 'end',
      applied,
      ...(newest !== undefined && { dataTime: new Date(newest).toISOString().slice(0, 19) }),
    },
  };
}
