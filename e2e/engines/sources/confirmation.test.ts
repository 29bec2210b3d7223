import { DatabaseSync } from 'node:sqlite';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { resolveWorkspace, startServer } from '@belvedere/server';
import { allRead, collect, runBelvedere, sourcesReady, type Running } from '../../running-belvedere.ts';
import { startHostileListener, type HostileListener } from '../../servers/hostile-listener.ts';
import { loadPostgres, type LoadedEngine, type StatedTable } from '../loaded-engines.ts';

/**
 * A workspace of another author names hosts, secrets and files. The server reaches none of them before the
 * owner has confirmed them.
 */

const canary = 'canary-5bd1c7';
const pagesFolder = path.resolve(import.meta.dirname, '..', '..', '..', 'apps', 'web', 'dist');
const model = 'version: 1\nsource: shop\ntable: orders\ndimensions: { id: {}, country: {} }\n';
const dashboard =
  'version: 1\ntitle: Orders\nmodel: orders\npages:\n  - title: One\n    tiles:\n      total: { kind: kpi, value: { measure: rows } }\n';
const postgresAt = (port: number, more = '', database = 'postgres') =>
  `version: 1\nkind: postgres\nlabel: The shop\nconnection: { host: 127.0.0.1, port: ${port}, database: ${database}, user: reader${more} }\n`;
const state = { page: 0, filters: {}, selections: {} };

let folders: string[] = [];
async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-confirmation-'));
  folders.push(folder);
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  return folder;
}

let running: Running | undefined;
const opened = async (
  files: Readonly<Record<string, string>>,
  options?: { readonly isTrusted?: boolean },
): Promise<Running & { readonly folder: string }> => {
  const folder = await folderWith(files);
  running = await runBelvedere(folder, options);
  return { ...running, folder };
};
const sourceOf = async ({ client }: Running, name = 'shop') => client.getSource({ params: { name } });

let listener: HostileListener;
beforeAll(async () => {
  listener = await startHostileListener();
  process.env['BELVEDERE_CANARY'] = canary;
});
afterEach(async () => {
  await running?.close();
  running = undefined;
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
  folders = [];
});
afterAll(async () => {
  await listener.close();
  delete process.env['BELVEDERE_CANARY'];
});

