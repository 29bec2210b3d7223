import { maxComments, type Problem } from '@belvedere/api';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DocumentIds } from '../../../apps/server/src/state/documents/document-ids.ts';
import { Drafts } from '../../../apps/server/src/state/documents/drafts.ts';
import { Comments } from '../../../apps/server/src/state/messages/comments.ts';
import { Inbox } from '../../../apps/server/src/state/messages/inbox.ts';
import { EventNotes } from '../../../apps/server/src/state/documents/event-notes.ts';
import { migrations } from '../../../apps/server/src/state/migrations/migrate.ts';
import { Revisions, textHash } from '../../../apps/server/src/state/documents/revisions.ts';
import {
  openStateDatabase,
  openStateDatabaseReadOnly,
  type StateDatabase,
} from '../../../apps/server/src/state/database/state-database.ts';
import { Trash } from '../../../apps/server/src/state/documents/trash.ts';
import { Users } from '../../../apps/server/src/state/accounts/users.ts';
import { UserPreferences } from '../../../apps/server/src/state/accounts/user-preferences.ts';
import { WallClock } from '../../../apps/server/src/state/database/wall-clock.ts';
import { allRead, runBelvedere, type Running } from '../../running-belvedere.ts';
import type { TestServer } from '../../servers/server-programs.ts';
import { startPostgres } from '../../servers/start-postgres.ts';
import { startTcpProxy, type TcpProxy } from '../../servers/tcp-proxy.ts';

let postgres: TestServer;
let folder: string;
let schemas = 0;

const addressOf = ({ user, host, port, database }: TestServer, schema: string) =>
  `postgres://${user}@${host}:${port}/${database}?schema=${schema}`;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-state-'));
  return () => rm(folder, { recursive: true });
});

const state = { page: 0, filters: {}, selections: {} };

