import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { checkWorkspace, resolveWorkspace } from '@belvedere/server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { allRead, runBelvedere, type Running } from '../running-belvedere.ts';

/* Folders of files that are alike: one table, or one each. */

let folder: string;
let running: Running | undefined;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-folders-'));
  for (const name of ['data', 'models', 'dashboards', 'tables']) await mkdir(path.join(folder, name));
  await writeFile(path.join(folder, 'belvedere.yaml'), 'version: 1\ntimezone: UTC\n');
  for (const year of [2001, 2002, 2003])
    await writeFile(
      path.join(folder, 'data', `matches_${year}.csv`),
      `player,minutes,aces\nAnn,90,${year === 2001 ? '' : 7}\nBen,75,${year === 2003 ? 'many' : ''}\nCid,80,3\nDee,12,4\n`,
    );
  await writeFile(path.join(folder, 'data', 'players.csv'), 'player,country\nAnn,NO\nBen,SE\n');
});
afterEach(async () => {
  await running?.close();
  running = undefined;
  await rm(folder, { recursive: true, force: true });
});

async function tables(): Promise<Record<string, number | undefined>> {
  running ??= await runBelvedere(folder);
  await allRead(running);
  const { tables: list } = await running.client.listTables({});
  return Object.fromEntries(
    list.map(({ name, rows }) => [name, rows] as const).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

const separate = { matches_2001: 4, matches_2002: 4, matches_2003: 4, players: 2 };

describe('yearly files beside another table', () => {
  test('form one table; values that keep a column from being numeric are reported, and can be decided on', async () => {
    expect(await tables()).toEqual({ matches: 12, players: 2 });
    const { client } = running!;
    const { report, profile } = await client.getTable({ params: { table: 'matches' } });
    expect(profile.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'player text',
      'minutes integer',
      'aces text',
      'file_year integer',
    ]);
    expect(report!.nearly).toEqual([
      {
        column: 'aces',
        type: 'integer',
        fits: 8,
        misfits: 1,
        first: [{ file: path.join('data', 'matches_2003.csv'), line: 3, value: 'many' }],
      },
    ]);
    await client.setImportOptions({ params: { table: 'matches' }, body: { columns: { aces: 'integer' } } });
    await allRead(running!);
    const after = await client.getTable({ params: { table: 'matches' } });
    expect(after.profile.find(({ name }) => name === 'aces')).toMatchObject({ type: 'integer', nulls: 4 });
    expect(after.report!.nearly).toBeUndefined();
  });

  test('form one table each if a dashboard names one of them', async () => {
    await writeFile(
      path.join(folder, 'dashboards', 'old.yaml'),
      'version: 1\ntitle: Old\nmodel: matches_2002\npages:\n  - title: One\n    tiles:\n      n: { kind: kpi, value: { measure: rows } }\n',
    );
    expect(await tables()).toEqual(separate);
  });

  test('form one table each by decision, and a single one again once it is withdrawn', async () => {
    await writeFile(path.join(folder, 'tables', 'matches.yaml'), 'version: 1\nfiles: separate\n');
    expect(await tables()).toEqual(separate);
    await writeFile(path.join(folder, 'tables', 'matches.yaml'), "version: 1\nfiles: 'matches_*.csv'\n");
    await running!.server.store.reload();
    expect(await tables()).toEqual({ matches: 12, players: 2 });
  });
});

describe('a folder with data in `data` and beside it', () => {
  const plain = () => path.join(folder, 'plain');
  beforeEach(async () => {
    await mkdir(path.join(plain(), 'data'), { recursive: true });
    await writeFile(path.join(plain(), 'data', 'orders.csv'), 'id,amount\n1,10\n2,20\n');
    await writeFile(path.join(plain(), 'items.csv'), 'name,price\nApple,1\n');
  });

  test('keeps all of its tables when it becomes a workspace', async () => {
    running = await runBelvedere(plain());
    const before = await tables();
    expect(before).toEqual({ data_orders: 2, items: 1 });
    await running.client.saveDashboard({
      params: { id: 'one' },
      body: { document: { version: 1, title: 'One', pages: [{ title: 'One', tiles: {} }] } },
    });
    await running.close();
    running = await runBelvedere(plain());
    expect(await tables()).toEqual(before);
    expect((await running.client.listTables({})).skippedFiles).toEqual([]);
    await running.close();
    running = undefined;
    expect((await checkWorkspace(await resolveWorkspace(plain()))).warnings).toEqual([]);
  });

  test('that has dashboards and does not say where its data is: the data beside is reported', async () => {
    await mkdir(path.join(plain(), 'dashboards'));
    await writeFile(path.join(plain(), 'erp.sqlite'), '');
    await mkdir(path.join(plain(), 'sources'));
    await writeFile(
      path.join(plain(), 'sources', 'erp.yaml'),
      'version: 1\nkind: sqlite\nconnection: { path: erp.sqlite }\n',
    );
    running = await runBelvedere(plain());
    expect(await tables()).toEqual({ orders: 2 });
    const { skippedFiles } = await running.client.listTables({});
    const message = expect.stringMatching(
      /^`items.csv` outside of `data` is not imported\..* write `data: \.` into `belvedere.yaml`/,
    );
    expect(skippedFiles.filter(({ file }) => file === 'items.csv')).toEqual([
      { file: 'items.csv', reason: message },
    ]);
    await running.close();
    running = undefined;
    expect((await checkWorkspace(await resolveWorkspace(plain()))).warnings).toEqual([
      { file: 'items.csv', message },
    ]);
  });
});