describe('an unconfirmed source', () => {
  test('describes its connection, and receives neither a connection nor a secret, whatever is requested', async () => {
    const here = await opened({
      'sources/shop.yaml': postgresAt(listener.port, ", password: '${env:BELVEDERE_CANARY}'"),
      'models/orders.yaml': model,
      'dashboards/orders.yaml': dashboard,
    });
    expect(await sourceOf(here)).toMatchObject({
      state: 'unconfirmed',
      unconfirmed: {
        access: {
          host: '127.0.0.1',
          port: listener.port,
          database: 'postgres',
          user: 'reader',
          tls: 'local',
          password: { from: 'env', name: 'BELVEDERE_CANARY' },
        },
      },
    });
    expect((await here.client.listSources({})).sources).toMatchObject([
      { name: 'shop', state: 'unconfirmed' },
    ]);
    const waits = { problem: { type: 'source-unconfirmed', status: 409 } };
    await expect(here.client.retrySource({ params: { name: 'shop' } })).rejects.toMatchObject(waits);
    await expect(
      here.client.runSql({ params: { name: 'shop' }, body: { sql: 'select 1' } }),
    ).rejects.toMatchObject(waits);
    await expect(here.client.getSchema({ params: { name: 'shop' } })).rejects.toMatchObject(waits);
    await expect(
      here.client.postQuery({ params: { name: 'orders' }, body: { dimensions: [], measures: ['rows'] } }),
    ).rejects.toMatchObject(waits);
    // Saving or testing under the same name does not reach them either.
    const { connection } = await sourceOf(here);
    const typed = {
      kind: 'postgres' as const,
      host: '127.0.0.1',
      port: listener.port,
      database: 'postgres',
      user: 'reader',
    };
    await expect(here.client.testSource({ body: { ...typed, source: 'shop' } })).rejects.toMatchObject(waits);
    await expect(
      here.client.saveSource({ params: { name: 'shop' }, body: { ...typed }, ifMatch: connection!.hash }),
    ).rejects.toMatchObject(waits);
    await here.server.store.reload();
    expect([listener.connections, listener.received]).toEqual([0, '']);
  });

  test('does not block the rest of the workspace; its tiles show that it waits, with a link to the confirmation', async () => {
    const here = await opened({
      'sources/shop.yaml': postgresAt(listener.port),
      'models/orders.yaml': model,
      'data/local.csv': 'n\n1\n2\n',
      'tests/people.yaml': 'version: 1\npeople:\n  ben: {}\n',
      'dashboards/orders.yaml': `${dashboard}      near: { kind: kpi, model: local, value: { measure: rows } }\n`,
    });
    await allRead(here);
    expect(await here.client.getDashboard({ params: { id: 'orders' }, query: {} })).toMatchObject({
      state: 'ready',
      problems: [],
      brokenTiles: {},
      waitsFor: [{ source: 'shop', label: 'The shop' }],
    });
    const frames = await collect(await here.client.queryTiles({ params: { id: 'orders' }, body: { state } }));
    expect(frames.find(({ header }) => header.kind === 'problem')!.header).toMatchObject({
      tile: 'total',
      problem: {
        type: 'source-unconfirmed',
        detail: 'The shop needs confirmation. Review and confirm it on its page under Data.',
      },
    });
    expect(frames.find(({ header }) => header.kind === 'cells')!.cells!.parts[0]![0]).toBe(2);
    // Users with row policies learn that something is wrong, but no name of a source.
    const asReader = await here.send(`${here.server.address}/api/v1/dashboards/orders/query?as=ben`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-belvedere': '1' },
      body: JSON.stringify({ state }),
    });
    const told = await asReader.text();
    expect(told).toContain('source-unconfirmed');
    expect(told).not.toContain('The shop');
    expect(
      await (await here.send(`${here.server.address}/api/v1/dashboards/orders?as=ben`)).json(),
    ).toMatchObject({ waitsFor: [] });
    expect(listener.connections).toBe(0);
  });

  test('is confirmed as it was shown: not if its file has changed since', async () => {
    const here = await opened({ 'sources/shop.yaml': postgresAt(1) });
    const { unconfirmed } = await sourceOf(here);
    await writeFile(path.join(here.folder, 'sources/shop.yaml'), postgresAt(listener.port));
    await here.server.store.refresh();
    await expect(
      here.client.confirmSource({ params: { name: 'shop' }, body: { content: unconfirmed!.content } }),
    ).rejects.toMatchObject({ problem: { type: 'revision-conflict' } });
    expect(listener.connections).toBe(0);
  });

  const original = {
    host: '127.0.0.1',
    port: 1,
    database: 'postgres',
    user: 'reader',
    password: '${env:BELVEDERE_CANARY}',
  };
  const written = (connection: object, kind = 'postgres') => JSON.stringify({ version: 1, kind, connection });
  test.each([
    ['host', { ...original, host: 'localhost' }],
    ['port', { ...original, port: 2 }],
    ['database', { ...original, database: 'other' }],
    ['user', { ...original, user: 'other' }],
    ['TLS', { ...original, tls: true }],
    ['secret', { ...original, password: '${env:HOME}' }],
    ['secret’s kind', { ...original, password: '${file:.belvedere/secrets/shop}' }],
  ])('needs a new confirmation after a change of its %s', async (_, changed) => {
    const here = await opened({ 'sources/shop.yaml': written(original) });
    const confirm = async () =>
      here.client.confirmSource({
        params: { name: 'shop' },
        body: { content: (await sourceOf(here)).unconfirmed!.content },
      });
    await confirm();
    await writeFile(path.join(here.folder, 'sources/shop.yaml'), written({ ...original, label: undefined }));
    await here.server.store.refresh();
    expect((await sourceOf(here)).unconfirmed).toBeUndefined();
    await writeFile(path.join(here.folder, 'sources/shop.yaml'), written(changed));
    await here.server.store.refresh();
    expect((await sourceOf(here)).state).toBe('unconfirmed');
  });

  test('cannot be confirmed by any file of the workspace', async () => {
    const first = await opened({ 'sources/shop.yaml': postgresAt(listener.port) });
    await first.client.confirmSource({
      params: { name: 'shop' },
      body: { content: (await sourceOf(first)).unconfirmed!.content },
    });
    const confirmations = path.join(process.env['XDG_STATE_HOME']!, 'belvedere', 'confirmed-sources');
    const [file] = await readdir(confirmations);
    const kept = await readFile(path.join(confirmations, file!), 'utf8');
    expect(kept).toContain(first.folder);
    await sourcesReady(first);
    const before = listener.connections;
    await running!.close();
    // The same content elsewhere, with the confirmation in every place a workspace has.
    const folder = await folderWith({
      'sources/shop.yaml': postgresAt(listener.port),
      [`.belvedere/confirmed-sources/${file}`]: kept,
      [`.belvedere/state/belvedere/confirmed-sources/${file}`]: kept,
      [`.local/state/belvedere/confirmed-sources/${file}`]: kept,
      'belvedere.yaml': 'version: 1\n',
    });
    running = await runBelvedere(folder);
    // Even if the environment places the user's state in the workspace itself or beside workspaces.
    for (const named of [path.join(folder, '.belvedere', 'state'), 'state']) {
      process.env['XDG_STATE_HOME'] = named;
      await running.server.store.sources.update(new Map());
      await running.server.store.refresh();
      expect((await sourceOf(running)).state).toBe('unconfirmed');
    }
    expect(listener.connections).toBe(before);
  });
});

