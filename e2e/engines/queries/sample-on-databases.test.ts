import type { CellsHeader, DashboardState, Frame } from '@belvedere/api';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collect, runBelvedere, sourcesReady, type Running } from '../../running-belvedere.ts';
import { databases, type LoadedEngine, type StatedTable } from '../loaded-engines.ts';
import { sampleDocuments, sampleTables } from '../sample-tables.ts';
import { sourceFile, workspaceOn } from '../workspace-on.ts';

/** The sample's dashboards, unchanged, on every database: each tile has the same result as over files. */

let tables: StatedTable[];
let overFiles: Running;
const folders: string[] = [];

beforeAll(async () => {
  const sample = await sampleTables(20_000);
  ({ overFiles, tables } = sample);
  folders.push(sample.folder);
});
afterAll(async () => {
  await overFiles?.close();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

describe.each(databases)('on %s', (_, load) => {
  let loaded: LoadedEngine;
  let running: Running;
  beforeAll(async () => {
    loaded = await load(tables);
    const folder = await workspaceOn(sampleDocuments, sourceFile(loaded));
    folders.push(folder);
    running = await runBelvedere(folder, { isTrusted: true });
    await sourcesReady(running);
  });
  afterAll(async () => {
    await running?.close();
    await loaded?.close();
  });

  test('the source is ready, with its tables, their columns and keys', () => {
    const source = running.server.store.current.sources.get('warehouse')!;
    expect([source.state, source.problem]).toEqual(['ready', undefined]);
    for (const table of tables)
      expect(
        source.tables
          .find(one => one.called === table.name)
          ?.columns.map(column => column.name)
          .toSorted(),
      ).toEqual(table.columns.map(column => column.name).toSorted());
    expect(running.server.store.current.problems).toEqual([]);
  });

  test.each(['flight-delays', 'bird-strikes', 'two-cities', 'flight-network'])(
    '%s shows the same as over files, unfiltered, filtered and brushed',
    async id => {
      const { document } = await overFiles.client.getDashboard({ params: { id } });
      const tile = Object.entries(document!.pages[0]!.tiles).find(
        ([, one]) => one.kind === 'bar' || one.kind === 'line' || one.kind === 'area',
      )![0];
      for (const page of document!.pages.keys()) {
        for (const state of [
          { page, filters: {}, selections: {} },
          { page, filters: {}, selections: await brushOf(id, tile, page) },
        ]) {
          const [expected, got] = await Promise.all(
            [overFiles, running].map(async one =>
              collect(await one.client.queryTiles({ params: { id }, body: { state } })),
            ),
          );
          expect(got!.filter(frame => frame.header.kind === 'problem').map(frame => frame.header)).toEqual(
            [],
          );
          const [was, is] = [byTile(expected!), byTile(got!)];
          expect([...is.keys()]).toEqual([...was.keys()]);
          for (const [key, frame] of was) expectSame(is.get(key)!, frame, `${id} ${key}`);
        }
      }
    },
  );

  test('a brush index is built by the database', async () => {
    const state = { page: 0, filters: {}, selections: {} };
    const active = 'delay';
    const { document } = await overFiles.client.getDashboard({ params: { id: 'flight-delays' } });
    const tile =
      active in document!.pages[0]!.tiles
        ? active
        : Object.entries(document!.pages[0]!.tiles).find(([, one]) => one.kind === 'bar')![0];
    const [expected, got] = await Promise.all(
      [overFiles, running].map(async one => {
        const frames = await collect(
          await one.client.getBrushIndex({ params: { id: 'flight-delays' }, body: { state, active: tile } }),
        );
        expect(frames.filter(frame => frame.header.kind === 'problem').map(frame => frame.header)).toEqual(
          [],
        );
        return byTile(frames);
      }),
    );
    expect([...got!.keys()]).toEqual([...expected!.keys()]);
    expect(got!.size).toBeGreaterThan(2);
    for (const [key, frame] of expected!) expectSame(got!.get(key)!, frame, key);
  });

  async function brushOf(id: string, tile: string, page: number): Promise<DashboardState['selections']> {
    if (page > 0) return {};
    const frames = await collect(
      await overFiles.client.queryTiles({
        params: { id },
        body: { state: { page, filters: {}, selections: {} }, tiles: [tile] },
      }),
    );
    const header = frames.find(frame => frame.header.kind === 'cells')?.header as CellsHeader | undefined;
    const axis = header?.axes.find(one => one.channel === 'x' || one.channel === 'y');
    if (!axis) return {};
    if (axis.kind === 'categories') return { [tile]: [{ [axis.field]: { oneOf: axis.values.slice(0, 2) } }] };
    if (axis.kind === 'bins')
      return {
        [tile]: [{ [axis.field]: { from: axis.origin + axis.step, below: axis.origin + axis.step * 4 } }],
      };
    return {
      [tile]: [
        {
          [axis.field]: {
            from: new Date(axis.from).toISOString().slice(0, 10),
            below: new Date(axis.from + 40 * 86_400_000).toISOString().slice(0, 10),
          },
        },
      ],
    };
  }
});

function byTile(frames: readonly Frame[]): Map<string, Frame> {
  const exact = frames.filter(
    ({ header }) =>
      header.kind === 'index' || header.kind === 'rows' || (header.kind === 'cells' && !header.sampled),
  );
  const keyed = exact.map(
    frame =>
      [
        JSON.stringify([
          (frame.header as { tile: string }).tile,
          (frame.header as { part?: string }).part ?? 'rows',
          (frame.header as { scope?: string }).scope ?? 'index',
        ]),
        frame,
      ] as const,
  );
  return new Map(keyed.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function expectSame(got: Frame, expected: Frame, what: string): void {
  if (expected.header.kind === 'rows' && got.header.kind === 'rows') {
    expect([what, got.header.total]).toEqual([what, expected.header.total]);
    expect([what, got.header.rows.length]).toEqual([what, expected.header.rows.length]);
    return;
  }
  const axes = (frame: Frame) => (frame.header as CellsHeader).axes;
  expect([what, axes(got)]).toEqual([what, axes(expected)]);
  // Engines give groups in their own order.
  const places = (frame: Frame) => new Map([...frame.cells!.groups].map((group, place) => [group, place]));
  const [was, is] = [places(expected), places(got)];
  expect([what, [...is.keys()].toSorted((a, b) => a - b)]).toEqual([
    what,
    [...was.keys()].toSorted((a, b) => a - b),
  ]);
  for (const [group, place] of was) {
    expected.cells!.parts.forEach((part, i) => {
      const [a, b] = [got.cells!.parts[i]![is.get(group)!]!, part[place]!];
      if (Number.isNaN(a) && Number.isNaN(b)) return;
      if (!(Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b))))
        expect.fail(`${what}: part ${i} of group ${group} is ${a} instead of ${b}`);
    });
  }
}