describe.each(['SQLite', 'PostgreSQL'])('the state database on %s', kind => {
  let database: StateDatabase;
  let url: string | undefined;
  const open = () => openStateDatabase({ folder, url });
  beforeEach(async () => {
    url = kind === 'SQLite' ? undefined : addressOf(postgres, `state_${++schemas}`);
    database = await open();
    return () => database.close();
  });
  const dashboard = (name: string) => new DocumentIds(database).of('dashboard', `dashboards/${name}.yaml`);

  test('keeps one draft a document, and refuses a change of an older version', async () => {
    const drafts = new Drafts(database);
    const id = await dashboard('sales');
    expect(await drafts.put(id, 'one', 'base', 0)).toMatchObject({ version: 1 });
    expect(await drafts.put(id, 'other', 'base', 0)).toBeUndefined();
    expect(await drafts.put(id, 'two', 'base', 1)).toMatchObject({ version: 2 });
    expect(await drafts.put(id, 'late', 'base', 1)).toBeUndefined();
    await drafts.rewrite(id, text => text.toUpperCase());
    expect(await drafts.of(id)).toMatchObject({ text: 'TWO', base: 'BASE', version: 2 });
    await drafts.drop(id);
    expect(await drafts.of(id)).toBeUndefined();
  });

  test('lists revisions newest first and finds the newest of each document', async () => {
    const revisions = new Revisions(database);
    const [a, b] = [await dashboard('a'), await dashboard('b')];
    const numbers = [];
    for (const text of ['1', '2', '3']) numbers.push((await revisions.add(a, text, 'saved')).number);
    await revisions.add(b, 'other', 'disk', { message: 'message' });
    expect((await revisions.of(a)).map(({ number }) => number)).toEqual(numbers.toReversed());
    expect((await revisions.of(a, { limit: 1 })).map(({ hash }) => hash)).toEqual([textHash('3')]);
    expect(await revisions.isLatest(a, '3')).toBe(true);
    expect(await revisions.isLatest(a, '2')).toBe(false);
    expect((await revisions.text(a, numbers[1]!))?.text).toBe('2');
    expect(await revisions.text(b, numbers[1]!)).toBeUndefined();
    expect(await revisions.textOf(b, textHash('other'))).toBe('other');
    expect(Object.fromEntries(await revisions.latestHashes())).toEqual({
      'dashboards/a.yaml': textHash('3'),
      'dashboards/b.yaml': textHash('other'),
    });
  });

  test('keeps favourites, recent dashboards and views of each user', async () => {
    const preferences = new UserPreferences(database);
    const [sales, stock] = [await dashboard('sales'), await dashboard('team/stock')];
    for (const user of ['ana', 'bob']) await preferences.mark(user, sales, true);
    await preferences.mark('ana', sales, true);
    await preferences.mark('ana', stock, true);
    await preferences.mark('bob', sales, false);
    await preferences.lookedAt('ana', sales, state);
    await preferences.lookedAt('ana', sales, undefined);
    await preferences.keepView('ana', sales, 'Mine', state);
    await preferences.keepView('ana', sales, 'Mine', { ...state, page: 1 });
    await preferences.keepView('ana', stock, 'Mine', state);
    const ana = await preferences.of('ana', () => true);
    expect(ana.favourites).toEqual(['sales', 'team/stock']);
    expect(ana.recent).toEqual([{ dashboard: 'sales', state }]);
    expect(ana.views.map(view => [view.dashboard, view.name, view.state.page])).toEqual([
      ['sales', 'Mine', 1],
      ['team/stock', 'Mine', 0],
    ]);
    expect((await preferences.of('ana', name => name !== 'sales')).favourites).toEqual(['team/stock']);
    expect(await preferences.of('bob', () => true)).toEqual({ favourites: [], recent: [], views: [] });
    await preferences.removeView('ana', sales, 'Mine');
    expect((await preferences.of('ana', () => true)).views).toHaveLength(1);
  });

  test('keeps the newest 24 recent dashboards', async () => {
    const preferences = new UserPreferences(database);
    for (let i = 0; i < 30; i++) {
      await preferences.lookedAt('ana', await dashboard(`d${i}`), null);
      await new Promise(resolve => setTimeout(resolve, 2));
    }
    const { recent } = await preferences.of('ana', () => true);
    expect(recent.map(one => one.dashboard)).toEqual(Array.from({ length: 24 }, (_, i) => `d${29 - i}`));
  });

  test('keeps comments in threads, and who has read them', async () => {
    const comments = new Comments(database);
    const id = await dashboard('sales');
    const add = (body: string, parent?: number) =>
      comments.add(id, { author: 'ana', body, mentions: [], ...(parent !== undefined && { parent }) });
    const root = await add('first');
    const reply = await add('reply', root.id);
    const bodies = async () => (await comments.of(id)).map(({ body }) => body);
    await comments.resolve(root.id, 'ben');
    expect((await comments.find(id, root.id)).resolved).toMatchObject({ by: 'ben' });
    const second = await add('again', root.id);
    expect((await comments.find(id, root.id)).resolved).toBeUndefined();
    await comments.markRead(id, 'ben', second.id);
    await comments.markRead(id, 'ben', reply.id);
    expect(await comments.readTo(id, 'ben')).toBe(second.id);
    await comments.remove(root);
    expect(await bodies()).toEqual(['', 'reply', 'again']);
    await expect(comments.find(id, root.id)).rejects.toThrow('no longer exists');
    await comments.remove(reply);
    await comments.remove(second);
    expect(await bodies()).toEqual([]);
    expect((await add('new')).id).toBeGreaterThan(second.id);
    // Written directly, since one at a time takes long.
    const [row] = await database.db.selectFrom('comment').selectAll().execute();
    const { id: _, ...values } = row!;
    for (let i = 0; i < 4; i++)
      await database.db
        .insertInto('comment')
        .values(Array(maxComments / 4).fill(values))
        .execute();
    await expect(add('one more')).rejects.toThrow('the maximum');
    await new DocumentIds(database).delete(id);
    expect(await database.db.selectFrom('comment').select('id').execute()).toEqual([]);
  });

  test('keeps what waits in inboxes, and who is due for mail', async () => {
    const comments = new Comments(database);
    const inbox = new Inbox(database);
    const id = await dashboard('sales');
    const user = await new Users(database).addService({ name: 'ana', role: 'viewer' }, []);
    const add = async () => {
      const { id: comment } = await comments.add(id, { author: 'ben', body: 'x', mentions: [] });
      await inbox.add(comment, new Map([[user, 'mention']]));
      await inbox.add(comment, new Map([[user, 'reply']]));
      return comment;
    };
    const [first, second] = [await add(), await add()];
    expect((await inbox.of(user)).map(({ comment, reason }) => [comment, reason])).toEqual([
      [second, 'mention'],
      [first, 'mention'],
    ]);
    const [later, never] = [new Date(Date.now() + 1000).toISOString(), '2000-01-01'];
    expect(await inbox.dueForMail(later, never)).toEqual([user]);
    expect(await inbox.dueForMail(never, never)).toEqual([]);
    await inbox.chooseMail(user, false);
    expect([await inbox.wantsMail(user), await inbox.dueForMail(later, later)]).toEqual([false, []]);
    await inbox.chooseMail(user, true);
    await inbox.mailed(user, [second], later);
    expect(await inbox.dueForMail(later, never)).toEqual([]);
    expect(await inbox.dueForMail(later, later)).toEqual([user]);
    await inbox.markRead(user, id, first);
    expect((await inbox.of(user)).map(({ isRead, isMailed }) => [isRead, isMailed])).toEqual([
      [false, true],
      [true, false],
    ]);
    await inbox.mark(user, undefined, true);
    expect(await inbox.dueForMail(later, later)).toEqual([]);
    await inbox.prune(Date.now() + 100 * 86_400_000);
    expect(await inbox.of(user)).toEqual([]);
  });

  test('orders event notes by their dates', async () => {
    const notes = new EventNotes(database);
    const id = await dashboard('sales');
    const late = await notes.add(id, { from: '2026-02-01', text: 'late' }, 'ana');
    await notes.add(id, { from: '2026-01-01', below: '2026-01-03', text: 'early' }, 'ana');
    expect((await notes.of(id)).map(({ text, below }) => [text, below])).toEqual([
      ['early', '2026-01-03'],
      ['late', undefined],
    ]);
    await notes.change(id, late.id, { from: '2025-01-01', text: 'first' }, 'ana');
    expect((await notes.of(id))[0]!.text).toBe('first');
    await expect(
      notes.change(await dashboard('other'), late.id, { from: '2025-01-01', text: 'x' }, 'ana'),
    ).rejects.toThrow('no longer exists');
    await notes.remove(id, late.id);
    expect(await notes.of(id)).toHaveLength(1);
  });

  test('a moved dashboard keeps its records; a new one at its old path has none', async () => {
    const [ids, preferences, drafts] = [
      new DocumentIds(database),
      new UserPreferences(database),
      new Drafts(database),
    ];
    const id = await dashboard('old');
    await preferences.mark('ana', id, true);
    await drafts.put(id, 'text', '', 0);
    await ids.move('dashboards/old.yaml', 'dashboards/new.yaml');
    expect((await preferences.of('ana', () => true)).favourites).toEqual(['new']);
    expect(await dashboard('new')).toBe(id);
    const other = await dashboard('old');
    expect(other).not.toBe(id);
    expect(await drafts.of(other)).toBeUndefined();
  });

  test('a dashboard in the trash gives up its path, and gets all of its records back', async () => {
    const [ids, preferences, trash] = [
      new DocumentIds(database),
      new UserPreferences(database),
      new Trash(database),
    ];
    const id = await dashboard('sales');
    await preferences.mark('ana', id, true);
    const number = await trash.put({
      documentId: id,
      name: 'sales',
      title: 'Sales',
      files: [{ file: 'dashboards/sales.yaml', text: 'text' }],
    });
    await ids.retire('dashboards/sales.yaml');
    const second = await dashboard('sales');
    await preferences.mark('bob', second, true);
    expect((await preferences.of('ana', () => true)).favourites).toEqual([]);
    expect(await trash.all()).toMatchObject([{ number, kind: 'dashboard', name: 'sales', title: 'Sales' }]);
    await ids.restore(id, 'dashboards/sales.yaml');
    await trash.forget(number);
    expect((await preferences.of('ana', () => true)).favourites).toEqual(['sales']);
    expect((await preferences.of('bob', () => true)).favourites).toEqual([]);
  });

  test('deletes everything about a document whose time in the trash has passed', async () => {
    const [ids, preferences, trash, revisions] = [
      new DocumentIds(database),
      new UserPreferences(database),
      new Trash(database),
      new Revisions(database),
    ];
    const [gone, kept] = [await dashboard('gone'), await dashboard('kept')];
    for (const id of [gone, kept]) {
      await revisions.add(id, 'text', 'saved');
      await preferences.mark('ana', id, true);
    }
    await trash.put({ documentId: gone, name: 'gone', title: 'Gone', files: [] });
    await ids.retire('dashboards/gone.yaml');
    await ids.deleteRetired(new Date(Date.now() + 60_000));
    expect(await revisions.of(gone)).toHaveLength(1);
    expect(await trash.deletedBefore(new Date(Date.now() - 60_000))).toEqual([]);
    for (const { documentId } of await trash.deletedBefore(new Date(Date.now() + 60_000)))
      await ids.delete(documentId);
    expect([await revisions.of(gone), await trash.all()]).toEqual([[], []]);
    expect(await revisions.of(kept)).toHaveLength(1);
  });

  test('rolls a failed transaction back completely, without affecting later ones', async () => {
    const drafts = new Drafts(database);
    const failed = database.transaction(async () => {
      await drafts.put(await dashboard('first'), 'text', '', 0);
      await database.transaction(async () => drafts.put(await dashboard('second'), 'text', '', 0));
      throw new Error('no further');
    });
    await expect(failed).rejects.toThrow('no further');
    await drafts.put(await dashboard('third'), 'text', '', 0);
    const other = await open();
    expect(await other.db.selectFrom('document').select('path').execute()).toEqual([
      { path: 'dashboards/third.yaml' },
    ]);
    await other.close();
  });

  test('gives one document one identity, however many ask for it at once', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => dashboard('sales')));
    expect(new Set(all).size).toBe(1);
  });

  test('changes that run at once beside transactions are all kept', async () => {
    const revisions = new Revisions(database);
    const id = await dashboard('sales');
    const work = Array.from({ length: 30 }, (_, i) =>
      i % 3 === 0
        ? database.transaction(async () => {
            await revisions.add(id, `a${i}`, 'saved');
            await new Promise(resolve => setTimeout(resolve, 1));
            await revisions.add(id, `b${i}`, 'saved');
          })
        : revisions.add(id, `c${i}`, 'saved'),
    );
    await Promise.all(work);
    expect(await revisions.of(id)).toHaveLength(40);
  });

  test('compares paths by code point', async () => {
    for (const name of ['b', 'B', 'a-z', 'a', 'ä', 'Z']) await dashboard(name);
    const rows = await database.db.selectFrom('document').select('path').orderBy('path').execute();
    const names = rows.map(row => /\/(.+)\.yaml/.exec(row.path)![1]);
    expect(names).toEqual(['B', 'Z', 'a-z', 'a', 'b', 'ä']);
  });

  test('remembers the time of the last run', async () => {
    const clock = await WallClock.start(database, { wall: () => Date.UTC(2026, 0, 1), elapsed: () => 0 });
    await clock.keep();
    await clock.keep();
    const later = await WallClock.start(database, { wall: () => Date.UTC(2036, 0, 1), elapsed: () => 0 });
    expect(later.isTrusted()).toBe(false);
  });
});