describe('a file outside the workspace', () => {
  const put = (file: string) => {
    const database = new DatabaseSync(file);
    database.exec('create table visits (n int); insert into visits values (1), (2)');
    database.close();
  };

  test.each(['by its path', 'by a link in the workspace'])(
    'is read once its owner has confirmed it, if it is named %s',
    async how => {
      const elsewhere = await folderWith({});
      put(path.join(elsewhere, 'private.db'));
      const folder = await folderWith({
        'sources/mine.yaml': `version: 1\nkind: sqlite\nconnection: { path: '${how === 'by its path' ? path.join(elsewhere, 'private.db') : 'mine.db'}' }\n`,
      });
      await symlink(path.join(elsewhere, 'private.db'), path.join(folder, 'mine.db'));
      running = await runBelvedere(folder);
      await allRead(running);
      const source = await sourceOf(running, 'mine');
      expect(source).toMatchObject({
        state: 'unconfirmed',
        unconfirmed: { access: { path: path.join(elsewhere, 'private.db') } },
        tableList: [],
      });
      expect([...running.server.store.current.tables.keys()]).toEqual([]);
      await running.client.confirmSource({
        params: { name: 'mine' },
        body: { content: source.unconfirmed!.content },
      });
      await allRead(running);
      expect((await sourceOf(running, 'mine')).tableList).toMatchObject([{ name: 'mine_visits' }]);
    },
  );

  test('inside the workspace needs no confirmation, unless a link leads out of it', async () => {
    const elsewhere = await folderWith({});
    put(path.join(elsewhere, 'private.db'));
    const folder = await folderWith({
      'sources/mine.yaml': 'version: 1\nkind: sqlite\nconnection: { path: mine.db }\n',
    });
    put(path.join(folder, 'mine.db'));
    running = await runBelvedere(folder);
    await allRead(running);
    expect((await sourceOf(running, 'mine')).state).toBe('ready');
    await rm(path.join(folder, 'mine.db'));
    await symlink(path.join(elsewhere, 'private.db'), path.join(folder, 'mine.db'));
    await running.server.store.reload();
    await allRead(running);
    expect((await sourceOf(running, 'mine')).state).toBe('unconfirmed');
    expect([...running.server.store.current.tables.keys()]).toEqual([]);
  });

  test('cannot be one of Belvedere’s own records', async () => {
    const here = await opened({
      'sources/mine.yaml': 'version: 1\nkind: sqlite\nconnection: { path: .belvedere/state.db }\n',
      '.belvedere/state.db': '',
    });
    expect((await sourceOf(here, 'mine')).state).toBe('unconfirmed');
  });
});

