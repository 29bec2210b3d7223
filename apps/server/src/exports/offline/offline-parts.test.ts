import { EngineError } from '@belvedere/engine';
import { expect, test } from 'vitest';
import type { DashboardContext } from '../../queries/dashboard-query-context.ts';
import type { ResolvedTile } from '../../queries/tiles/resolve-tile.ts';
import { ProblemError } from '../../http/problems.ts';
import { collectOfflineParts, comparisonsOf, indexFrames, type IdentifiedTile } from './offline-parts.ts';

const active = { id: 'days', axes: [] } as unknown as ResolvedTile;
const followers: readonly IdentifiedTile[] = [['all', { kind: 'kpi', value: { measure: 'rows' } }]];

/** A dashboard whose queries all end with an error. */
function failingWith(error: Error): DashboardContext {
  return {
    get queryContext(): never {
      throw error;
    },
  } as unknown as DashboardContext;
}

test.each([
  new EngineError('query-timeout', 'after 30 s'),
  new EngineError('query-cancelled', 'by a user'),
  new ProblemError('query-timeout', 'after 30 s'),
  new ProblemError('overloaded', 'Too many queries are waiting.'),
  new EngineError('source-unreachable', 'The engine stopped and is restarting.'),
  new ProblemError('still-reading', 'Its data is still being imported.'),
  new ProblemError('cancelled-by-admin', 'An admin cancelled it.'),
])('a tile whose query was interrupted is not left without an index: $message', async error => {
  const context = failingWith(error);
  await expect(indexFrames(context, active, followers)).rejects.toBe(error);
  await expect(comparisonsOf(context, active, followers)).rejects.toBe(error);
});

test('a tile that cannot be indexed does not follow', async () => {
  const context = failingWith(new EngineError('query-too-large', 'too many cells'));
  expect(await indexFrames(context, active, followers)).toEqual([]);
  expect(await comparisonsOf(context, active, followers)).toEqual([['all', undefined]]);
});

/** A dashboard of one figure, whose query ends with an error. */
function figureFailingWith(error: Error): DashboardContext {
  const rows = { name: 'rows', expression: { kind: 'call', name: 'count', args: [] } };
  const model = { name: 'orders', source: 'files', joins: {}, dimensions: {}, measures: { rows } };
  return {
    dashboard: { model: 'orders', pages: [{ title: 'One', tiles: Object.fromEntries(followers) }] },
    state: { page: 0, filters: {}, selections: {} },
    exposed: 'all',
    refused: [],
    queryContext: {
      caller: { rows: 'all', role: 'owner' },
      workspace: { models: new Map([['orders', { model }]]) },
    },
    queries: { run: () => Promise.reject(error) },
  } as unknown as DashboardContext;
}

const partsOf = (error: Error) =>
  collectOfflineParts(figureFailingWith(error), { brokenTiles: {} }, { maxIndexBytes: Infinity });

test.each([
  new EngineError('query-timeout', 'It was stopped.'),
  new ProblemError('overloaded', 'Too many queries are waiting.', { retryAfterSeconds: 3 }),
  new EngineError('source-unreachable', 'The engine stopped and is restarting.'),
])('an export that misses a result for the moment fails, and names the tile: $message', async error => {
  await expect(partsOf(error)).rejects.toMatchObject({
    type: error instanceof ProblemError ? error.type : error.code,
    message: `The export has no result for the tile \`all\`. ${error.message}`,
    retryAfterSeconds: error instanceof ProblemError ? error.retryAfterSeconds : undefined,
  });
});

test('a tile that always fails is exported with its error', async () => {
  const { pages, failed } = await partsOf(new EngineError('column-gone', '`size` is missing.'));
  expect(failed).toEqual([{ page: 0, tile: 'all', message: '`size` is missing.' }]);
  expect(Buffer.from(pages[0]!).toString()).toContain('"column-gone"');
});
