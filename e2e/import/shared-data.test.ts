import type { Dashboard } from '@belvedere/document';
import { existsSync, readdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { titleOf } from '../../apps/server/src/presenters/tile-title.ts';
import { forbiddenSights, forbiddenTexts } from './forbidden-sights.ts';
import { allRead, collect, runBelvedere, type Running } from '../running-belvedere.ts';
import { data, forgetFiles, sharedQueries } from './shared-queries.ts';

const isHere = existsSync(data);
const folders = isHere
  ? readdirSync(data, { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(entry => entry.name)
  : [];

test('the collection of real data sets exists beside the project, or this test reports that it is missing', () => {
  if (!isHere)
    console.warn('The real data sets are not beside this project: the tests on them are left out.');
  expect(isHere).toBe(folders.length > 0);
});

test.each([
  [['Germ…', 'Fra…', 'Brazil'], ['“Fra…” is cut']],
  [['MCDONNELL DOUG…', 'MCDONNELL DOUG…'], ['two names are cut to “MCDONNELL DOUG…”']],
  [['0', '5,000', '10K'], ['an axis has 0 · 5,000 · 10K']],
  [['0', '1000', '2,000'], ['an axis has 0 · 1000 · 2,000']],
  [['34.79999923706055'], ['“34.79999923706055” has raw digits']],
  [['▲ 1,178.0%'], ['“▲ 1,178.0%” is no change that anybody reads']],
  [['▲ 178.0%'], []],
  [['0', '5K', '10K'], []],
  [['−0.5', '0', '0.5'], []],
  [['0%', '50%', '100%'], []],
  [['2004', '2006', '2008'], []],
])('texts like %j beside an axis are noticed: %j', (texts, sights) => {
  const drawn = texts.map(
    (text, i) => `<text x="20" y="${i * 20}" font-size="11" fill="#667080" text-anchor="end">${text}</text>`,
  );
  expect(forbiddenTexts(`<svg><svg x="0" y="0">${drawn.join('')}</svg></svg>`)).toEqual(sights);
});

/** Files that are no tables, and must say so. */
const skippedFiles: Record<string, readonly string[]> = { 'web-logs': ['access.log'] };

/**
 * The keys of the published schemas, written by hand. Each line has a table and the columns that refer from
 * it.
 */
const published: Readonly<Record<string, string>> = {
  northwind: `
    order_details.order_id → orders.order_id
    order_details.product_id → products.product_id
    orders.customer_id → customers.customer_id
    orders.employee_id → employees.employee_id
    orders.ship_via → shippers.shipper_id
    products.supplier_id → suppliers.supplier_id
    products.category_id → categories.category_id
    employees.reports_to → employees.employee_id
    employee_territories.employee_id → employees.employee_id
    employee_territories.territory_id → territories.territory_id
    territories.region_id → region.region_id`,
  chinook: `
    album.ArtistId → artist.ArtistId
    track.AlbumId → album.AlbumId
    track.MediaTypeId → media_type.MediaTypeId
    track.GenreId → genre.GenreId
    invoice_line.InvoiceId → invoice.InvoiceId
    invoice_line.TrackId → track.TrackId
    invoice.CustomerId → customer.CustomerId
    customer.SupportRepId → employee.EmployeeId
    employee.ReportsTo → employee.EmployeeId
    playlist_track.PlaylistId → playlist.PlaylistId
    playlist_track.TrackId → track.TrackId`,
  nycflights: `
    flights.carrier → airlines.carrier
    flights.tailnum → planes.tailnum
    flights.origin → airports.faa
    flights.dest → airports.faa
    weather.origin → airports.faa`,
  openflights: `
    routes.column1 → airlines.column0
    routes.column3 → airports.column00
    routes.column5 → airports.column00`,
  flights: `
    trips.origin → airports.iata
    trips.destination → airports.iata`,
};

test('every folder has at least five queries, and the published schemas are of folders', () => {
  expect(folders.filter(folder => (sharedQueries[folder]?.length ?? 0) < 5)).toEqual([]);
  if (isHere) expect(Object.keys(published).filter(folder => !folders.includes(folder))).toEqual([]);
});

describe.each(folders)('%s', folder => {
  let workspace: string;
  let running: Running;
  beforeAll(async () => {
    workspace = await mkdtemp(path.join(os.tmpdir(), 'belvedere-shared-'));
    await writeFile(path.join(workspace, 'belvedere.yaml'), 'version: 1\ntimezone: UTC\n');
    await mkdir(path.join(workspace, 'models'));
    await cp(path.join(data, folder), path.join(workspace, 'data'), { recursive: true });
    running = await runBelvedere(workspace);
    await allRead(running);
  });
  afterAll(async () => {
    forgetFiles();
    await running?.close();
    await rm(workspace, { recursive: true, force: true });
  });

  test('every table exists, every row is accounted for, no overview has a failed tile', async () => {
    const { tables, skippedFiles: out } = await running.client.listTables({});
    expect(tables.length).toBeGreaterThan(0);
    expect(tables.filter(table => table.state !== 'ready').map(table => [table.name, table.problem])).toEqual(
      [],
    );
    expect(out.map(({ file }) => path.basename(file))).toEqual(skippedFiles[folder] ?? []);
    for (const { file, reason } of out) expect(`${file}: ${reason}`).toMatch(/not a supported file type/);
    for (const { name, rows } of tables) {
      const { report } = await running.client.getTable({ params: { table: name } });
      expect([name, report!.rowsKept + report!.rowsRejected]).toEqual([name, report!.rowsRead]);
      expect([name, report!.rowsKept]).toEqual([name, rows]);
    }
    const { dashboards } = await running.client.listDashboards({});
    expect(dashboards.map(dashboard => dashboard.id).toSorted()).toEqual(
      tables.map(table => `overview/${table.name}`).toSorted(),
    );
    for (const { id } of dashboards) {
      const frames = await collect(
        await running.client.queryTiles({
          params: { id },
          body: { state: { page: 0, filters: {}, selections: {} } },
        }),
      );
      expect(
        frames.filter(frame => frame.header.kind === 'problem').map(frame => [id, frame.header]),
      ).toEqual([]);
      const { document, brokenTiles } = await running.client.getDashboard({ params: { id } });
      expect(brokenTiles).toEqual({});
      const answered = new Set(frames.flatMap(frame => ('tile' in frame.header ? [frame.header.tile] : [])));
      expect([...answered].toSorted()).toEqual(Object.keys(document!.pages[0]!.tiles).toSorted());
      // An overview has no parameters.
      const overview = document as Dashboard;
      const { models, tables: imported } = running.server.store.current;
      const { model } = models.get(overview.model!)!;
      const profileOf = (table: string) => imported.get(table)?.imported?.profile;
      const related = Object.entries(model.joins).flatMap(([join, { table }]) => {
        const joined = profileOf(table);
        return joined ? [[join, joined] as const] : [];
      });
      const titles = Object.values(overview.pages[0]!.tiles).map(tile => titleOf(tile, model, 'en'));
      expect([
        id,
        forbiddenSights(overview, titles, {
          model,
          profile: profileOf(model.table)!,
          related: Object.fromEntries(related),
        }),
      ]).toEqual([id, []]);
      const picture = await running.send(
        `${running.server.address}/api/v1/dashboards/${encodeURIComponent(id)}/export?format=svg`,
      );
      expect([id, forbiddenTexts(await picture.text())]).toEqual([id, []]);
    }
  });

  test.runIf(published[folder])('the keys of its schema are used, and no others', () => {
    const used = running.server.store.relationships.current
      .get('files')!
      .filter(({ verdict }) => verdict === 'used')
      .map(({ from, to }) => `${from.table}.${from.columns.join()} → ${to.table}.${to.columns.join()}`);
    expect(used.toSorted()).toEqual(published[folder]!.trim().split(/\n\s*/).toSorted());
  });

  test('queries have the results of plain code', { timeout: 240_000 }, async () => {
    const queries = sharedQueries[folder]!;
    for (const [i, { table, by, measure, only }] of queries.entries()) {
      const dimensions = { ...(by && { key: { expr: by } }), ...(only && { kept: { expr: only } }) };
      const model = { version: 1, table, dimensions, measures: { value: { expr: measure } } };
      await writeFile(path.join(workspace, 'models', `query_${i}.yaml`), JSON.stringify(model));
    }
    await expect
      .poll(() => queries.every((_, i) => running.server.store.current.models.has(`query_${i}`)))
      .toBe(true);
    expect(running.server.store.current.problems).toEqual([]);
    for (const [i, query] of queries.entries()) {
      const { columns, rows } = await running.client.postQuery({
        params: { name: `query_${i}` },
        body: {
          dimensions: query.by ? ['key'] : [],
          measures: ['value'],
          where: query.only ? { kept: { oneOf: [true] } } : {},
          limit: 50_000,
        },
      });
      const expected = await query.result();
      const what = `${query.table}: ${query.measure}${query.by ? ` by ${query.by}` : ''}${query.only ? ` where ${query.only}` : ''}`;
      const isOfTimes = ['date', 'time'].includes(columns[0]!.type);
      const shown = (value: unknown) =>
        value === null
          ? '(nothing)'
          : typeof value === 'number' && isOfTimes
            ? new Date(value).toISOString().slice(0, 10)
            : String(value);
      const got = query.by ? new Map(rows.map(row => [shown(row[0]), Number(row[1])])) : Number(rows[0]![0]);
      const near = (value: number) => expect.closeTo(value, Math.abs(value) > 1e6 ? 2 : 6);
      expect([what, got instanceof Map ? Object.fromEntries([...got].toSorted()) : got]).toEqual([
        what,
        expected instanceof Map
          ? Object.fromEntries([...expected].toSorted().map(([key, value]) => [key, near(value)]))
          : near(expected as number),
      ]);
    }
  });
});
