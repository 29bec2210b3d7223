import { ApiError, type DashboardState, type Frame, type OpenDashboard } from '@belvedere/api';
import type { Box } from '@belvedere/query';
import { expect, test } from 'vitest';
import { DashboardStore } from './dashboard-store.ts';

/*
 * Results arrive one after another while the user continues, so earlier ones must not be shown for the current
 * selections.
 */

const tile = (field: string) => ({ kind: 'bar', x: { field }, y: { measure: 'rows' } });
const dashboard = {
  id: 'trips',
  document: {
    version: 1,
    title: 'Trips',
    pages: [{ title: 'One', tiles: { cities: tile('city'), kinds: tile('kind'), days: tile('day') } }],
  },
} as unknown as OpenDashboard;
const initialState: DashboardState = { page: 0, filters: {}, selections: {} };
const chosen = (city: string): Record<string, Box[]> => ({ cities: [{ city: [city] }] as unknown as Box[] });

/** A result of `kinds` with one group, recognisable by its value. */
const result = (scope: 'base' | 'filtered', value: number, of = 'kinds'): Frame => ({
  header: {
    kind: 'cells',
    tile: of,
    part: 'main',
    scope,
    axes: [{ channel: 'x', kind: 'categories', field: 'kind', values: ['bus'], other: false }],
    merges: ['sum'],
    values: [{ kind: 'part', index: 0 }],
    notes: [],
    engineMs: 1,
  },
  cells: { groups: Int32Array.of(0), parts: [Float64Array.of(value)] },
});

const end: Frame = { header: { kind: 'end', applied: {} } };

const refused = (scope: 'base' | 'filtered', of = 'kinds'): Frame => ({
  header: {
    kind: 'problem',
    tile: of,
    scope,
    problem: { type: 'source-refused', title: 'Refused', status: 502 },
  },
});

/** Opens a dashboard whose requests respond when the test says so, even after they were cancelled. */
function opened(state: DashboardState, indexes: readonly Frame[] = []) {
  const requests: {
    readonly state: DashboardState;
    readonly scope: string;
    readonly tiles: readonly string[] | undefined;
    readonly give: (...frames: Frame[]) => Promise<void>;
    readonly fail: (error: Error) => Promise<void>;
  }[] = [];
  const client = {
    queryTiles: async ({
      body,
    }: {
      body: { state: DashboardState; scope?: string; tiles?: readonly string[] };
    }) => {
      const given: Frame[] = [];
      let failure: Error | undefined;
      let isRead = false;
      let wake = () => {};
      let resolveReceived = () => {};
      /** Resolves once the page has received all frames given so far, or stopped reading. */
      const received = () =>
        new Promise<void>(resolve => {
          resolveReceived = resolve;
          if (isRead) resolve();
          wake();
        });
      requests.push({
        state: body.state,
        scope: body.scope ?? 'both',
        tiles: body.tiles,
        give: async (...frames) => {
          given.push(...frames);
          await received();
        },
        fail: async error => {
          failure = error;
          await received();
          // The page handles a failure in the same task.
          await new Promise(resolve => setTimeout(resolve));
        },
      });
      return (async function* () {
        try {
          for (;;) {
            for (const frame of given.splice(0)) yield frame;
            if (failure) throw failure;
            resolveReceived();
            await new Promise<void>(resolve => (wake = resolve));
          }
        } finally {
          isRead = true;
          resolveReceived();
        }
      })();
    },
    getBrushIndex: async () =>
      (async function* () {
        yield* indexes;
      })(),
  };
  const live = new DashboardStore(client as never, dashboard, state);
  void live.load();
  return {
    live,
    requests,
    shown: () => [live.tile('kinds').view.status, live.tile('kinds').current('main')?.[0]],
  };
}

test('a selection cleared before its result arrives is not shown', async () => {
  const { live, requests, shown } = opened({ ...initialState, selections: chosen('Bern') });
  live.setState(initialState);
  await requests[0]!.give(result('base', 100), result('filtered', 7));
  expect(shown()).toEqual(['fresh', 100]);
});

test('a newer selection stays, in whichever order the results arrive', async () => {
  const { live, requests, shown } = opened({ ...initialState, selections: chosen('Bern') });
  live.setState({ ...initialState, selections: chosen('Davos') });
  expect(requests.map(({ state, scope }) => [scope, state.selections])).toEqual([
    ['both', chosen('Bern')],
    ['filtered', chosen('Davos')],
  ]);
  await requests[1]!.give(result('filtered', 8));
  await requests[0]!.give(result('base', 100), result('filtered', 7));
  expect(shown()).toEqual(['fresh', 8]);
});

