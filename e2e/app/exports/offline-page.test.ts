import { createClient, type Client, type DashboardState, type Frame, type TilePart } from '@belvedere/api';
import { brushAxis, conditionFor } from '@belvedere/crossfilter';
import { positionsOf, type Axis, type Box } from '@belvedere/query';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LiveTile, type TileView } from '../../../apps/web/src/live/live-tile.ts';
import { offlineClient } from '../../../apps/web/src/offline/offline-client.ts';
import type { OfflineData } from '../../../apps/web/src/offline/offline-data.ts';
import { prepareSample } from '../../../apps/cli/src/prepare-sample.ts';
import { project, startCli } from '../../browser.ts';
import { randomFrom } from '../../random/random-from.ts';
import { collect } from '../../running-belvedere.ts';

/**
 * Under every selection, a dashboard exported as one page shows the same figures, marks and comparisons as
 * the live page, or says that it cannot.
 */

const seed = Number(process.env['BELVEDERE_SEED']);
const rounds = Number(process.env['BELVEDERE_ROUNDS'] ?? 3);

interface Live {
  readonly origin: string;
  readonly cookie: string;
  readonly client: Client;
  readonly dashboards: readonly string[];
  stop(): Promise<void>;
}

async function serve(sample: 'workspace' | 'gallery'): Promise<Live> {
  const cache = await mkdtemp(path.join(os.tmpdir(), 'belvedere-offline-'));
  // A copy, because other tests open the samples at the same time, and only one server can open a folder.
  const folder = await prepareSample(project, sample, path.join(cache, sample));
  const cli = await startCli([folder, '--quiet'], { XDG_CACHE_HOME: cache });
  const first = await fetch(cli.url, { redirect: 'manual' });
  const { origin } = new URL(cli.url);
  const cookie = first.headers
    .getSetCookie()
    .map(one => one.split(';')[0])
    .join('; ');
  const send: typeof fetch = (input, init) =>
    fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), cookie } });
  const client = createClient(origin, send);
  for (;;) {
    const saved = (await client.listDashboards({ query: { language: 'en' } })).dashboards.filter(
      one => one.origin === 'saved',
    );
    if (saved.length > 0 && saved.every(one => one.state === 'ready')) {
      const stop = async () => {
        await cli.stop();
        await rm(cache, { recursive: true, force: true });
      };
      return { origin, cookie, client, dashboards: saved.map(one => one.id), stop };
    }
    await new Promise(resolve => setTimeout(resolve, 200));
  }
}

async function exportPage(
  { origin, cookie }: Live,
  id: string,
  state: DashboardState,
): Promise<{ readonly html: string; readonly data: OfflineData }> {
  const query = new URLSearchParams({ format: 'html', locale: 'en-US', state: JSON.stringify(state) });
  const response = await fetch(`${origin}/api/v1/dashboards/${id}/export?${query}`, { headers: { cookie } });
  const html = await response.text();
  expect(response.status, html.slice(0, 300)).toBe(200);
  const json = /<script type="application\/json" id="belvedere-data">(.*?)<\/script>/s.exec(html)![1]!;
  return { html, data: JSON.parse(json) as OfflineData };
}

/** The content of each tile once it has received its frames. */
function shownOf(frames: readonly Frame[]): Map<string, TileView> {
  const tiles = new Map<string, LiveTile>();
  for (const frame of frames) {
    if (!('tile' in frame.header)) continue;
    const tile = tiles.get(frame.header.tile) ?? new LiveTile(frame.header.tile);
    tiles.set(frame.header.tile, tile);
    tile.receive(frame);
  }
  return new Map(Array.from(tiles, ([id, tile]) => [id, tile.view]));
}

function isAlike(a: number, b: number): boolean {
  return (
    Object.is(a, b) ||
    (Number.isNaN(a) && Number.isNaN(b)) ||
    Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b))
  );
}

