import { type Client, type DashboardState } from '@belvedere/api';
import type { FieldFilter } from '@belvedere/query';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filterAxis, offlineClientOf } from '../../apps/web/src/offline/offline-client.ts';
import { siteParts } from '../../apps/web/src/site/site-client.ts';
import type { SiteDashboard } from '../../apps/web/src/site/site-data.ts';
import { edgeOf, formatCalendarTime, timeOfEdge, type Axis } from '@belvedere/query';
import { randomFrom } from '../random/random-from.ts';
import { allRead, runBelvedere } from '../running-belvedere.ts';
import { runBuild } from './run-build.ts';
import { serveSite, type ServedSite } from './serve-site.ts';

/** The figures of a static site under filters and selections, in any combination, are those of the server. */

const random = randomFrom(45);
const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
const cities = ['Aachen', 'Bonn', 'Celle', 'Dessau', 'Emden'];
const kinds = ['book', 'game', '', 'toy'];
const rows = Array.from({ length: 900 }, () => {
  const day = new Date(Date.UTC(2024, 0, 1 + Math.floor(random() * 60))).toISOString().slice(0, 10);
  return `${day},${pick(cities)},${pick(kinds)},${Math.floor(random() * 100)}`;
});
// More combinations than a page can scan.
const visits = Array.from({ length: 30_000 }, (_, i) => {
  const day = new Date(Date.UTC(2024, 0, 1 + Math.floor(random() * 360))).toISOString().slice(0, 10);
  return `${day},${pick(cities)},${pick(kinds)},g${i % 150}`;
});
const files = {
  'belvedere.yaml': 'version: 1\ntitle: Shop\n',
  'data/orders.csv': `day,city,kind,amount\n${rows.join('\n')}\n`,
  'dashboards/orders.yaml': `version: 1
title: Orders
model: orders
filters:
  - { field: city, default: { oneOf: [Aachen, Bonn, Celle] } }
  - { field: kind }
  - { field: day, default: { last: 1 month } }
pages:
  - title: One
    tiles:
      sum: { kind: kpi, value: { measure: sum(amount) }, at: [0, 0, 6, 4] }
      mean: { kind: kpi, value: { measure: mean(amount) }, at: [6, 0, 6, 4] }
      rows: { kind: kpi, value: { measure: rows }, at: [12, 0, 6, 4] }
      cities: { kind: bar, x: { measure: sum(amount) }, y: { field: city }, at: [0, 4, 12, 8] }
      days: { kind: line, x: { field: day, timeUnit: week }, y: { measure: rows }, at: [12, 4, 12, 8] }
      change: { kind: kpi, value: { measure: sum(amount) }, compare: previous period, at: [18, 0, 6, 4] }
      both: { kind: heatmap, x: { field: kind }, y: { field: city }, color: { measure: max(amount) }, at: [0, 12, 12, 8] }
`,
  // Its name is before that of orders, and its days end later: relative defaults are of the page's own model.
  'data/guests.csv': `day,city,kind,guest\n${visits.join('\n')}\n`,
  'dashboards/visits.yaml': `version: 1
title: Visits
model: guests
filters: [{ field: guest }, { field: city }, { field: kind }, { field: day }]
pages:
  - title: One
    tiles:
      rows: { kind: kpi, value: { measure: rows }, at: [0, 0, 12, 4] }
`,
};
const fields = ['city', 'kind', 'day'] as const;
/** Tiles that are selected, with the fields of their axes. */
const selected = { cities: ['city'], days: ['day'], both: ['kind', 'city'] } as const;