test('a tile that a selection does not filter drops the result of the selection before', async () => {
  // If its model has none of the selection's fields, a tile gets an unfiltered result.
  const { live, requests, shown } = opened({ ...initialState, selections: chosen('Bern') });
  await requests[0]!.give(result('base', 100), result('filtered', 7), end);
  expect(shown()).toEqual(['fresh', 7]);
  const elsewhere = { ...initialState, selections: { days: [{ day: ['2024-01-01'] }] as unknown as Box[] } };
  live.setState(elsewhere);
  await requests[1]!.give(result('base', 100), end);
  expect(shown()).toEqual(['fresh', 100]);
  // The same with a changed filter, which queries all tiles again.
  live.setState({ ...initialState, selections: chosen('Bern') });
  await requests[2]!.give(result('filtered', 7), end);
  live.setState({ ...elsewhere, filters: { kind: null } });
  expect(requests[3]!.scope).toBe('both');
  await requests[3]!.give(result('base', 90), end);
  expect(shown()).toEqual(['fresh', 90]);
});

test('a table that a selection does not filter drops the rows of the selection before', async () => {
  const { live, requests } = opened({ ...initialState, selections: chosen('Bern') });
  await requests[0]!.give(rows('filtered', 'selected'), end);
  live.setState({ ...initialState, selections: { days: [{ day: ['2024-01-01'] }] as unknown as Box[] } });
  await requests[1]!.give(rows('base', 'all'), end);
  expect(shownOf(live)).toEqual(['fresh', 'all']);
});

test('a selection that remains is shown, whatever else changed in the meantime', async () => {
  const { live, requests, shown } = opened({ ...initialState, selections: chosen('Bern') });
  live.brush('cities', chosen('Davos')['cities']!);
  live.brush('cities', chosen('Bern')['cities']!);
  void live.settle();
  // A selection on `kinds` filters the other tiles, not `kinds`.
  live.setState({
    ...initialState,
    selections: { ...chosen('Bern'), kinds: [{ kind: ['bus'] }] as unknown as Box[] },
  });
  await requests[0]!.give(result('base', 100), result('filtered', 7));
  expect(shown()).toEqual(['fresh', 7]);
});

test('results for earlier filters, or for a tile before its adjustment, are dropped', async () => {
  for (const change of [
    { filters: { kind: 'bus' } },
    { tiles: { kinds: { timeUnit: 'year' } } },
  ] as unknown as Partial<DashboardState>[]) {
    const { live, requests, shown } = opened(initialState);
    await requests[0]!.give(result('base', 100));
    live.setState({ ...initialState, selections: chosen('Bern') });
    live.setState({ ...initialState, selections: chosen('Bern'), ...change });
    const [, selected, changed] = requests;
    await changed!.give(result('base', 50), result('filtered', 3));
    await selected!.give(result('filtered', 7));
    expect([JSON.stringify(change), ...shown()]).toEqual([JSON.stringify(change), 'fresh', 3]);
  }
});

test('a query cancelled by a click on its own tile is sent again', async () => {
  const { live, requests, shown } = opened(initialState);
  await requests[0]!.give(result('base', 100));
  live.setState({ ...initialState, selections: chosen('Bern') });
  live.setState({
    ...initialState,
    selections: { ...chosen('Bern'), kinds: [{ kind: ['bus'] }] as unknown as Box[] },
  });
  expect(requests.map(({ tiles }) => tiles)).toEqual([
    undefined,
    ['kinds', 'days'],
    ['cities', 'kinds', 'days'],
  ]);
  await requests[2]!.give(result('filtered', 7));
  expect(shown()).toEqual(['fresh', 7]);
});

test('a cancelled brush restores the previous selection, whatever was queried in between', async () => {
  const { live, requests, shown } = opened({ ...initialState, selections: chosen('Bern') });
  await requests[0]!.give(
    result('base', 100, 'cities'),
    result('base', 100),
    result('filtered', 7),
    result('base', 100, 'days'),
    result('filtered', 9, 'days'),
  );
  live.brush('days', [{ day: ['2024-01-01'] }] as unknown as Box[]);
  await requests[1]!.give(result('filtered', 1));
  expect(shown()).toEqual(['fresh', 1]);
  live.brush('days', []);
  void live.settle();
  expect(requests[2]).toMatchObject({ tiles: ['kinds'], state: { selections: chosen('Bern') } });
  await requests[2]!.give(result('filtered', 7));
  expect(shown()).toEqual(['fresh', 7]);
});

test('a selection sends its queries before its tiles are rendered, too', () => {
  const { live, requests } = opened(initialState);
  live.setState({ ...initialState, selections: chosen('Bern') });
  expect(requests.map(({ tiles }) => tiles)).toEqual([undefined, ['kinds', 'days']]);
});

