import { encodeFrame, type Frame, type OpenDashboard } from '@belvedere/api';
import { expect, test } from 'vitest';
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
