// A table just large enough for the treatment of large tables: a sampled chart first, then the exact one,
// with columns encoded in the background.
import type { CellsHeader, Frame } from '@belvedere/api';
import { calendarOf } from '@belvedere/document';
import { DuckDBInstance } from '@duckdb/node-api';
import { Unzip, UnzipInflate } from 'fflate';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { launchBrowser, settled } from '../browser.ts';
import { allRead, collect, runBelvedere, type Running } from '../running-belvedere.ts';
import { owner } from '../../apps/server/src/access/caller.ts';

// Past five million the exact answer waits for the columns, so the near one is always first.
const rows = 5_200_000;
let folder: string;
let running: Running;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-large-'));
  for (const name of ['data', 'dashboards']) await mkdir(path.join(folder, name));
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(
    `copy (select i % 7 as kind, (i % 1000)::int as size, timestamp '2024-01-01' + to_seconds(i * 7) as at from range(${rows}) t(i)) to '${path.join(folder, 'data', 'events.parquet')}' (format parquet)`,
  );
  connection.closeSync();
  await writeFile(
    path.join(folder, 'dashboards', 'large.yaml'),
    `version: 1
title: Large
model: events
pages:
  - title: One
    tiles:
      kinds: { kind: bar, x: { field: kind }, y: { measure: rows } }
      sizes: { kind: bar, x: { field: size, bin: { step: 100 } }, y: { measure: rows } }
      count: { kind: kpi, value: { measure: rows } }
      list: { kind: table, columns: [kind, size, at], sort: { field: size } }
      moments: { kind: table, columns: [at, rows], sort: { field: at } }
`,
  );
  running = await runBelvedere(folder);
  await allRead(running);
});

afterAll(async () => {
  await running.close();
  await rm(folder, { recursive: true, force: true });
});

const state = { page: 0, filters: {}, selections: {} };
const answers = async () =>
  (await collect(await running.client.queryTiles({ params: { id: 'large' }, body: { state } }))).filter(
    (frame): frame is Frame & { header: CellsHeader } => frame.header.kind === 'cells',
  );
const total = (frame: Frame) => [...frame.cells!.parts[0]!].reduce((sum, value) => sum + value, 0);