/** The first difference between two tiles; undefined if they are equal. */
function difference(offline: TileView, live: TileView): string | undefined {
  if (live.status === 'failed')
    return offline.status === 'failed'
      ? undefined
      : `live fails (${live.problem?.type}), offline is ${offline.status}`;
  const parts = new Set([...Object.keys(live.base), ...Object.keys(live.filtered ?? {})] as TilePart[]);
  const isCompared = live.notes.some(note => note.kind === 'compared');
  for (const part of parts) {
    if (part === 'previous' && (!isCompared || isComparisonMissing(offline))) continue;
    const [mine, theirs] = [offline, live].map(view => view.filtered?.[part] ?? view.base[part]);
    if (!mine || !theirs) return `${part} is ${mine ? 'not live' : 'not offline'}`;
    if (mine.values.length !== theirs.values.length)
      return `${part} has ${mine.values.length} values, live ${theirs.values.length}`;
    const at = mine.values.findIndex((value, i) => !isAlike(value, theirs.values[i]!));
    if (at >= 0) return `${part}[${at}] is ${mine.values[at]}, live ${theirs.values[at]}`;
    if (!!mine.header.isOfNoRows !== !!theirs.header.isOfNoRows)
      return `${part} of no rows: ${mine.header.isOfNoRows}, live ${theirs.header.isOfNoRows}`;
  }
  const [mine, theirs] = [offline, live].map(view =>
    JSON.stringify((view.filteredRows ?? view.rows)?.rows ?? null),
  );
  if (mine !== theirs) return 'other rows';
  const said = (view: TileView) =>
    JSON.stringify(
      view.notes
        .filter(note => !isComparisonMissing(offline) || note.kind === 'not-applied')
        .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    );
  return said(offline) === said(live) ? undefined : `says ${said(offline)}, live ${said(live)}`;
}

function isComparisonMissing(view: TileView): boolean {
  return view.notes.some(note => note.kind === 'comparison-not-offline');
}

/** Axes that a tile can be brushed along: those of its index, finer or as they are drawn. */
function axesOf(
  frames: readonly Frame[],
  typeOf: (field: string) => string,
  random: () => number,
): readonly Axis[] {
  const main = frames.find(({ header }) => header.kind === 'cells' && header.part === 'main');
  const axes =
    main?.header.kind === 'cells'
      ? main.header.axes.filter(axis => ['x', 'y', 'color', 'detail'].includes(axis.channel))
      : [];
  if (axes.some(axis => positionsOf(axis) === 0)) return [];
  return axes.length === 1 && random() < 0.5
    ? axes.map(axis => brushAxis(axis, typeOf(axis.field) as never))
    : axes;
}

function randomBoxes(axes: readonly Axis[], random: () => number): Box[] {
  const count = random() < 0.75 ? 1 : 2;
  return Array.from({ length: count }, () =>
    Object.fromEntries(
      axes.map(axis => {
        // The combined category “Other” cannot be selected.
        const places = axis.kind === 'categories' ? axis.values.length : positionsOf(axis);
        const from = Math.floor(random() * places);
        // A selection names 1,000 values at most.
        const many = Math.min(50, 1 + Math.floor(random() * random() * places));
        return [axis.field, conditionFor(axis, from, Math.min(places, from + many))];
      }),
    ),
  );
}

interface Tally {
  tiles: number;
  notOffline: number;
  comparisons: number;
  comparisonsNotOffline: number;
  readonly wrong: string[];
  /** How often which tile was not available. */
  readonly missing: Record<string, number>;
}

/** Random selections on a dashboard's pages, answered by the file and by the server. */
async function compare(
  live: Live,
  id: string,
  filters: Omit<DashboardState, 'page' | 'selections'>,
  random: () => number,
  tally: Tally,
): Promise<void> {
  const { data } = await exportPage(live, id, { page: 0, selections: {}, ...filters });
  const client = offlineClient(data);
  const typeOf = (field: string) =>
    data.dashboard.models.flatMap(model => model.dimensions).find(dimension => dimension.name === field)
      ?.type ?? 'text';
  const answersOf = async (from: Pick<Client, 'queryTiles'>, state: DashboardState) =>
    collect(await from.queryTiles({ params: { id }, body: { state, scope: 'both' } }));
  for (const page of data.pages.keys()) {
    const unselected = await answersOf(client, { page, selections: {}, ...filters });
    const byTile = Map.groupBy(unselected, ({ header }) => ('tile' in header ? header.tile : ''));
    const brushable = Array.from(byTile).filter(([tile]) => Object.hasOwn(data.indexes, tile));
    for (let round = 0; round < rounds; round++) {
      const [active, own] = brushable[Math.floor(random() * brushable.length)] ?? [];
      const axes = own ? axesOf(own, typeOf, random) : [];
      const selections =
        active && axes.length > 0 && round > 0 ? { [active]: randomBoxes(axes, random) } : {};
      const state: DashboardState = { page, selections, ...filters };
      const [offline, asked] = (
        await Promise.all([answersOf(client, state), answersOf(live.client, state)])
      ).map(shownOf);
      for (const [tile, theirs] of asked!) {
        const mine = offline!.get(tile);
        if (!mine) continue;
        tally.tiles++;
        if (theirs.notes.some(note => note.kind === 'compared')) {
          tally.comparisons++;
          if (isComparisonMissing(mine)) tally.comparisonsNotOffline++;
        }
        if (mine.problem?.type === 'not-offline') {
          tally.notOffline++;
          tally.missing[`${id}/${tile}`] = (tally.missing[`${id}/${tile}`] ?? 0) + 1;
        } else {
          const wrong = difference(mine, theirs);
          if (wrong)
            tally.wrong.push(
              `${id} page ${page} tile ${tile} under ${JSON.stringify({ selections, ...filters })}: ${wrong}`,
            );
        }
      }
    }
  }
}

