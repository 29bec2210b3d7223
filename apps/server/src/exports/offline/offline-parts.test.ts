import { EngineError } from '@belvedere/engine';
import { expect, test } from 'vitest';
import type { DashboardContext } from '../../queries/dashboard-query-context.ts';
import type { ResolvedTile } from '../../queries/tiles/query-tile.ts';
import { ProblemError } from '../../http/problems.ts';
import { comparisonsOf, indexFrames, type IdentifiedTile } from './offline-parts.ts';

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
