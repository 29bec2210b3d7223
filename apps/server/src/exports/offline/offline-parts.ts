import {
  encodeFrame,
  type Frame,
  type IndexHeader,
  type NamedAxis,
  type OfflineComparison,
  type OpenDashboard,
  type Problem,
} from '@belvedere/api';
import { isBuiltIn, type GeoJson } from '@belvedere/chart';
import type { Tile } from '@belvedere/document';
import { listeningIn, listensTo } from '@belvedere/crossfilter';
import { hasNoQuery } from '@belvedere/query';
import { tilesOnPage, type DashboardContext } from '../../queries/dashboard-query-context.ts';
import { orderedFrame } from '../../queries/frames/ordered-frame.ts';
import { queryBrushIndex } from '../../queries/tiles/query-brush-index.ts';
import { queryComparisonIndex } from '../../queries/tiles/query-comparison-index.ts';
import { resolveTile, type ResolvedTile } from '../../queries/tiles/resolve-tile.ts';
import { resultOrProblems } from '../../queries/tiles/query-tile.ts';
import { readWorkspaceMap } from '../../workspace/workspace-assets.ts';
import { codeOf, isInterruption, refuseInterrupted } from '../interrupted-query.ts';
import { imageAddress } from '../workspace-image.ts';

/** How the other tiles of a page follow a selection on one tile. */
interface OfflineIndex {
  /** Frames as they are sent, one after the other. */
  readonly bytes: Uint8Array;
  /** The fields that a selection can name. */
  readonly fields: readonly string[];
}

/** The results of a dashboard, computed ahead so that it can be brushed without a server. */
export interface OfflineParts {
  /** The results of each page, as frames one after the other. */
  readonly pages: readonly Uint8Array[];
  /** Tiles that can be brushed. */
  readonly indexes: ReadonlyMap<string, OfflineIndex>;
  /** How the comparisons of figures follow a selection on each of these tiles. */
  readonly comparisons: ReadonlyMap<string, Readonly<Record<string, OfflineComparison>>>;
  /** Results that failed, by tile. Their problem frames are in the pages too. */
  readonly failed: readonly FailedTile[];
}

interface FailedTile {
  readonly page: number;
  readonly tile: string;
  readonly message: string;
}

interface Bounds {
  /** Largest total size of indexes, as base64. Tiles whose indexes exceed it get none. */
  readonly maxIndexBytes: number;
  /** Called with the size of each part as it is made, and may throw. */
  readonly onBytes?: (tile: string, bytes: Uint8Array) => void;
}

/**
 * Queries every page of a dashboard, and a brush index for each of its charts.
 * @throws ProblemError for a query that was interrupted; its tile would miss a result that it usually has
 */
export async function collectOfflineParts(
  context: DashboardContext,
  dashboard: Pick<OpenDashboard, 'brokenTiles'>,
  { maxIndexBytes, onBytes = () => {} }: Bounds,
): Promise<OfflineParts> {
  const pages: Uint8Array[] = [];
  const indexes = new Map<string, OfflineIndex>();
  const comparisons = new Map<string, Record<string, OfflineComparison>>();
  const failed: FailedTile[] = [];
  let bytes = 0;
  const fits = (added: number) => bytes + added <= maxIndexBytes;
  for (const page of context.dashboard.pages.keys()) {
    const here: DashboardContext = { ...context, state: { ...context.state, page, selections: {} } };
    const tiles = tilesOnPage(here).filter(
      ([id, tile]) => !hasNoQuery(tile) && !(id in dashboard.brokenTiles),
    );
    const results = await Promise.all(
      tiles.map(async ([id, tile]) => {
        const frames = await resultOrProblems(here, id, tile, 'both');
        return { id, frames, bytes: encoded(frames) };
      }),
    );
    for (const { id, frames, bytes: result } of results) {
      onBytes(id, result);
      const problem = frames.find(({ header }) => header.kind === 'problem')?.header;
      if (problem?.kind !== 'problem') continue;
      refuseInterrupted(id, problem.problem);
      failed.push({ page, tile: id, message: messageOf(problem.problem) });
    }
    pages.push(Buffer.concat(results.map(result => result.bytes)));
    const working = tiles.filter(([id]) => !failed.some(other => other.page === page && other.tile === id));
    for (const [id, tile] of working) {
      if (!isBrushed(tile)) continue;
      context.queryContext.signal?.throwIfAborted();
      const active = await resolveTile(here, id, tile).catch((error: unknown) =>
        withoutIndex(error, undefined),
      );
      if (!active) continue;
      const followers = followersOf(here, id, working);
      const frames = await indexFrames(here, active, followers);
      const index = encoded(frames);
      if (index.length === 0 || !fits(base64Length(index))) continue;
      bytes += base64Length(index);
      onBytes(id, index);
      indexes.set(id, { bytes: index, fields: fieldsOf(frames) });
      const kept: Record<string, OfflineComparison> = {};
      for (const [follower, comparison] of await comparisonsOf(here, active, followers)) {
        const length = comparison?.index?.length ?? 0;
        if (!comparison || !fits(length)) continue;
        bytes += length;
        kept[follower] = comparison;
      }
      comparisons.set(id, kept);
    }
  }
  return { pages, indexes, comparisons, failed };
}