/** What differs from the live page where a file was exported with selections on two of its tiles. */
async function differencesOnOpening(live: Live, id: string, random: () => number): Promise<string[]> {
  const before = await exportPage(live, id, { page: 0, selections: {}, filters: {} });
  const typeOf = (field: string) =>
    before.data.dashboard.models.flatMap(model => model.dimensions).find(({ name }) => name === field)
      ?.type ?? 'text';
  const framesOf = async (from: Pick<Client, 'queryTiles'>, state: DashboardState) =>
    collect(await from.queryTiles({ params: { id }, body: { state, scope: 'both' } }));
  const own = Map.groupBy(
    await framesOf(offlineClient(before.data), { page: 0, selections: {}, filters: {} }),
    ({ header }) => ('tile' in header ? header.tile : ''),
  );
  const selected = Object.keys(before.data.indexes).flatMap(tile => {
    const axes = axesOf(own.get(tile) ?? [], typeOf, random);
    return axes.length > 0 ? [[tile, randomBoxes(axes, random)] as const] : [];
  });
  const state = { page: 0, filters: {}, selections: Object.fromEntries(selected.slice(0, 2)) };
  const { data } = await exportPage(live, id, state);
  expect(data.state.selections).toEqual(state.selections);
  const offline = shownOf(await framesOf(offlineClient(data), data.state));
  const asked = shownOf(await framesOf(live.client, state));
  return Array.from(asked).flatMap(([tile, theirs]) => {
    const mine = offline.get(tile);
    const wrong = mine ? difference(mine, theirs) : 'is missing';
    return wrong ? [`${id} ${tile} under ${JSON.stringify(state.selections)}: ${wrong}`] : [];
  });
}

const noTally = (): Tally => ({
  tiles: 0,
  notOffline: 0,
  comparisons: 0,
  comparisonsNotOffline: 0,
  wrong: [],
  missing: {},
});

describe.each([
  [
    'the sample',
    'workspace',
    [
      { filters: {} },
      { filters: {}, compare: 'previous year' },
      { filters: {}, compare: { from: '2001-02-03', below: '2001-02-17' } },
    ],
  ],
  [
    'the gallery',
    'gallery',
    [
      { filters: {} },
      { filters: { flight_date: { from: '2001-02-01', below: '2001-05-01' } }, compare: 'previous period' },
    ],
  ],
] as const)('%s as an offline page', (_, sample, states) => {
  let live: Live;
  beforeAll(async () => {
    live = await serve(sample);
  }, 300_000);
  afterAll(() => live?.stop());

  test(`opens as the page looked, with selections on two tiles (seed ${seed})`, async () => {
    const random = randomFrom(seed);
    const wrong: string[] = [];
    for (const id of live.dashboards) wrong.push(...(await differencesOnOpening(live, id, random)));
    expect(wrong, `seed ${seed}`).toEqual([]);
  }, 300_000);

  test(`shows the live page’s values after random selections, or says that it cannot (seed ${seed})`, async () => {
    const random = randomFrom(seed);
    const tally = noTally();
    for (const id of live.dashboards)
      for (const filters of states) await compare(live, id, filters, random, tally);
    console.log(JSON.stringify({ ...tally, wrong: tally.wrong.length }));
    expect(tally.wrong.slice(0, 10), `seed ${seed}`).toEqual([]);
    expect(tally.tiles).toBeGreaterThan(300);
    expect(tally.notOffline / tally.tiles).toBeLessThan(0.3);
    if (tally.comparisons > 0) expect(tally.comparisonsNotOffline / tally.comparisons).toBeLessThan(0.25);
  }, 600_000);
});
