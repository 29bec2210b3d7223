import type { DashboardState, Frame, OpenDashboard } from '@belvedere/api';
import type { Box } from '@belvedere/query';
import { expect, test } from 'vitest';
import { DashboardStore } from './dashboard-store.ts';

/* A page's answers come one after another, while its reader goes on: what was asked for before that must not stand for what is asked for now. */

const tile = (field: string) => ({ kind: 'bar', x: { field }, y: { measure: 'rows' } });
const dashboard = {
  id: 'trips',
  document: {
    version: 1,
    title: 'Trips',
    pages: [{ title: 'One', tiles: { cities: tile('city'), kinds: tile('kind'), days: tile('day') } }],
  },
} as unknown as OpenDashboard;
const asMade: DashboardState = { page: 0, filters: {}, selections: {} };
const chosen = (city: string): Record<string, Box[]> => ({ cities: [{ city: [city] }] as unknown as Box[] });

/** An answer of one group to `kinds`, whose one value tells it from all others. */
const answer = (scope: 'base' | 'filtered', value: number, of = 'kinds'): Frame => ({
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

/**
 * A page nobody has answered yet: each question it asks is answered when the test says so, also one that was
 * called off, which is known too late.
 */
function opened(state: DashboardState, indexes: readonly Frame[] = []) {
  const asked: {
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
      let tellTaken = () => {};
      /** Resolves once the page has taken in all that was given, however long it takes, or reads no more. */
      const taken = () =>
        new Promise<void>(resolve => {
          tellTaken = resolve;
          if (isRead) resolve();
          wake();
        });
      asked.push({
        state: body.state,
        scope: body.scope ?? 'both',
        tiles: body.tiles,
        give: async (...frames) => {
          given.push(...frames);
          await taken();
        },
        fail: async error => {
          failure = error;
          await taken();
          // What a page does about a failure follows in the same task.
          await new Promise(resolve => setTimeout(resolve));
        },
      });
      return (async function* () {
        try {
          for (;;) {
            for (const frame of given.splice(0)) yield frame;
            if (failure) throw failure;
            tellTaken();
            await new Promise<void>(resolve => (wake = resolve));
          }
        } finally {
          isRead = true;
          tellTaken();
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
    asked,
    shown: () => [live.tile('kinds').view.status, live.tile('kinds').current('main')?.[0]],
  };
}

test('a selection cleared before its result arrives is not shown', async () => {
  const { live, asked, shown } = opened({ ...asMade, selections: chosen('Bern') });
  live.setState(asMade);
  await asked[0]!.give(answer('base', 100), answer('filtered', 7));
  expect(shown()).toEqual(['fresh', 100]);
});

test('a newer selection stays, in whichever order the results arrive', async () => {
  const { live, asked, shown } = opened({ ...asMade, selections: chosen('Bern') });
  live.setState({ ...asMade, selections: chosen('Davos') });
  expect(asked.map(({ state, scope }) => [scope, state.selections])).toEqual([
    ['both', chosen('Bern')],
    ['filtered', chosen('Davos')],
  ]);
  await asked[1]!.give(answer('filtered', 8));
  await asked[0]!.give(answer('base', 100), answer('filtered', 7));
  expect(shown()).toEqual(['fresh', 8]);
});

test('a selection that binds a tile not at all leaves nothing there of the one before', async () => {
  // With none of the selection's fields in its model, a tile is answered as it is without a selection.
  const { live, asked, shown } = opened({ ...asMade, selections: chosen('Bern') });
  await asked[0]!.give(answer('base', 100), answer('filtered', 7), end);
  expect(shown()).toEqual(['fresh', 7]);
  const elsewhere = { ...asMade, selections: { days: [{ day: ['2024-01-01'] }] as unknown as Box[] } };
  live.setState(elsewhere);
  await asked[1]!.give(answer('base', 100), end);
  expect(shown()).toEqual(['fresh', 100]);
  // The same with a changed filter, where all is asked anew.
  live.setState({ ...asMade, selections: chosen('Bern') });
  await asked[2]!.give(answer('filtered', 7), end);
  live.setState({ ...elsewhere, filters: { kind: null } });
  expect(asked[3]!.scope).toBe('both');
  await asked[3]!.give(answer('base', 90), end);
  expect(shown()).toEqual(['fresh', 90]);
});

test('a selection that binds a table not at all leaves nothing there of the one before', async () => {
  const { live, asked } = opened({ ...asMade, selections: chosen('Bern') });
  await asked[0]!.give(rows('filtered', 'selected'), end);
  live.setState({ ...asMade, selections: { days: [{ day: ['2024-01-01'] }] as unknown as Box[] } });
  await asked[1]!.give(rows('base', 'all'), end);
  expect(shownOf(live)).toEqual(['fresh', 'all']);
});

test('a selection that remains is shown, whatever else changed in the meantime', async () => {
  const { live, asked, shown } = opened({ ...asMade, selections: chosen('Bern') });
  live.brush('cities', chosen('Davos')['cities']!);
  live.brush('cities', chosen('Bern')['cities']!);
  void live.settle();
  // What `kinds` itself selects binds the others, not it.
  live.setState({
    ...asMade,
    selections: { ...chosen('Bern'), kinds: [{ kind: ['bus'] }] as unknown as Box[] },
  });
  await asked[0]!.give(answer('base', 100), answer('filtered', 7));
  expect(shown()).toEqual(['fresh', 7]);
});

test('results for earlier filters, or for a tile before its adjustment, are dropped', async () => {
  for (const change of [
    { filters: { kind: 'bus' } },
    { tiles: { kinds: { timeUnit: 'year' } } },
  ] as unknown as Partial<DashboardState>[]) {
    const { live, asked, shown } = opened(asMade);
    await asked[0]!.give(answer('base', 100));
    live.setState({ ...asMade, selections: chosen('Bern') });
    live.setState({ ...asMade, selections: chosen('Bern'), ...change });
    const [, selected, changed] = asked;
    await changed!.give(answer('base', 50), answer('filtered', 3));
    await selected!.give(answer('filtered', 7));
    expect([JSON.stringify(change), ...shown()]).toEqual([JSON.stringify(change), 'fresh', 3]);
  }
});

test('a query cancelled by a click on its own tile is sent again', async () => {
  const { live, asked, shown } = opened(asMade);
  await asked[0]!.give(answer('base', 100));
  live.setState({ ...asMade, selections: chosen('Bern') });
  live.setState({
    ...asMade,
    selections: { ...chosen('Bern'), kinds: [{ kind: ['bus'] }] as unknown as Box[] },
  });
  expect(asked.map(({ tiles }) => tiles)).toEqual([
    undefined,
    ['kinds', 'days'],
    ['cities', 'kinds', 'days'],
  ]);
  await asked[2]!.give(answer('filtered', 7));
  expect(shown()).toEqual(['fresh', 7]);
});

test('a cancelled brush restores the previous selection, whatever was queried in between', async () => {
  const { live, asked, shown } = opened({ ...asMade, selections: chosen('Bern') });
  await asked[0]!.give(
    answer('base', 100, 'cities'),
    answer('base', 100),
    answer('filtered', 7),
    answer('base', 100, 'days'),
    answer('filtered', 9, 'days'),
  );
  live.brush('days', [{ day: ['2024-01-01'] }] as unknown as Box[]);
  await asked[1]!.give(answer('filtered', 1));
  expect(shown()).toEqual(['fresh', 1]);
  live.brush('days', []);
  void live.settle();
  expect(asked[2]).toMatchObject({ tiles: ['kinds'], state: { selections: chosen('Bern') } });
  await asked[2]!.give(answer('filtered', 7));
  expect(shown()).toEqual(['fresh', 7]);
});

test('a selection sends its queries before its tiles are rendered, too', () => {
  const { live, asked } = opened(asMade);
  live.setState({ ...asMade, selections: chosen('Bern') });
  expect(asked.map(({ tiles }) => tiles)).toEqual([undefined, ['kinds', 'days']]);
});

test('a query with a known result is not sent again', async () => {
  const { live, asked } = opened({ ...asMade, selections: chosen('Bern') });
  await asked[0]!.give(answer('base', 100), answer('filtered', 7), answer('filtered', 9, 'days'));
  void live.settle();
  live.setState({
    ...asMade,
    selections: { ...chosen('Bern'), kinds: [{ kind: ['bus'] }] as unknown as Box[] },
  });
  expect(asked.map(({ tiles }) => tiles)).toEqual([undefined, ['cities', 'days']]);
});

test('clearing a failed selection restores the tile’s own picture', async () => {
  const { live, asked, shown } = opened(asMade);
  await asked[0]!.give(answer('base', 100));
  live.setState({ ...asMade, selections: chosen('Bern') });
  await asked[1]!.give(refused('filtered'));
  expect(shown()[0]).toBe('failed');
  live.setState(asMade);
  expect(shown()).toEqual(['fresh', 100]);
});

test('a failed selection shows its error until it is cleared, in whichever order the results arrive', async () => {
  for (const frames of [
    [refused('filtered'), answer('base', 100)],
    [answer('base', 100), refused('filtered')],
  ]) {
    const { live, asked, shown } = opened({ ...asMade, selections: chosen('Bern') });
    await asked[0]!.give(...frames);
    expect(shown()).toEqual(['failed', 100]);
    live.setState(asMade);
    expect(shown()).toEqual(['fresh', 100]);
  }
});

test('a selection cleared before it failed shows no error', async () => {
  const { live, asked, shown } = opened({ ...asMade, selections: chosen('Bern') });
  live.setState(asMade);
  await asked[0]!.give(answer('base', 100), refused('filtered'));
  expect(shown()).toEqual(['fresh', 100]);
});

test('clearing a selection without a result leaves no tile failed', async () => {
  const { live, asked, shown } = opened(asMade);
  await asked[0]!.give(answer('base', 100));
  live.setState({ ...asMade, selections: chosen('Bern') });
  await asked[1]!.fail(new TypeError('fetch failed'));
  expect(shown()[0]).toBe('failed');
  live.setState(asMade);
  expect(shown()).toEqual(['fresh', 100]);
});

test('a failed tile is queried again with a selection, and stays failed until its own query succeeds', async () => {
  const { live, asked, shown } = opened(asMade);
  await asked[0]!.give(refused('base'));
  live.setState({ ...asMade, selections: chosen('Bern') });
  expect(asked[1]).toMatchObject({ scope: 'both', tiles: ['kinds', 'days'] });
  await asked[1]!.give(answer('filtered', 7));
  expect(shown()[0]).toBe('refreshing');
  await asked[1]!.give(refused('base'));
  expect(shown()[0]).toBe('failed');
  live.setState({ ...asMade, selections: chosen('Davos') });
  await asked[2]!.give(answer('base', 100), answer('filtered', 8));
  expect(shown()).toEqual(['fresh', 8]);
});

test('a selection’s numbers on other axes are not drawn once the tile’s query has changed', async () => {
  const { live, asked, shown } = opened({ ...asMade, selections: chosen('Bern') });
  await asked[0]!.give(answer('base', 100), answer('filtered', 7));
  live.setState({ ...asMade, selections: chosen('Bern'), tiles: { kinds: { timeUnit: 'year' } } } as never);
  const { header } = answer('base', 60);
  const wider = (value: number): Frame => ({
    header: {
      ...header,
      axes: [{ channel: 'x', kind: 'categories', field: 'kind', values: ['bus', 'tram'], other: false }],
    } as never,
    cells: { groups: Int32Array.of(0, 1), parts: [Float64Array.of(value, value + 1)] },
  });
  await asked[1]!.give(wider(60));
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
  const { live, asked } = opened(asMade);
  await asked[0]!.give(rows('base', 'as made'));
  const sorted = { ...asMade, tiles: { kinds: { sort: { by: 'kind' } } } } as unknown as DashboardState;
  live.setState({ ...sorted, selections: chosen('Bern') });
  await asked.at(-1)!.give(refused('filtered'));
  live.setState(sorted);
  await asked.at(-1)!.give(rows('base', 'sorted'));
  expect(shownOf(live)).toEqual(['fresh', 'sorted']);
});

test('a table’s own late rows do not replace those of a selection', async () => {
  const { live, asked } = opened(asMade);
  live.setState({ ...asMade, selections: chosen('Bern') });
  await asked[1]!.give(rows('filtered', 'selected'));
  await asked[0]!.give(rows('base', 'all'));
  expect(shownOf(live)).toEqual(['fresh', 'selected']);
  live.setState(asMade);
  expect(shownOf(live)).toEqual(['fresh', 'all']);
});

test('a gesture that clears a selection and ends with the same one shows it again', async () => {
  const { live, asked } = opened(asMade);
  await asked[0]!.give(rows('base', 'all'));
  live.setState({ ...asMade, selections: chosen('Bern') });
  await asked[1]!.give(rows('filtered', 'selected'));
  live.brush('cities', []);
  expect(shownOf(live)).toEqual(['fresh', 'all']);
  live.brush('cities', chosen('Bern')['cities']!);
  void live.settle();
  expect(asked.slice(2).flatMap(({ tiles }) => tiles)).toContain('kinds');
  await asked.at(-1)!.give(rows('filtered', 'selected'));
  expect(shownOf(live)).toEqual(['fresh', 'selected']);
});

test('a table sorted or filtered during a selection stays so once it is cleared', async () => {
  for (const change of [
    { filters: { kind: 'bus' } },
    { tiles: { kinds: { sort: { by: 'kind' } } } },
  ] as unknown as Partial<DashboardState>[]) {
    const { live, asked } = opened(asMade);
    const shown = () => shownOf(live);
    await asked[0]!.give(rows('base', 'as made'));
    live.setState({ ...asMade, selections: chosen('Bern') });
    await asked[1]!.give(rows('filtered', 'selected'));
    live.setState({ ...asMade, selections: chosen('Bern'), ...change });
    await asked[2]!.give(rows('filtered', 'selected and changed'));
    expect(shown()).toEqual(['fresh', 'selected and changed']);
    live.setState({ ...asMade, ...change });
    expect(shown()).toEqual(['refreshing', 'selected and changed']);
    expect(asked[3]!.tiles).toContain('kinds');
    await asked[3]!.give(rows('base', 'changed'));
    expect(shown()).toEqual(['fresh', 'changed']);
    live.setState({ ...asMade, ...change, selections: chosen('Bern') });
    await asked[4]!.give(rows('filtered', 'selected and changed'));
    live.setState({ ...asMade, ...change });
    expect(shown()).toEqual(['fresh', 'changed']);
  }
});

/** What `kinds` has for each of the three days of `days`, under whatever else is selected. */
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

test('a brush that is taken back leaves what the other selections have left', async () => {
  const days = (...oneOf: string[]) => [{ day: { oneOf } }];
  const { live, asked, shown } = opened({ ...asMade, selections: chosen('Bern') }, [indexOfDays]);
  await asked[0]!.give(answer('base', 100), answer('filtered', 7), end);
  live.prepare('days');
  await new Promise(resolve => setTimeout(resolve, 5));
  live.brush('days', days('1', '3'));
  expect(shown()).toEqual(['fresh', 5]);
  live.brush('days', []);
  expect(shown()).toEqual(['fresh', 7]);
  void live.settle();
  expect(shown()).toEqual(['fresh', 7]);
});
