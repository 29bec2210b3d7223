import { ApiError } from '@belvedere/api';
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { allRead, collect, runBelvedere, type Running } from '../running-belvedere.ts';

/* A table that takes long to import is shown by a part of it until all of it is imported. */

const days = 600;
const state = { page: 0, filters: {}, selections: {} };
let folder: string;
let running: Running;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-table-part-'));
  for (const name of ['data', 'models', 'dashboards', 'alerts']) await mkdir(path.join(folder, name));
  for (let i = 0; i < days; i++) {
    const day = new Date(Date.UTC(2021, 0, 1 + i)).toISOString().slice(0, 10);
    // A column that came later.
    const isLate = i >= 500;
    await writeFile(
      path.join(folder, 'data', `visits_${day}.csv`),
      `day,city,visits,minutes${isLate ? ',device' : ''}\n` +
        ['Bonn', 'Jena'].map(city => `${day},${city},${i % 7},1${isLate ? ',phone' : ''}\n`).join(''),
    );
  }
  const model = (dimension: string) =>
    `version: 1\ntable: visits\ndimensions: { ${dimension}: { column: ${dimension} } }\n` +
    'measures: { rows: { expr: count() } }\n';
  await writeFile(path.join(folder, 'models', 'cities.yaml'), model('city'));
  await writeFile(path.join(folder, 'models', 'devices.yaml'), model('device'));
  for (const [name, field] of [
    ['cities', 'city'],
    ['devices', 'device'],
  ])
    await writeFile(
      path.join(folder, 'dashboards', `${name}.yaml`),
      `version: 1\ntitle: By ${field}\nmodel: ${name}\npages:\n  - title: One\n    tiles:\n` +
        `      total: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 4] }\n` +
        `      list: { kind: table, columns: [${field}, rows], at: [6, 0, 18, 8] }\n`,
    );
  await writeFile(
    path.join(folder, 'alerts', 'many.yaml'),
    'version: 1\ntitle: Many\nwatch: { dashboard: cities, tile: total }\nwhen: { above: 100 }\n',
  );
  running = await runBelvedere(folder);
}, 60_000);

afterAll(async () => {
  await running.close();
  await rm(folder, { recursive: true, force: true });
});

/** The number of rows that a dashboard shows, and its notes. */
const shown = async (id: string) => {
  const frames = await collect(await running.client.queryTiles({ params: { id }, body: { state } }));
  const total = frames.find(({ header }) => header.kind === 'cells' && header.tile === 'total');
  const list = frames.find(({ header }) => header.kind === 'rows');
  return {
    rows: total?.cells?.parts[0]?.[0],
    notes: [total, list].flatMap(frame => (frame && 'notes' in frame.header ? frame.header.notes : [])),
  };
};
const problemOf = (request: Promise<unknown>) =>
  request.then(
    () => undefined,
    (error: unknown) => (error instanceof ApiError ? error.problem.type : error),
  );

test(
  'the first of many files are shown and marked as such, sent nowhere, and then all of them are shown',
  { timeout: 180_000 },
  async () => {
    const table = () => running.client.getTable({ params: { table: 'visits' } });
    const alert = () => running.client.getAlert({ params: { id: 'many' } });
    await vi.waitUntil(() => running.server.store.current.tables.get('visits')?.part, {
      timeout: 60_000,
      interval: 5,
    });
    const part = { unit: 'files', count: 20, of: days };
    const note = { kind: 'part-of-table', ...part };
    expect(await shown('cities')).toEqual({ rows: 40, notes: [note, note] });
    expect(await table()).toMatchObject({ part, rows: 40, fileCount: days });

    // The first files lack a column that others have.
    expect(await running.client.getDashboard({ params: { id: 'devices' }, query: {} })).toMatchObject({
      state: 'importing',
      problems: [],
    });
    const sql = { source: 'files', sql: 'select count(*) from visits' };
    for (const refused of [
      running.client.getExport({ params: { id: 'cities' }, query: { format: 'csv', tile: 'list' } }),
      running.client.postQuery({ params: { name: 'cities' }, body: { measures: ['rows'] } }),
      running.client.runSql({ params: { name: 'files' }, body: { sql: sql.sql } }),
    ])
      expect(await problemOf(refused)).toBe('still-reading');
    // An alert judges no part, also if it is checked now.
    await running.client.checkAlerts({ body: { ids: ['many'] } });
    expect((await alert()).states).toEqual([]);
    // All of this was seen before the import ended.
    expect(running.server.store.current.tables.get('visits')?.part).toEqual(part);

    await allRead(running);
    expect(await shown('cities')).toEqual({ rows: 2 * days, notes: [] });
    expect((await table()).part).toBeUndefined();
    expect(await shown('devices')).toEqual({ rows: 2 * days, notes: [] });
    expect(
      await problemOf(running.client.postQuery({ params: { name: 'cities' }, body: { measures: ['rows'] } })),
    ).toBe(undefined);

    await expect
      .poll(async () => (await alert()).states, { timeout: 30_000 })
      .toMatchObject([{ state: 'firing', value: 2 * days }]);
  },
);