describe('a PostgreSQL source', () => {
  const orders: StatedTable = {
    name: 'orders',
    columns: [
      { name: 'id', type: 'integer' },
      { name: 'country', type: 'text' },
    ],
    rows: [
      [1, 'Norge'],
      [2, 'Österreich'],
      [3, '日本'],
    ],
  };
  let loaded: LoadedEngine;
  beforeAll(async () => {
    loaded = await loadPostgres([orders]);
    await loaded.keeper('create role reader login; grant select on all tables in schema public to reader');
  });
  afterAll(() => loaded?.close());
  const files = () => ({
    'sources/shop.yaml': postgresAt(loaded.server!.port, '', loaded.server!.database),
    'models/orders.yaml': model,
    'dashboards/orders.yaml': dashboard,
  });
  const total = async (here: Running) =>
    (await collect(await here.client.queryTiles({ params: { id: 'orders' }, body: { state } }))).find(
      ({ header }) => header.kind === 'cells',
    )?.cells!.parts[0]![0];

  test('is connected once confirmed, and stays confirmed after a restart', async () => {
    const here = await opened(files());
    expect(await total(here)).toBeUndefined();
    await here.client.confirmSource({
      params: { name: 'shop' },
      body: { content: (await sourceOf(here)).unconfirmed!.content },
    });
    await sourcesReady(here);
    expect(await sourceOf(here)).toMatchObject({ state: 'ready', tableList: [{ name: 'orders' }] });
    await expect.poll(() => total(here)).toBe(3);
    await here.server.close();
    const again = await startServer({
      location: await resolveWorkspace(here.folder),
      host: '127.0.0.1',
      port: 0,
      movesOn: false,
      version: 'test',
      pagesFolder,
    });
    running = { ...here, server: again, close: () => again.close() };
    expect(again.store.sources.states.get('shop')!.unconfirmed).toBeUndefined();
    await expect.poll(() => again.store.sources.states.get('shop')!.state, { timeout: 15_000 }).toBe('ready');
  });

  test('is connected at once if all sources are trusted, which the next start does not remember', async () => {
    const here = await opened(files(), { isTrusted: true });
    await sourcesReady(here);
    expect((await sourceOf(here)).state).toBe('ready');
    await here.close();
    running = await runBelvedere(here.folder);
    expect((await sourceOf(running)).state).toBe('unconfirmed');
  });

  test('is confirmed when its owner saves or changes it', async () => {
    const here = await opened({ 'belvedere.yaml': 'version: 1\n' });
    const typed = {
      kind: 'postgres' as const,
      host: '127.0.0.1',
      port: loaded.server!.port,
      database: loaded.server!.database,
      user: 'reader',
    };
    await here.client.saveSource({ params: { name: 'shop' }, body: { ...typed, password: 'one' } });
    await sourcesReady(here);
    const first = await sourceOf(here);
    expect(first.state).toBe('ready');
    await here.client.saveSource({
      params: { name: 'shop' },
      body: { ...typed, port: listener.port },
      ifMatch: first.connection!.hash,
    });
    expect((await sourceOf(here)).state).not.toBe('unconfirmed');
    const before = listener.received.length;
    await expect.poll(() => listener.received.length).toBeGreaterThan(before);
  });

  test('receives no environment variables except those its file names', async () => {
    const hungry = await startHostileListener();
    Object.assign(process.env, {
      PGPASSWORD: canary,
      PGOPTIONS: `-c application_name=${canary}`,
      PGPASSFILE: path.join(os.tmpdir(), 'belvedere-pgpass'),
    });
    await writeFile(process.env['PGPASSFILE']!, `*:*:*:*:${canary}\n`, { mode: 0o600 });
    // A server that wants the password, as it is.
    const asking = await startHostileListener(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]).toString('latin1'));
    try {
      const here = await opened(
        { 'sources/shop.yaml': postgresAt(hungry.port), 'sources/other.yaml': postgresAt(asking.port) },
        { isTrusted: true },
      );
      await expect.poll(() => hungry.received.includes('reader') && asking.connections > 0).toBe(true);
      await expect
        .poll(async () => (await sourceOf(here, 'other')).state, { timeout: 15_000 })
        .toBe('failed');
      expect(hungry.received + asking.received).not.toContain(canary);
    } finally {
      for (const name of ['PGPASSWORD', 'PGOPTIONS', 'PGPASSFILE']) delete process.env[name];
      await Promise.all([hungry.close(), asking.close(), rm(path.join(os.tmpdir(), 'belvedere-pgpass'))]);
    }
  });
});