test('a query with a known result is not sent again', async () => {
  const { live, requests } = opened({ ...initialState, selections: chosen('Bern') });
  await requests[0]!.give(result('base', 100), result('filtered', 7), result('filtered', 9, 'days'));
  void live.settle();
  live.setState({
    ...initialState,
    selections: { ...chosen('Bern'), kinds: [{ kind: ['bus'] }] as unknown as Box[] },
  });
  expect(requests.map(({ tiles }) => tiles)).toEqual([undefined, ['cities', 'days']]);
});

test('clearing a failed selection restores the tile’s unfiltered result', async () => {
  const { live, requests, shown } = opened(initialState);
  await requests[0]!.give(result('base', 100));
  live.setState({ ...initialState, selections: chosen('Bern') });
  await requests[1]!.give(refused('filtered'));
  expect(shown()[0]).toBe('failed');
  live.setState(initialState);
  expect(shown()).toEqual(['fresh', 100]);
});

test('a failed selection shows its error until it is cleared, in whichever order the results arrive', async () => {
  for (const frames of [
    [refused('filtered'), result('base', 100)],
    [result('base', 100), refused('filtered')],
  ]) {
    const { live, requests, shown } = opened({ ...initialState, selections: chosen('Bern') });
    await requests[0]!.give(...frames);
    expect(shown()).toEqual(['failed', 100]);
    live.setState(initialState);
    expect(shown()).toEqual(['fresh', 100]);
  }
});

test('a selection cleared before it failed shows no error', async () => {
  const { live, requests, shown } = opened({ ...initialState, selections: chosen('Bern') });
  live.setState(initialState);
  await requests[0]!.give(result('base', 100), refused('filtered'));
  expect(shown()).toEqual(['fresh', 100]);
});

test('clearing a selection without a result leaves no tile failed', async () => {
  const { live, requests, shown } = opened(initialState);
  await requests[0]!.give(result('base', 100));
  live.setState({ ...initialState, selections: chosen('Bern') });
  await requests[1]!.fail(new TypeError('fetch failed'));
  expect(shown()[0]).toBe('failed');
  live.setState(initialState);
  expect(shown()).toEqual(['fresh', 100]);
});

test.each([
  ['the server', new TypeError('fetch failed')],
  // Behind a proxy, there is an answer.
  ['the server behind a proxy', new ApiError({ type: 'internal', title: 'Bad Gateway', status: 502 })],
])('tiles that lost %s keep their numbers, and are queried again once it answers', async (_, error) => {
  const { live, requests, shown } = opened(initialState);
  await requests[0]!.give(result('base', 100));
  live.setState({ ...initialState, selections: chosen('Bern') });
  await requests[1]!.fail(error);
  expect(shown()).toEqual(['failed', 100]);
  live.loadUnreached();
  expect(requests[2]).toMatchObject({ scope: 'both' });
  await requests[2]!.give(result('base', 100), result('filtered', 7));
  expect(shown()).toEqual(['fresh', 7]);
});

test('tiles that the server refused are not queried again when it answers', async () => {
  const { live, requests } = opened(initialState);
  await requests[0]!.give(refused('base'), result('base', 1, 'days'));
  live.loadUnreached();
  expect(requests).toHaveLength(1);
});

test('a failed tile is queried again with a selection, and stays failed until its own query succeeds', async () => {
  const { live, requests, shown } = opened(initialState);
  await requests[0]!.give(refused('base'));
  live.setState({ ...initialState, selections: chosen('Bern') });
  expect(requests[1]).toMatchObject({ scope: 'both', tiles: ['kinds', 'days'] });
  await requests[1]!.give(result('filtered', 7));
  expect(shown()[0]).toBe('refreshing');
  await requests[1]!.give(refused('base'));
  expect(shown()[0]).toBe('failed');
  live.setState({ ...initialState, selections: chosen('Davos') });
  await requests[2]!.give(result('base', 100), result('filtered', 8));
  expect(shown()).toEqual(['fresh', 8]);
});

test('a selection’s numbers on other axes are not drawn once the tile’s query has changed', async () => {
  const { live, requests, shown } = opened({ ...initialState, selections: chosen('Bern') });
  await requests[0]!.give(result('base', 100), result('filtered', 7));
  live.setState({
    ...initialState,
    selections: chosen('Bern'),
    tiles: { kinds: { timeUnit: 'year' } },
  } as never);
  const { header } = result('base', 60);
  const wider = (value: number): Frame => ({
    header: {
      ...header,
      axes: [{ channel: 'x', kind: 'categories', field: 'kind', values: ['bus', 'tram'], other: false }],
    } as never,
    cells: { groups: Int32Array.of(0, 1), parts: [Float64Array.of(value, value + 1)] },
  });
  await requests[1]!.give(wider(60));
  expect(Array.from(live.tile('kinds').current('main')!)).toEqual([60, 61]);
  expect(shown()[0]).toBe('fresh');
});