test(
  'a part is no table once the import is cancelled, and is shown again when it is retried',
  { timeout: 180_000 },
  async () => {
    // Another file, so that all are imported anew.
    const other = path.join(folder, 'other');
    await mkdir(other);
    for (let i = 0; i < days; i++)
      await writeFile(path.join(other, `calls_${String(i).padStart(4, '0')}.csv`), `line,calls\n${i},1\n`);
    const second = await runBelvedere(other);
    const calls = () => second.server.store.current.tables.get('calls')!;
    const partShown = () => vi.waitUntil(() => calls()?.part, { timeout: 60_000, interval: 5 });
    await partShown();
    await second.client.cancelImport({ params: { table: 'calls' } });
    await vi.waitUntil(() => calls().state === 'stopped', { timeout: 60_000 });
    expect([calls().part, calls().imported, calls().alias]).toEqual([undefined, undefined, undefined]);

    await second.client.retryImport({ params: { table: 'calls' } });
    expect(await partShown()).toMatchObject({ count: 20 });
    await allRead(second);
    expect([calls().part, calls().imported?.profile.rows]).toEqual([undefined, days]);
    await second.close();
  },
);

test(
  'one large file is shown by a sample of its rows, from its beginning to its end',
  { timeout: 180_000 },
  async () => {
    const large = path.join(folder, 'large');
    await mkdir(path.join(large, 'data'), { recursive: true });
    const [rows, start] = [1_000_000, Date.UTC(2021, 0, 1)];
    const file = await open(path.join(large, 'data', 'rides.csv'), 'w');
    await file.write('started,city,note,minutes\n');
    for (let from = 0; from < rows; from += 50_000)
      await file.write(
        Array.from({ length: 50_000 }, (_, i) => {
          const started = new Date(start + (from + i) * 30_000).toISOString().slice(0, 19);
          return `${started},${['Bonn', 'Jena', 'Kiel'][i % 3]},"line ${i},\n${'of a note '.repeat(2)}",${i % 60}\n`;
        }).join(''),
      );
    await file.close();
    const third = await runBelvedere(large);
    const rides = () => third.server.store.current.tables.get('rides');
    const { count, of } = await vi.waitUntil(() => rides()?.part, { timeout: 60_000, interval: 5 });
    const { columns, profile } = rides()!.imported!;
    expect(await third.client.getTable({ params: { table: 'rides' } })).toMatchObject({
      part: { unit: 'bytes', count, of },
      fileCount: 1,
    });
    const notes = (
      await collect(await third.client.queryTiles({ params: { id: 'overview/rides' }, body: { state } }))
    ).flatMap(({ header }) => ('notes' in header ? header.notes : []));
    expect(notes).toContainEqual({ kind: 'part-of-table', unit: 'bytes', count, of });
    expect(
      await problemOf(
        third.client.runSql({ params: { name: 'files' }, body: { sql: 'select count(*) from rides' } }),
      ),
    ).toBe('still-reading');
    const onHome = async () =>
      (await third.client.listDashboards({ query: {} })).dashboards.map(({ id, showsPart }) => [
        id,
        showsPart,
      ]);
    expect(await onHome()).toEqual([['overview/rides', true]]);
    expect(rides()?.part).toBeDefined();

    await allRead(third);
    expect(await onHome()).toEqual([['overview/rides', undefined]]);
    const whole = rides()!.imported!;
    expect(whole.profile.rows).toBe(rows);
    // The sample has the columns of the whole table, and about its share of the rows.
    expect(columns).toEqual(whole.columns);
    expect(profile.rows / rows).toBeCloseTo(count / of, 2);
    const days = ({ profile: { columns: all } }: { profile: typeof profile }) =>
      all.filter(({ name }) => name === 'started').map(({ min, max }) => [min, max].map(String));
    expect(days({ profile })[0]![0]!.slice(0, 7)).toBe(days(whole)[0]![0]!.slice(0, 7));
    expect(days({ profile })[0]![1]!.slice(0, 7)).toBe(days(whole)[0]![1]!.slice(0, 7));
    await third.close();
  },
);
