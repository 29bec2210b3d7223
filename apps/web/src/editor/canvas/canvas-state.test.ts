import { ApiError, type OpenDashboard } from '@belvedere/api';
import type { Tile } from '@belvedere/document';
import { expect, test } from 'vitest';
import { DashboardStore } from '../../live/dashboard-store.ts';
import { nextShown } from './canvas-state.ts';

const course = {
  kind: 'line',
  x: { field: 'day' },
  y: { measure: 'rows' },
  at: [0, 0, 12, 8],
} as unknown as Tile;
const dashboard = (id: string) =>
  ({
    id,
    revision: id,
    state: 'ready',
    brokenTiles: {},
    models: [],
    document: { version: 1, title: 'Sales', pages: [{ title: 'One', tiles: { course } }] },
  }) as unknown as OpenDashboard;

/**
 * Shows a dashboard whose queries fail, then the document `next`. Returns the shown state, the tile before, and
 * the number of queries.
 */
async function shownAfterFailing(next: string) {
  let requests = 0;
  const client = {
    queryTiles: async () => {
      requests++;
      throw new ApiError({ code: 'not-here', title: 'Not here', status: 404, detail: '' } as never);
    },
    getBrushIndex: () => Promise.reject(new Error('Nothing is brushed.')),
  };
  const first = dashboard('draft:sales');
  const live = new DashboardStore(client, first, { page: 0, filters: {}, selections: {} });
  live.tile('course');
  await live.load();
  expect(live.tile('course').view.status).toBe('failed');
  const shown = nextShown(
    client,
    { dashboard: first, live },
    { ...dashboard(next), revision: 'later' },
    0,
    false,
  );
  return { shown, before: live.tile('course'), requests: () => requests };
}

test('a failed query of a saved draft is sent again for the saved dashboard', async () => {
  const { shown, before, requests } = await shownAfterFailing('sales');
  expect(shown.live.tile('course')).not.toBe(before);
  expect(requests()).toBe(2);
});

test('a failed query is not repeated while other parts of the same draft change', async () => {
  const { shown, before, requests } = await shownAfterFailing('draft:sales');
  expect(shown.live.tile('course')).toBe(before);
  expect(requests()).toBe(1);
});