let folder: string;
let belvedere: Awaited<ReturnType<typeof runBelvedere>>;
let served: ServedSite;
let server: Client;
let parts: ReturnType<typeof siteParts>;
let partsOfVisits: ReturnType<typeof siteParts>;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-site-filters-'));
  for (const [file, text] of Object.entries(files)) {
    const place = path.join(folder, 'workspace', file);
    await mkdir(path.dirname(place), { recursive: true });
    await writeFile(place, text);
  }
  const out = path.join(folder, 'www');
  const { code, stderr } = await runBuild(path.join(folder, 'cache'), [out, path.join(folder, 'workspace')]);
  expect(code, stderr).toBe(0);
  served = await serveSite(out);
  const partsOf = async (id: string) => {
    const page = await readFile(path.join(out, 'd', id, 'index.html'), 'utf8');
    const address = `${served.origin}/${/assets\/dashboard[\w.-]*\.json/.exec(page)![0]}`;
    return siteParts((await (await fetch(address)).json()) as SiteDashboard, address);
  };
  [parts, partsOfVisits] = await Promise.all([partsOf('orders'), partsOf('visits')]);
  belvedere = await runBelvedere(path.join(folder, 'workspace'));
  await allRead(belvedere);
  server = belvedere.client;
});
afterAll(async () => {
  await belvedere?.close();
  served?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A condition that the site offers: some values, a range of its steps, or that the filter is cleared. */
function conditionOn(axis: Axis): FieldFilter | null {
  if (random() < 0.15) return null;
  if (axis.kind === 'categories')
    return { oneOf: axis.values.filter(() => random() < 0.5).concat(pick(axis.values)) } as FieldFilter;
  const from = Math.floor(random() * axis.count);
  const below = from + 1 + Math.floor(random() * (axis.count - from));
  const edge = (at: number) => formatCalendarTime(timeOfEdge(edgeOf(axis, at)));
  return { from: edge(from), below: edge(below) } as FieldFilter;
}

/** The values of each tile; those of empty places are not among them, since sites keep their axes. */
async function figuresOf(
  client: Pick<Client, 'queryTiles'>,
  filters: DashboardState['filters'],
  selections: DashboardState['selections'] = {},
) {
  const body = { state: { page: 0, filters, selections } };
  const found: Record<string, unknown> = {};
  const frames = await client.queryTiles({ params: { id: 'orders' }, body });
  for await (const { header, cells } of frames) {
    if (header.kind === 'problem') found[`${header.tile} ${header.scope}`] = header.problem.detail;
    if (header.kind !== 'cells' || !cells) continue;
    found[`${header.tile} ${header.part} ${header.scope}`] = cells.parts.map(part =>
      Array.from(part, value => Math.round(value * 1e6) / 1e6)
        .filter(value => value !== 0 && !Number.isNaN(value))
        .toSorted((a, b) => a - b),
    );
  }
  return found;
}

const axesOf = async () =>
  Object.fromEntries(
    await Promise.all(
      fields.map(async field => [field, (await filterAxis((await parts.filter!([field], 0))!))!] as const),
    ),
  );

test('under 75 random combinations of filters are those of the server', async () => {
  const site = offlineClientOf(parts);
  const axes = await axesOf();
  for (let i = 0; i < 75; i++) {
    const chosen = [...fields].toSorted(() => random() - 0.5).slice(0, 1 + (i % 3));
    const filters = Object.fromEntries(chosen.map(field => [field, conditionOn(axes[field]!)]));
    const named = JSON.stringify(filters);
    expect([named, await figuresOf(site, filters)]).toEqual([named, await figuresOf(server, filters)]);
  }
});

test('under 75 random combinations of filters and a selection are those of the server', async () => {
  const site = offlineClientOf(parts);
  const axes = await axesOf();
  for (let i = 0; i < 75; i++) {
    const chosen = [...fields].toSorted(() => random() - 0.5).slice(0, 1 + (i % 3));
    const filters = Object.fromEntries(chosen.map(field => [field, conditionOn(axes[field]!)]));
    const tile = pick(Object.keys(selected) as (keyof typeof selected)[]);
    const box = Object.fromEntries(
      selected[tile].flatMap(field => {
        const condition = conditionOn(axes[field]!);
        return condition ? [[field, condition]] : [];
      }),
    );
    const selections = Object.keys(box).length > 0 ? { [tile]: [box] } : {};
    const named = JSON.stringify({ filters, selections });
    expect([named, await figuresOf(site, filters, selections)]).toEqual([
      named,
      await figuresOf(server, filters, selections),
    ]);
  }
});

test('with more than 25,000 combinations leave out the filter with most values but dates, and say so', async () => {
  expect(partsOfVisits.combinations!(0)!.fields.toSorted()).toEqual(['city', 'day', 'kind']);
  const filters = { city: { oneOf: ['Bonn'] }, kind: { oneOf: ['toy'] }, guest: { oneOf: ['g1'] } };
  const shown = await figuresOf(offlineClientOf(partsOfVisits), filters);
  expect(Object.values(shown)).toEqual([expect.stringContaining('has no data for this filter')]);
});