/**
 * Queries the open page under its selections, so that a file begins as the page looked: also with selections on
 * several tiles, and for tiles that no index covers.
 * @returns frames one after the other; undefined without a selection on the page
 * @throws ProblemError for a query that was interrupted
 */
export async function collectSelected(
  context: DashboardContext,
  { brokenTiles }: Pick<OpenDashboard, 'brokenTiles'>,
): Promise<Uint8Array | undefined> {
  const tiles = tilesOnPage(context).filter(([id, tile]) => !hasNoQuery(tile) && !(id in brokenTiles));
  const { selections } = context.state;
  if (!tiles.some(([id]) => selections[id]?.length)) return undefined;
  const results = tiles.map(async ([id, tile]) => {
    const frames = await resultOrProblems(context, id, tile, 'both');
    for (const { header } of frames) if (header.kind === 'problem') refuseInterrupted(id, header.problem);
    return encoded(frames);
  });
  return Buffer.concat(await Promise.all(results));
}

/** Whether a selection on the tile can have an index. */
export function isBrushed({ kind }: Tile): boolean {
  return kind !== 'table' && kind !== 'pivot' && kind !== 'kpi' && kind !== 'text';
}

export type IdentifiedTile = ReturnType<typeof tilesOnPage>[number];

/** The tiles that are filtered by a selection on the tile `active`. */
export function followersOf(
  context: DashboardContext,
  active: string,
  tiles: readonly IdentifiedTile[],
): readonly IdentifiedTile[] {
  const listening = listeningIn(context.dashboard);
  return tiles.filter(([id]) => listensTo(listening, id, active));
}

/**
 * The brush index of a tile: one frame or more for each follower that can have one.
 *
 * @param along axes in place of the tile's own, as for `queryBrushIndex`
 * @throws the error of a query that was interrupted, since another attempt may have a result
 */
export async function indexFrames(
  context: DashboardContext,
  active: ResolvedTile,
  followers: readonly IdentifiedTile[],
  along?: readonly NamedAxis[],
): Promise<readonly Frame[]> {
  const frames = await Promise.all(
    followers.map(([id, tile]) =>
      queryBrushIndex(context, active, id, tile, { countsRows: true, ...(along && { along }) }).catch(
        (error: unknown): Frame[] => {
          if (along && isTooLarge(error)) throw error;
          return withoutIndex(error, []);
        },
      ),
    ),
  );
  return frames.flat();
}

/** Whether a result has more rows or groups than it may. */
export function isTooLarge(error: unknown): boolean {
  return codeOf(error) === 'query-too-large';
}

export function comparisonsOf(
  context: DashboardContext,
  active: ResolvedTile,
  followers: readonly IdentifiedTile[],
  along?: readonly NamedAxis[],
): Promise<readonly (readonly [string, OfflineComparison | undefined])[]> {
  return Promise.all(
    followers.map(
      async ([id, tile]) =>
        [
          id,
          await queryComparisonIndex(context, active, id, tile, along).catch((error: unknown) =>
            withoutIndex(error, undefined),
          ),
        ] as const,
    ),
  );
}

/** A tile that cannot be indexed does not follow selections. @throws the error of an interrupted query */
export function withoutIndex<T>(error: unknown, none: T): T {
  if (isInterruption(error)) throw error;
  return none;
}

function messageOf({ title, detail }: Problem): string {
  return detail ?? title;
}

/** Reads the images and maps of the workspace that a dashboard shows, by their files. */
export async function collectWorkspaceAssets(
  { dashboard }: Pick<DashboardContext, 'dashboard'>,
  root: string,
): Promise<{
  readonly images: Readonly<Record<string, string | undefined>>;
  readonly maps: Readonly<Record<string, GeoJson | undefined>>;
}> {
  const tiles = dashboard.pages.flatMap(page => Object.values(page.tiles));
  const images = await byName(
    tiles.flatMap(tile => (tile.kind === 'image' ? [tile.file] : [])),
    file => imageAddress(root, file),
  );
  // Without its shapes a map is empty, as on the server.
  const maps = await byName(
    tiles.flatMap(tile =>
      tile.kind === 'map' && tile.shape !== undefined && !isBuiltIn(tile.shape) ? [tile.shape] : [],
    ),
    file => readWorkspaceMap(root, file).catch(() => undefined),
  );
  return { images, maps };
}

async function byName<T>(
  names: readonly string[],
  find: (name: string) => Promise<T>,
): Promise<Record<string, T>> {
  return Object.fromEntries(
    await Promise.all([...new Set(names)].map(async name => [name, await find(name)] as const)),
  );
}

export function encoded(frames: readonly Frame[]): Uint8Array {
  return Buffer.concat(frames.flatMap(frame => encodeFrame(orderedFrame(frame))));
}

function base64Length({ length }: Uint8Array): number {
  return Math.ceil(length / 3) * 4;
}

function fieldsOf(frames: readonly Frame[]): string[] {
  const headers = frames.flatMap(({ header }): IndexHeader[] => (header.kind === 'index' ? [header] : []));
  return [...new Set(headers.flatMap(({ brush }) => brush.map(({ field }) => field)))].toSorted();
}
