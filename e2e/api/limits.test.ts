import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allRead, collect, runBelvedere, type Running } from '../running-belvedere.ts';

let folder: string;
let running: Running;
const state = { page: 0, filters: {}, selections: {} };
const endless =
  'select a.range as n from range(1000000000) a, range(1000000000) b where a.range * b.range % 7 = 3';
const settings = (limits: string) =>
  writeFile(path.join(folder, 'belvedere.yaml'), `version: 1\ntitle: Bounded\nlimits: { ${limits} }\n`);
/** Changes the limits in the file, and waits until they apply. */
const bound = async (limits: string) => {
  const { revision } = running.server.store.current;
  await settings(limits);
  await expect.poll(() => running.server.store.current.revision).toBeGreaterThan(revision);
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-limits-'));
  await mkdir(path.join(folder, 'data'));
  await mkdir(path.join(folder, 'dashboards'));
  await writeFile(
    path.join(folder, 'data', 'things.csv'),
    `name,size\n${Array.from({ length: 40 }, (_, i) => `n${i},${i}`).join('\n')}\n`,
  );
  await writeFile(
    path.join(folder, 'dashboards', 'own.yaml'),
    'version: 1\ntitle: Own\nmodel: things\npages:\n  - title: One\n    tiles:\n      list: { kind: table, columns: [name, size], at: [0, 0, 12, 8] }\n      cells: { kind: heatmap, x: { field: name, limit: 40 }, y: { field: size, bin: { step: 1 } }, color: { measure: rows }, at: [12, 0, 12, 8] }\n',
  );
  await mkdir(path.join(folder, 'models'));
  await writeFile(
    path.join(folder, 'models', 'endless.yaml'),
    `version: 1\nsql: ${endless}\ndimensions: { n: {} }\n`,
  );
  await writeFile(
    path.join(folder, 'dashboards', 'long.yaml'),
    'version: 1\ntitle: Long\nmodel: endless\npages:\n  - title: One\n    tiles:\n      list: { kind: table, columns: [n], at: [0, 0, 12, 8] }\n      count: { kind: kpi, value: { measure: rows }, at: [0, 8, 12, 8] }\n',
  );
  await settings('engineThreads: 1, engineMemory: 512 MiB, questionsAtOnce: 1');
  running = await runBelvedere(folder);
  await allRead(running);
});
afterAll(async () => {
  await running.close();
  await rm(folder, { recursive: true, force: true });
});

const sql = (text: string) => running.client.runSql({ params: { name: 'files' }, body: { sql: text } });
const taken = async (format: string) => {
  const response = await running.send(
    `${running.server.address}/api/v1/dashboards/own/export?format=${format}&tile=list`,
  );
  return {
    name: decodeURIComponent(
      /filename\*=UTF-8''(.*)/.exec(response.headers.get('content-disposition')!)![1]!,
    ),
    lines: (await response.text()).trim().split('\r\n').length,
  };
};