describe('a large table', () => {
  test('shows a sampled result with a label, then the exact one, on the same axes', async () => {
    const frames = await answers();
    for (const tile of ['kinds', 'sizes']) {
      const [near, exact] = [
        frames.find(frame => frame.header.tile === tile && frame.header.sampled),
        frames.find(frame => frame.header.tile === tile && !frame.header.sampled)!,
      ];
      expect(frames.indexOf(exact)).toBeGreaterThan(frames.indexOf(near!));
      expect(near!.header.axes).toEqual(exact.header.axes);
      expect(near!.header.sampled!.of).toBe(rows);
      expect(near!.header.sampled!.rows).toBeGreaterThan(100_000);
      expect(Math.abs(total(near!) / rows - 1)).toBeLessThan(0.02);
      expect(total(exact)).toBe(rows);
    }
  });

  test('has exact results from the column store from then on, and none that are sampled', async () => {
    const { encoded } = running.server.engine;
    await encoded.settled();
    expect(encoded.bytes).toBe(rows * 4);
    running.server.queries.cache.clear();
    running.server.streams.clear();
    const before = encoded.executions;
    const frames = await answers();
    expect(encoded.executions).toBeGreaterThan(before);
    const kinds = frames.find(frame => frame.header.tile === 'kinds' && !frame.header.sampled)!;
    expect([...kinds.cells!.parts[0]!]).toEqual(
      [0, 1, 2, 3, 4, 5, 6].map(kind => Math.ceil((rows - kind) / 7)),
    );
    expect([
      ...frames.find(frame => frame.header.tile === 'sizes' && !frame.header.sampled)!.cells!.parts[0]!,
    ]).toEqual(Array.from({ length: 10 }, () => rows / 10));
  });

  test(
    'is exported as a workbook up to the sheet’s row limit, with a note; the export streams, and other queries run meanwhile',
    { timeout: 300_000 },
    async () => {
      const response = await running.send(
        `${running.server.address}/api/v1/dashboards/large/export?format=xlsx&tile=list&rows=all`,
      );
      expect(decodeURIComponent(response.headers.get('content-disposition')!)).toContain(
        '(1048575 of 5200000 rows)',
      );
      let [lines, sum, rest, pieces, answeredMeanwhile] = [0, 0, '', 0, 0];
      const files: string[] = [];
      const unzip = new Unzip(file => {
        files.push(file.name);
        const decoder = new TextDecoder();
        file.ondata = (error, bytes, isLast) => {
          if (error) throw error;
          if (file.name !== 'xl/worksheets/sheet2.xml') return;
          const complete = (rest + decoder.decode(bytes, { stream: !isLast })).split('</row>');
          rest = complete.pop()!;
          for (const line of complete) {
            if (lines++ === 0) continue;
            sum += Number(/<c r="B\d+"[^>]*><v>(\d+)<\/v>/.exec(line)![1]);
          }
        };
        file.start();
      });
      unzip.register(UnzipInflate);
      for await (const bytes of response.body!) {
        unzip.push(bytes as Uint8Array);
        if (pieces++ === 20)
          answeredMeanwhile = (
            await running.client.getTileRows({
              params: { id: 'large', tile: 'list' },
              body: { state, limit: 1 },
            })
          ).total;
      }
      expect(files).toEqual(
        expect.arrayContaining([
          'xl/worksheets/sheet2.xml',
          'xl/workbook.xml',
          '[Content_Types].xml',
          'xl/worksheets/sheet1.xml',
        ]),
      );
      // Sorted by size: each of them 5,200 times.
      const sizes = Array.from({ length: 1_048_575 }, (_, i) => Math.floor(i / 5200));
      expect([lines - 1, sum]).toEqual([1_048_575, sizes.reduce((total, size) => total + size, 0)]);
      expect(rest).toBe('</sheetData></worksheet>');
      expect(answeredMeanwhile).toBe(rows);
    },
  );

  test(
    'is exported in full, in the order of its page, while other queries run',
    { timeout: 300_000 },
    async () => {
      const response = await running.send(
        `${running.server.address}/api/v1/dashboards/large/export?format=csv&tile=list`,
      );
      expect(response.headers.get('content-disposition')).not.toContain('rows');
      let [lines, sum, last, inOrder, rest] = [0, 0, -1, true, ''];
      let answeredMeanwhile = 0;
      const kinds = new Map<string, number>();
      for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
        const complete = (rest + text).split('\r\n');
        rest = complete.pop()!;
        for (const line of complete) {
          if (lines++ === 0) continue;
          const [kind, size] = line.split(',') as [string, string];
          kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
          inOrder &&= Number(size) >= last;
          sum += last = Number(size);
        }
        if (answeredMeanwhile++ === 20) expect((await answers()).length).toBeGreaterThan(2);
      }
      expect([lines - 1, rest, inOrder, sum]).toEqual([rows, '', true, (rows / 1000) * 499_500]);
      expect([...kinds].toSorted()).toEqual(
        [0, 1, 2, 3, 4, 5, 6].map(kind => [String(kind), Math.ceil((rows - kind) / 7)]),
      );
    },
  );

  test('with measures can be paged to its end of five million rows', async () => {
    const page = (offset: number) =>
      running.client.getTileRows({
        params: { id: 'large', tile: 'moments' },
        body: { state, offset, limit: 100 },
      });
    const moment = (row: number) => [Date.UTC(2024, 0, 1) + row * 7000, 1];
    for (const offset of [0, 9950, 5_199_950]) {
      const { rows: found, total: all, totals } = await page(offset);
      expect([all, totals]).toEqual([rows, [null, rows]]);
      expect(found).toEqual(
        Array.from({ length: Math.min(100, rows - offset) }, (_, i) => moment(offset + i)),
      );
    }
    expect((await page(rows)).rows).toEqual([]);
  });

  test('with measures is exported with all its rows and totals', async () => {
    const some = { ...state, filters: { size: { oneOf: [0, 1, 2] } } };
    const response = await running.send(
      `${running.server.address}/api/v1/dashboards/large/export?format=csv&tile=moments&state=${encodeURIComponent(JSON.stringify(some))}`,
    );
    const lines = (await response.text()).trim().split('\r\n');
    expect([lines.length, lines[0], lines[1], lines.at(-1)]).toEqual([
      1 + 15_600 + 1,
      'At,Events',
      '2024-01-01T00:00:00,1',
      ',15600',
    ]);
  });

  test('exports more than a page holds as a browser download from the server', async () => {
    const browser = await launchBrowser();
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
    const [name, value] = running.cookie.split('=') as [string, string];
    await context.addCookies([{ name, value, url: running.server.address }]);
    const page = await context.newPage();
    await page.goto(`${running.server.address}/d/large`);
    await settled(page);
    const coming = page.waitForEvent('download', { timeout: 60_000 });
    await page.locator('[data-tile=list]').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'CSV' }).click();
    await page
      .getByRole('status')
      .getByText(/CSV: [\d.]+\s?MB downloaded/)
      .waitFor({ timeout: 60_000 });
    const download = await coming;
    expect(download.url()).toMatch(/^http.*\/export\?format=csv/);
    await download.cancel();
    expect(await page.getByText('downloaded').count()).toBe(0);
    await browser.close();
  });

  test('with measures and too many rows for a sheet fails to export, instead of losing rows silently', async () => {
    const response = await running.send(
      `${running.server.address}/api/v1/dashboards/large/export?format=xlsx&tile=moments&rows=all`,
    );
    await expect(response.arrayBuffer()).rejects.toThrow();
    await expect.poll(() => running.server.queries.queues.exports.running).toBe(0);
  });

  test(
    'is exported as Parquet beyond a workbook’s limit, typed and in the order of its page',
    { timeout: 300_000 },
    async () => {
      const some = { ...state, filters: { kind: { oneOf: [0, 3] } } };
      const response = await running.send(
        `${running.server.address}/api/v1/dashboards/large/export?` +
          `format=parquet&tile=list&state=${encodeURIComponent(JSON.stringify(some))}`,
      );
      expect(response.headers.get('content-disposition')).not.toContain('rows');
      const file = path.join(folder, 'taken.parquet');
      await writeFile(file, response.body!);
      const connection = await (
        await DuckDBInstance.create(':memory:', { preserve_insertion_order: 'true' })
      ).connect();
      const ask = async (sql: string) => (await connection.runAndReadAll(sql)).getRows();
      const [[counted, summed, latest, kinds]] = (await ask(
        `select count(*)::int, sum("Size")::double, max("At")::timestamp::varchar, list(distinct "Kind" order by "Kind")::varchar from '${file}'`,
      )) as [[number, number, string, string]];
      const expected = Array.from({ length: rows }, (_, i) => i).filter(i => i % 7 === 0 || i % 7 === 3);
      expect([counted, summed, latest, kinds]).toEqual([
        expected.length,
        expected.reduce((sum, i) => sum + (i % 1000), 0),
        new Date(Date.UTC(2024, 0, 1) + expected.at(-1)! * 7000).toISOString().slice(0, 19).replace('T', ' '),
        '[0.0, 3.0]',
      ]);
      expect(
        await ask(
          `select count(*)::int from (select "Size" < lag("Size") over (order by file_row_number) as falls from read_parquet('${file}', file_row_number = true)) where falls`,
        ),
      ).toEqual([[0]]);
      connection.closeSync();
      expect(running.server.queries.queues.exports.running).toBe(0);
    },
  );

  test.each(['csv', 'parquet', 'xlsx'])(
    'a cancelled request in the middle of %s leaves nothing running',
    async format => {
      const { queries: gate, engine } = running.server;
      const leaving = new AbortController();
      const response = running
        .send(`${running.server.address}/api/v1/dashboards/large/export?format=${format}&tile=list`, {
          signal: leaving.signal,
        })
        .catch(() => undefined);
      for (let i = 0; i < 200 && gate.queues.exports.running === 0; i++)
        await new Promise(resolve => setTimeout(resolve, 20));
      expect(gate.queues.exports.running).toBe(1);
      if (format !== 'parquet') await (await response)!.body!.getReader().read();
      leaving.abort();
      await response;
      for (let i = 0; i < 100 && (gate.queues.exports.running > 0 || engine.status.running > 0); i++)
        await new Promise(resolve => setTimeout(resolve, 50));
      expect([gate.queues.exports.running, engine.status.running]).toEqual([0, 0]);
    },
  );

  test('delays full scans during sampled queries, and returns single rows at once', async () => {
    const { queries: gate, store } = running.server;
    // As if the table were thirty times as long: for a pass over this one nobody waits.
    const workspace = {
      ...store.current,
      tables: new Map(
        [...store.current.tables].map(([name, table]) => [
          name,
          {
            ...table,
            imported: { ...table.imported!, profile: { ...table.imported!.profile, rows: rows * 30 } },
          },
        ]),
      ),
    };
    const queryContext = {
      caller: owner,
      workspace,
      zone: 'UTC',
      calendar: calendarOf({}, undefined),
    } as const;
    const near = Promise.withResolvers<void>();
    const made = gate.queues.samples.run('owner', undefined, () => near.promise);
    gate.cache.clear();
    const done: string[] = [];
    // The clock stands still, so no request ends by a timeout.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      const counted = gate
        .run(
          {
            kind: 'groups',
            model: 'events',
            dimensions: [{ field: 'kind' }],
            measures: ['rows'],
            where: { kind: 'everything' },
          },
          queryContext,
        )
        .then(() => done.push('counted'));
      await gate
        .run(
          { kind: 'rows', model: 'events', dimensions: ['kind'], where: { kind: 'everything' }, limit: 10 },
          queryContext,
        )
        .then(() => done.push('rows'));
      near.resolve();
      await made;
      await vi.advanceTimersByTimeAsync(4);
      await counted;
    } finally {
      vi.useRealTimers();
    }
    expect(done).toEqual(['rows', 'counted']);
  }, 20_000);

  test('caches only exact results', async () => {
    expect((await answers()).filter(frame => frame.header.sampled)).toEqual([]);
  });
});