describe('a state database on PostgreSQL', () => {
  test('of a newer version stays unchanged', async () => {
    const url = addressOf(postgres, 'newer');
    await (await openStateDatabase({ folder, url })).close();
    const client = await connected();
    await client.query("insert into newer.migration values ('9999-later', '2026-01-01T00:00:00.000Z')");
    await expect(openStateDatabase({ folder, url })).rejects.toMatchObject({
      type: 'state-unavailable',
      message: expect.stringContaining('newer') as string,
    });
    await client.end();
  });

  test('is created once, however many servers start on it at once', async () => {
    const url = addressOf(postgres, 'together');
    const all = await Promise.all(Array.from({ length: 4 }, () => openStateDatabase({ folder, url })));
    const client = await connected();
    const { rows } = await client.query('select count(*)::int as count from together.migration');
    expect(rows).toEqual([{ count: Object.keys(migrations).length }]);
    await client.end();
    await Promise.all(all.map(one => one.close()));
  });

  test('is copied before it is migrated', async () => {
    const url = addressOf(postgres, 'copied');
    const first = await openStateDatabase({ folder, url });
    await new DocumentIds(first).of('dashboard', 'dashboards/a.yaml');
    await first.close();
    // As a database of a version whose last migration is another one.
    const client = await connected();
    await client.query(
      'create table copied.later (n int); insert into copied.later select generate_series(1, 2500)',
    );
    await client.end();
    const { copyBefore } = await import('../../../apps/server/src/state/database/postgres.ts');
    const pool = new pg.Pool({ connectionString: addressOf(postgres, 'copied') });
    await copyBefore(pool, 'copied', folder, '9999-later');
    await pool.end();
    const lines: string[] = [];
    const copy = createReadStream(path.join(folder, 'state-before-9999-later.jsonl.gz')).pipe(createGunzip());
    for await (const line of createInterface(copy)) lines.push(line);
    const at = lines.indexOf('{"table":"document"}');
    expect(JSON.parse(lines[at + 1]!)).toMatchObject({ path: 'dashboards/a.yaml', deleted_at: null });
    expect(
      lines.slice(lines.indexOf('{"table":"later"}') + 1).filter(line => line.includes('"n"')),
    ).toHaveLength(2500);
    expect(await readdir(folder)).toEqual(['state-before-9999-later.jsonl.gz']);
  });

  test('is used by a login that owns its schema and may not create others', async () => {
    const client = await connected();
    await client.query('create role tenant login; create schema tenant authorization tenant');
    const database = await openStateDatabase({
      folder,
      url: addressOf({ ...postgres, user: 'tenant' }, 'tenant'),
    });
    await new DocumentIds(database).of('dashboard', 'dashboards/a.yaml');
    await database.close();
    await expect(
      openStateDatabase({ folder, url: addressOf({ ...postgres, user: 'tenant' }, 'other') }),
    ).rejects.toMatchObject({ type: 'state-unavailable', reason: 'no-permission' });
    await client.end();
  });

  test('is opened for reading without being created or changed', async () => {
    const url = addressOf(postgres, 'seen');
    expect(await openStateDatabaseReadOnly({ folder, url })).toBeUndefined();
    const client = await connected();
    expect((await client.query("select 1 from pg_namespace where nspname = 'seen'")).rowCount).toBe(0);
    await client.end();
    const writer = await openStateDatabase({ folder, url });
    await new DocumentIds(writer).of('dashboard', 'dashboards/a.yaml');
    const reader = (await openStateDatabaseReadOnly({ folder, url }))!;
    expect(await new DocumentIds(reader).find('dashboards/a.yaml')).toBeDefined();
    await reader.close();
    await writer.close();
    const unreachable = openStateDatabaseReadOnly({ folder, url: 'postgres://keeper@127.0.0.1:1/postgres' });
    await expect(unreachable).rejects.toMatchObject({ reason: 'unreachable' });
  });

  test.each([
    [
      'a server without TLS, where the address requires it,',
      () => `${addressOf(postgres, 'x')}&sslmode=verify-full`,
    ],
    ['a closed port', () => 'postgres://keeper@127.0.0.1:1/postgres'],
    ['an unknown database', () => addressOf({ ...postgres, database: 'nowhere' }, 'x')],
    ['an unknown login', () => addressOf({ ...postgres, user: 'stranger' }, 'x')],
  ])('%s refuses the start with a message', async (_, url) => {
    await expect(openStateDatabase({ folder, url: url() })).rejects.toMatchObject({
      type: 'state-unavailable',
      reason: 'unreachable',
      message: expect.stringContaining('PostgreSQL') as string,
    });
  });
});