const rows = (scope: 'base' | 'filtered', first: string): Frame => ({
  header: { kind: 'rows', tile: 'kinds', scope, total: 1, columns: [], rows: [[first]], notes: [] },
});
const shownOf = (live: DashboardStore) => {
  const { status, rows: own, filteredRows } = live.tile('kinds').view;
  return [status, (filteredRows ?? own)?.rows[0]![0]];
};

test('a table sorted while a selection failed shows its rows once the selection is cleared', async () => {
  const { live, requests } = opened(initialState);
  await requests[0]!.give(rows('base', 'as made'));
  const sorted = { ...initialState, tiles: { kinds: { sort: { by: 'kind' } } } } as unknown as DashboardState;
  live.setState({ ...sorted, selections: chosen('Bern') });
  await requests.at(-1)!.give(refused('filtered'));
  live.setState(sorted);
  await requests.at(-1)!.give(rows('base', 'sorted'));
  expect(shownOf(live)).toEqual(['fresh', 'sorted']);
});

test('a table’s own late rows do not replace those of a selection', async () => {
  const { live, requests } = opened(initialState);
  live.setState({ ...initialState, selections: chosen('Bern') });
  await requests[1]!.give(rows('filtered', 'selected'));
  await requests[0]!.give(rows('base', 'all'));
  expect(shownOf(live)).toEqual(['fresh', 'selected']);
  live.setState(initialState);
  expect(shownOf(live)).toEqual(['fresh', 'all']);
});

test('a gesture that clears a selection and ends with the same one shows it again', async () => {
  const { live, requests } = opened(initialState);
  await requests[0]!.give(rows('base', 'all'));
  live.setState({ ...initialState, selections: chosen('Bern') });
  await requests[1]!.give(rows('filtered', 'selected'));
  live.brush('cities', []);
  expect(shownOf(live)).toEqual(['fresh', 'all']);
  live.brush('cities', chosen('Bern')['cities']!);
  void live.settle();
  expect(requests.slice(2).flatMap(({ tiles }) => tiles)).toContain('kinds');
  await requests.at(-1)!.give(rows('filtered', 'selected'));
  expect(shownOf(live)).toEqual(['fresh', 'selected']);
});

test('a table sorted or filtered during a selection stays so once it is cleared', async () => {
  for (const change of [
    { filters: { kind: 'bus' } },
    { tiles: { kinds: { sort: { by: 'kind' } } } },
  ] as unknown as Partial<DashboardState>[]) {
    const { live, requests } = opened(initialState);
    const shown = () => shownOf(live);
    await requests[0]!.give(rows('base', 'as made'));
    live.setState({ ...initialState, selections: chosen('Bern') });
    await requests[1]!.give(rows('filtered', 'selected'));
    live.setState({ ...initialState, selections: chosen('Bern'), ...change });
    await requests[2]!.give(rows('filtered', 'selected and changed'));
    expect(shown()).toEqual(['fresh', 'selected and changed']);
    live.setState({ ...initialState, ...change });
    expect(shown()).toEqual(['refreshing', 'selected and changed']);
    expect(requests[3]!.tiles).toContain('kinds');
    await requests[3]!.give(rows('base', 'changed'));
    expect(shown()).toEqual(['fresh', 'changed']);
    live.setState({ ...initialState, ...change, selections: chosen('Bern') });
    await requests[4]!.give(rows('filtered', 'selected and changed'));
    live.setState({ ...initialState, ...change });
    expect(shown()).toEqual(['fresh', 'changed']);
  }
});

/** The index of `kinds` by the three days of `days`. */
const indexOfDays: Frame = {
  header: {
    kind: 'index',
    tile: 'kinds',
    part: 'main',
    brush: [{ kind: 'categories', field: 'day', values: ['1', '2', '3'], other: false }],
    axes: [{ channel: 'x', kind: 'categories', field: 'kind', values: ['bus'], other: false }],
    merges: ['sum'],
    values: [{ kind: 'part', index: 0 }],
    engineMs: 1,
  } as unknown as Frame['header'],
  cells: { groups: Int32Array.of(0, 1, 2), parts: [Float64Array.of(1, 2, 4)] },
};

test('a cleared brush leaves the results of the other selections', async () => {
  const days = (...oneOf: string[]) => [{ day: { oneOf } }];
  const { live, requests, shown } = opened({ ...initialState, selections: chosen('Bern') }, [indexOfDays]);
  await requests[0]!.give(result('base', 100), result('filtered', 7), end);
  live.prepare('days');
  await new Promise(resolve => setTimeout(resolve, 5));
  live.brush('days', days('1', '3'));
  expect(shown()).toEqual(['fresh', 5]);
  live.brush('days', []);
  expect(shown()).toEqual(['fresh', 7]);
  void live.settle();
  expect(shown()).toEqual(['fresh', 7]);
});
