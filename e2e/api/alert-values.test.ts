import { denseParts, shownValues, type DashboardState } from '@belvedere/api';
import type { AlertFile } from '@belvedere/document';
import { edgeOf, slotsOf, wholePositions } from '@belvedere/query';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { observe } from '../../apps/server/src/alerts/observe.ts';
import { owner } from '../../apps/server/src/access/caller.ts';
import { allRead, collect, runBelvedere, type Running } from '../running-belvedere.ts';

/**
 * An alert reads the value that its tile shows: compared with the tile's own result, and with sums over the
 * rows.
 */

const days = Array.from({ length: 100 }, (_, i) =>
  new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10),
);
const rows = days.flatMap((day, i) =>
  ['north', 'south', 'west'].flatMap((region, r) =>
    (i + r) % 5 === 0 ? [] : [{ day, region, amount: ((i * 31 + r * 17) % 97) - 10, cost: (i + r) % 7 }],
  ),
);

const tiles: Record<string, string> = {
  total: '{ kind: kpi, value: { measure: sum(amount) }, compare: previous period }',
  mean: '{ kind: gauge, value: { measure: mean(amount) } }',
  daily: '{ kind: line, x: { field: day, timeUnit: day }, y: { measure: sum(amount) } }',
  weekly: '{ kind: bar, x: { field: day, timeUnit: week }, y: { measure: mean(cost) } }',
  series:
    '{ kind: line, x: { field: day, timeUnit: month }, y: { measure: sum(amount) }, color: { field: region } }',
  regions: '{ kind: bar, x: { measure: sum(amount) }, y: { field: region } }',
  parts: '{ kind: donut, color: { field: region }, theta: { measure: rows } }',
  grid: '{ kind: heatmap, x: { field: region }, y: { field: day, timeUnit: week }, color: { measure: mean(amount) } }',
  own:
    '{ kind: line, x: { field: day, timeUnit: day }, y: { measure: sum(amount) }, ' +
    'filters: [{ field: region, default: { oneOf: [south] } }] }',
};

const filters: readonly DashboardState['filters'][] = [
  {},
  { region: { oneOf: ['north', 'west'] } },
  { day: { last: '30 days' } },
  { day: { from: '2024-02-10', below: '2024-03-05' }, region: { noneOf: ['west'] } },
  { region: { oneOf: ['nowhere'] } },
];

let belvedere: Running;
beforeAll(async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-alert-values-'));
  const list = Object.entries(tiles).map(
    ([id, tile], i) => `      ${id}: ${tile.replace(/ \}$/, `, at: [0, ${i * 4}, 12, 4] }`)}`,
  );
  const files = {
    'belvedere.yaml': 'version: 1\ntimezone: UTC\n',
    'data/orders.csv': `day,region,amount,cost\n${rows.map(row => Object.values(row).join(',')).join('\n')}\n`,
    'dashboards/orders.yaml':
      'version: 1\ntitle: Orders\nmodel: orders\nfilters:\n' +
      '  - { field: day, control: dateRange, default: { last: 60 days } }\n' +
      '  - { field: region, control: multiSelect }\n' +
      `pages:\n  - title: One\n    tiles:\n${list.join('\n')}\n`,
  };
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  belvedere = await runBelvedere(folder);
  await allRead(belvedere);
});
afterAll(() => belvedere?.close());

const observed = (watch: AlertFile['watch'], when: AlertFile['when'] = { above: 0 }) =>
  observe(
    { version: 1, title: 'A', watch, when },
    {
      queries: belvedere.server.queries,
      workspace: belvedere.server.store.current,
      caller: owner,
      now: Date.now(),
    },
  );