describe('the workspace’s limits', () => {
  test('set the engine’s memory and threads, from the start', async () => {
    // People's SQL may not ask for it.
    const text = "select current_setting('threads')::text, current_setting('memory_limit')";
    const { columns } = await running.server.engine.run(
      { text, parameters: [], isGenerated: true },
      { as: 'values', timeoutMs: 10_000, maxRows: 1 },
    );
    const [threads, memory] = columns.map(({ values }) => values[0]);
    expect(threads).toBe('1');
    expect(memory).toMatch(/^(5\d\d|4\d\d)\.\d MiB$/);
  });

  test('set the number of concurrent queries, from the start: further ones are queued', async () => {
    await bound('questionTime: 2 seconds');
    const ask = (from: number) =>
      running.client
        .postQuery({ params: { name: 'endless' }, body: { measures: ['rows'], where: { n: { from } } } })
        .catch((error: unknown) => error);
    const asked = [ask(1), ask(2)];
    await expect
      .poll(() => [running.server.queries.queues.running, running.server.queries.queues.waiting])
      .toEqual([1, 1]);
    await Promise.all(asked);
  });

  test('set the time limit of page queries and of users’ SQL, from the next query on', async () => {
    await bound('questionTime: 2 seconds');
    await expect(
      running.client.postQuery({ params: { name: 'endless' }, body: { measures: ['rows'] } }),
    ).rejects.toMatchObject({
      problem: { type: 'query-timeout', detail: expect.stringContaining('after 2 s') as string },
    });
    await bound('sqlTime: 1 second');
    await expect(sql(`select count(*) from (${endless})`)).rejects.toMatchObject({
      problem: { type: 'query-timeout', detail: expect.stringContaining('after 1 s') as string },
    });
  });

  test('set the time limit of export queries: rows, their count, and related queries', async () => {
    await bound('questionTime: 1 second, exportTime: 3 seconds');
    const detailOf = async (asked: string) =>
      (
        (await (
          await running.send(`${running.server.address}/api/v1/dashboards/long/export?${asked}`)
        ).json()) as { detail: string }
      ).detail;
    const stopped = (tile: string) =>
      `The export has no result for the tile \`${tile}\`. The query was stopped after 3 s. Narrow it with a filter.`;
    const asked = ['format=csv&tile=list', 'format=csv&tile=count', 'format=html'];
    expect(await Promise.all(asked.map(detailOf))).toEqual([
      stopped('list'),
      stopped('count'),
      stopped('list'),
    ]);
  });

  test('set the number of exported rows, which the file’s name includes', async () => {
    expect(await taken('csv')).toEqual({ name: 'Things.csv', lines: 41 });
    await bound('exportRows: 10');
    expect(await taken('csv')).toEqual({ name: 'Things (10 of 40 rows).csv', lines: 11 });
  });

  test('set the number of marks of a tile, and of totals in a result', async () => {
    // Cached results are returned again, whatever the limits are now.
    const problemOf = async (from = 0) =>
      (
        await collect(
          await running.client.queryTiles({
            params: { id: 'own' },
            body: { state: { ...state, filters: { size: { from } } }, tiles: ['cells'] },
          }),
        )
      ).flatMap(({ header }) => (header.kind === 'problem' ? [header.problem.detail] : []));
    expect(await problemOf()).toEqual([]);
    await bound('marks: 20');
    expect(await problemOf()).toEqual([expect.stringContaining('the maximum is 20')]);
    await bound('indexCells: 20');
    expect(await problemOf(1)).toEqual([expect.stringContaining('more than 20 rows')]);
  });

  test('set the size of an uploaded file', async () => {
    const state = (size: number) =>
      running.client.getUpload({ params: { name: 'new.csv' }, query: { size, sha256: '0'.repeat(64) } });
    await bound('uploadSize: 1 MiB');
    await expect(state(2 ** 20 + 1)).rejects.toMatchObject({
      problem: { detail: expect.stringContaining('the upload limit is 1 MiB') as string },
    });
    expect(await state(2 ** 20)).toMatchObject({ received: 0 });
  });
});

test.each([
  ['questionTime: 11 minutes', 'at most 10 minutes'],
  ['questionTime: soon', 'a duration such as `30 seconds`'],
  ['exportRows: 0', '1'],
  ['marks: 300000', '200000'],
  ['uploadSize: 5', 'string'],
  ['uploadSize: 100 GiB', '1 MiB to 64 GiB'],
  ['questionTimes: 1 minute', 'did you mean `questionTime`?'],
])('%s is invalid: it is reported, and the default applies', async (limits, said) => {
  await bound(limits);
  const { problems, limits: held } = running.server.store.current;
  expect(problems.map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([
    expect.stringMatching(new RegExp(`^belvedere\\.yaml:3 .*${said.replace(/[?()]/g, '\\$&')}`)) as string,
  ]);
  expect(held).toMatchObject({
    queryMs: 30_000,
    exportRows: 10_000_000,
    marksPerTile: 50_000,
    uploadBytes: 8 * 2 ** 30,
  });
});

test('are all listed in the guide', async () => {
  const { LimitsFile } = await import('@belvedere/document');
  const guide = await readFile(
    path.resolve(import.meta.dirname, '..', '..', 'docs', 'guide', 'limits.md'),
    'utf8',
  );
  expect([...guide.matchAll(/^\| `(\w+)` \|/gm)].map(match => match[1])).toEqual(
    Object.keys(LimitsFile.shape),
  );
});
