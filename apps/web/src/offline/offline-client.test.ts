import { describe, expect, test } from 'vitest';
import { encodeFrame, notAddedUpDetail, type Frame, type OpenDashboard } from '@belvedere/api';
import { offlineClientOf } from './offline-client.ts';

const dashboard = {
  document: { pages: [{ title: 'One', tiles: { list: {} } }] },
} as unknown as OpenDashboard;
const rows: Frame = {
  header: { kind: 'rows', tile: 'list', scope: 'base', total: 1, columns: [], rows: [[1]], notes: [] },
};
const parts = {
  dashboard,
  page: async () => Uint8Array.from(encodeFrame(rows).flatMap(bytes => [...bytes])),
  index: async () => new Uint8Array(),
  comparisons: async () => ({}),
};
const kindsUnder = async (client: ReturnType<typeof offlineClientOf>) => {
  const state = { page: 0, filters: { city: { oneOf: ['Bonn'] } }, selections: {} };
  const frames = await client.queryTiles({ params: { id: '' }, body: { state } } as never);
  return (await Array.fromAsync(frames)).map(({ header }) => header.kind);
};

test('a file that was exported with a filter shows its results, which have it already', async () => {
  expect(await kindsUnder(offlineClientOf(parts))).toEqual(['rows', 'end']);
});

test('a page of a site shows no result without the filter that was set', async () => {
  expect(await kindsUnder(offlineClientOf({ ...parts, filter: async () => undefined }))).toEqual([
    'problem',
    'end',
  ]);
});

describe('a file that was exported with selections', () => {
  const encodedFrames = (...frames: readonly Frame[]) =>
    Uint8Array.from(frames.flatMap(frame => encodeFrame(frame).flatMap(bytes => [...bytes])));
  const selections = { map: [{ city: { oneOf: ['Bonn'] } }], chart: [{ day: { oneOf: ['Monday'] } }] };
  const filtered = {
    header: { ...rows.header, scope: 'filtered', total: 1, rows: [[2]] },
  } as Frame;
  const client = offlineClientOf({
    ...parts,
    selected: {
      state: { page: 0, filters: {}, selections },
      frames: async () => encodedFrames(rows, filtered),
    },
  });
  const rowsUnder = async (body: object) => {
    const frames = await Array.fromAsync(await client.queryTiles({ params: { id: '' }, body } as never));
    return frames.map(({ header }) =>
      header.kind === 'rows' ? `${header.scope} ${String(header.rows[0]![0])}` : header.kind,
    );
  };
  const state = { page: 0, filters: {}, selections };

  test('shows what the page showed, also with selections on two tiles', async () => {
    expect(await rowsUnder({ state })).toEqual(['base 1', 'filtered 2', 'end']);
    expect(await rowsUnder({ state, scope: 'filtered' })).toEqual(['filtered 2', 'end']);
    expect(await rowsUnder({ state, tiles: ['other'] })).toEqual(['end']);
  });

  test('shows everything once they are cleared, and follows another selection', async () => {
    expect(await rowsUnder({ state: { ...state, selections: {} } })).toEqual(['base 1', 'end']);
    expect(
      await rowsUnder({ state: { ...state, selections: { map: [{ city: { oneOf: ['Kiel'] } }] } } }),
    ).toEqual(['base 1', 'problem', 'end']);
  });
});

test.each([
  ['sum', /no data for this filter or selection/],
  ['none', notAddedUpDetail],
] as const)(
  'a figure that merges by “%s” and has no index says why it cannot follow',
  async (merge, reason) => {
    const figure: Frame = {
      header: {
        kind: 'cells',
        tile: 'figure',
        part: 'main',
        scope: 'base',
        axes: [],
        values: [{ kind: 'part', index: 0 }],
        merges: [merge],

        notes: [],
        engineMs: 1,
      },
      cells: { groups: Int32Array.of(0), parts: [Float64Array.of(7)] },
    };
    const tiles = { figure: {}, cities: {} };
    const client = offlineClientOf({
      ...parts,
      dashboard: { document: { pages: [{ title: 'One', tiles }] } } as unknown as OpenDashboard,
      page: async () => Uint8Array.from(encodeFrame(figure).flatMap(bytes => [...bytes])),
    });
    const selections = { cities: [{ city: { oneOf: ['Bonn'] } }] };
    const state = { page: 0, filters: {}, selections };
    const frames = await client.queryTiles({ params: { id: '' }, body: { state } } as never);
    const [, under] = await Array.fromAsync(frames);
    expect(under!.header).toMatchObject({ kind: 'problem', scope: 'filtered' });
    expect((under!.header as { problem: { detail: string } }).problem.detail).toMatch(reason);
  },
);