describe('a server whose state is on PostgreSQL', () => {
  let proxy: TcpProxy;
  let workspace: string;
  let running: Running;
  const text = (title: string) =>
    `version: 1\ntitle: ${title}\nmodel: small\npages:\n  - title: One\n    tiles:\n      n: { kind: kpi, value: { measure: rows }, at: [0, 0, 6, 3] }\n`;
  const start = async () => {
    running = await runBelvedere(workspace, {
      stateUrl: addressOf({ ...postgres, port: proxy.port }, 'served'),
    });
    await allRead(running);
  };
  const params = { id: 'one' };

  beforeAll(async () => {
    proxy = await startTcpProxy(postgres);
    workspace = await mkdtemp(path.join(os.tmpdir(), 'belvedere-served-'));
    for (const name of ['data', 'dashboards']) await mkdir(path.join(workspace, name));
    await writeFile(path.join(workspace, 'belvedere.yaml'), 'version: 1\ntitle: Small\n');
    await writeFile(path.join(workspace, 'data', 'small.csv'), 'colour,size\nred,1\nblue,2\n');
    await writeFile(path.join(workspace, 'dashboards', 'one.yaml'), text('One'));
    await start();
  });
  afterAll(async () => {
    await running.close();
    await proxy.close();
    await rm(workspace, { recursive: true, force: true });
  });

  test('keeps drafts, history, favourites and the trash over a restart, and none of it in the folder', async () => {
    const { hash } = await running.client.getDashboardText({ params });
    await running.client.saveDashboardText({
      params,
      body: { text: text('Two'), message: 'renamed' },
      ifMatch: hash,
    });
    await running.client.putFavourite({ params, body: { isFavourite: true } });
    const base = (await running.client.getDashboardText({ params })).hash;
    await running.client.putDraft({ params, body: { text: text('Three'), base, after: 0 } });
    await running.close();
    await start();
    const { revisions } = await running.client.listRevisions({ params });
    expect(revisions.map(({ message }) => message)).toEqual(['renamed', '']);
    expect((await running.client.getMe({})).favourites).toEqual(['one']);
    expect((await running.client.getDashboardText({ params })).draft?.text).toContain('Three');
    expect(await readdir(path.join(workspace, '.belvedere'))).not.toContain('state.db');
  });

  test('shows dashboards while the database is away, refuses saves with the reason, and saves again after', async () => {
    await proxy.set({ kind: 'down' });
    const problem = await running.client
      .putFavourite({ params, body: { isFavourite: false } })
      .catch((error: { problem: Problem }) => error.problem);
    expect(problem).toMatchObject({ type: 'state-unavailable', reason: 'unreachable', status: 503 });
    expect((await running.client.listDashboards({})).dashboards.map(({ id }) => id)).toContain('one');
    expect((await running.client.getDashboard({ params })).title).toBe('Two');
    await proxy.set({ kind: 'fair' });
    await running.client.putFavourite({ params, body: { isFavourite: false } });
    expect((await running.client.getMe({})).favourites).toEqual([]);
  });
});

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: addressOf(postgres, 'public').split('?')[0]! });
  await client.connect();
  return client;
}