/** The newest complete value of every group of a tile's own result; null where the tile shows nothing. */
async function shown(tile: string, state: DashboardState): Promise<(number | null)[]> {
  const frames = await collect(
    await belvedere.client.queryTiles({ params: { id: 'orders' }, body: { state, tiles: [tile] } as never }),
  );
  const main = frames.find(
    ({ header }) => header.kind === 'cells' && header.tile === tile && header.part === 'main',
  );
  if (main?.header.kind !== 'cells' || !main.cells) throw new Error(`no result for ${tile}`);
  const { axes, merges, isOfNoRows } = main.header;
  const values = shownValues(main.header, denseParts(axes, merges, main.cells));
  const last = axes.map(axis => {
    if (axis.kind !== 'times')
      return Array.from({ length: axis.kind === 'categories' ? axis.values.length : 0 }, (_, i) => i);
    const [from, below] = wholePositions(axis, axis.count);
    expect(edgeOf(axis, below)).toBeLessThan(Date.now());
    return below > from ? [below - 1] : [];
  });
  const groups = last.reduce<number[]>(
    (offsets, positions, i) =>
      offsets.flatMap(offset => positions.map(position => offset * slotsOf(axes[i]!) + position)),
    [0],
  );
  return groups.map(offset => (isOfNoRows || Number.isNaN(values[offset]!) ? null : values[offset]!));
}

const sorted = (values: readonly (number | null)[]) =>
  values.toSorted((a, b) => (a ?? -Infinity) - (b ?? -Infinity));

describe.each(Object.keys(tiles))('the tile %s', tile => {
  test.each(filters.map((one, i) => [i, one] as const))(
    'has the alert’s values under filters %i',
    async (_, set) => {
      const state = { page: 0, filters: set, selections: {} };
      const { series } = await observed({ dashboard: 'orders', tile, filters: set as never });
      const values = series.map(({ points }) => points.at(-1)?.value ?? null);
      expect(sorted(values)).toEqual(sorted(await shown(tile, state)));
    },
  );
});

describe('the values are those of the rows', () => {
  const sum = (keep: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(keep).reduce((total, { amount }) => total + amount, 0);
  const lastDays = (count: number) => (row: (typeof rows)[number]) => days.slice(-count).includes(row.day);

  test('a figure, with the figure of the period before', async () => {
    const { series } = await observed({ dashboard: 'orders', tile: 'total' }, { change: { by: 1 } });
    const before = (row: (typeof rows)[number]) => days.slice(0, 40).includes(row.day);
    expect(series[0]!.points).toMatchObject([{ value: sum(lastDays(60)) }]);
    // 60 days before would begin before the data does.
    expect(series[0]!.points[0]!.earlier).toBe(sum(before));
  });

  test('a measure of each region on each day, the newest last', async () => {
    const { series, unit } = await observed({
      model: 'orders',
      measure: 'sum(amount)',
      every: 'day',
      by: 'region',
    });
    expect(unit).toBe('day');
    for (const { label, points } of series)
      // A region without rows on that day has no sum.
      expect(points.at(-1)!.value ?? 0).toBe(sum(row => row.region === label && row.day === days.at(-1)));
    expect(series).toHaveLength(3);
  });

  test('the age of the data, by the real clock', async () => {
    const { series } = await observed({ dashboard: 'orders', tile: 'daily' }, { missing: '1 day' });
    const age = Date.now() - Date.parse(`${days.at(-1)}T24:00:00Z`);
    expect(Math.abs(series[0]!.points[0]!.value! - age)).toBeLessThan(60_000);
  });
});

test('a period that goes on is not judged', async () => {
  const { series } = await observe(
    { version: 1, title: 'A', watch: { dashboard: 'orders', tile: 'daily' }, when: { above: 0 } },
    {
      queries: belvedere.server.queries,
      workspace: belvedere.server.store.current,
      caller: owner,
      now: Date.parse(`${days.at(-1)}T12:00:00Z`),
    },
  );
  expect(new Date(series[0]!.points.at(-1)!.from).toISOString().slice(0, 10)).toBe(days.at(-2));
});
