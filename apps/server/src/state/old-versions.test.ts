import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DocumentIds } from './document-ids.ts';
import { Drafts } from './drafts.ts';
import { EventNotes } from './event-notes.ts';
import { stepsBeforeKysely } from './migrations/sqlite-before-kysely.ts';
import { Revisions } from './revisions.ts';
import { openStateDatabase, type StateDatabase } from './state-database.ts';
import { Trash } from './trash.ts';
import { UserPreferences } from './user-preferences.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-old-state-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const at = '2026-01-02T03:04:05.000Z';
const state = JSON.stringify({ page: 0, filters: {}, selections: {} });
const trashedFiles = JSON.stringify([
  { file: 'dashboards/old.yaml', text: 'old text' },
  { file: 'dashboards/old.de.yaml', text: 'alter Text' },
]);

/** What each version could record, as statements. */
const records: readonly (readonly string[])[] = [
  [
    `insert into revision values (7, 'dashboards/sales.yaml', '${at}', 'saved', 'first', 'h1', 'text 1'), (9, 'dashboards/sales.yaml', '${at}', 'disk', '', 'h2', 'text 2'), (11, 'models/orders.yaml', '${at}', 'saved', '', 'h3', 'model text')`,
    `insert into revision values (12, 'trash:3/dashboards/old.yaml', '${at}', 'saved', 'of old', 'h4', 'old text')`,
    `insert into binned values (3, 'old', 'Old one', '${at}', '${trashedFiles}')`,
    `insert into draft values ('sales', 'draft text', 'text 2', 4, '${at}')`,
  ],
  [
    `insert into draft values ('model:orders', 'model draft', 'model text', 1, '${at}'), ('explore:orders:w1', 'exploration', '', 2, '${at}'), ('trash:3', 'draft of old', '', 1, '${at}')`,
  ],
  [
    `insert into favourite values ('owner', 'sales', '${at}'), ('owner', 'overview/orders', '${at}'), ('owner', 'trash:3', '${at}')`,
    `insert into recent values ('owner', 'sales', '${at}', null)`,
    `insert into view values ('owner', 'sales', 'Mine', '${at}', '${state}')`,
  ],
  [`insert into note values (5, 'sales', '2026-01-01', null, 'Launch', '${at}')`],
  ["insert into session values ('hash', 1, 2)"],
  ['insert into clock values (123)'],
];

function makeOld(version: number): void {
  const sql = new DatabaseSync(path.join(folder, 'state.db'));
  stepsBeforeKysely.slice(0, version).forEach((step, i) => {
    sql.exec(step);
    for (const statement of records[i]!) sql.exec(statement);
  });
  sql.exec(`pragma user_version = ${version}`);
  sql.close();
}

async function contents(database: StateDatabase) {
  const [ids, drafts, revisions] = [new DocumentIds(database), new Drafts(database), new Revisions(database)];
  const of = async <T>(file: string, read: (id: string) => Promise<T>) => {
    const id = await ids.find(file);
    return id === undefined ? undefined : read(id);
  };
  return {
    sales: (await of('dashboards/sales.yaml', id => revisions.of(id)))?.map(({ number }) => number),
    model: await of('models/orders.yaml', id => revisions.textOf(id, 'h3')),
    old: await of('dashboards/old.yaml', id => revisions.of(id)),
    trash: (await new Trash(database).all()).map(({ number, title }) => [number, title]),
    draft: (await of('dashboards/sales.yaml', id => drafts.of(id)))?.version,
    modelDraft: (await of('models/orders.yaml', id => drafts.of(id)))?.text,
    exploration: (await of('explore:orders:w1', id => drafts.of(id)))?.text,
    favourites: (await new UserPreferences(database).of('owner', () => true)).favourites.toSorted(),
    views: (await new UserPreferences(database).of('owner', () => true)).views.map(({ name }) => name),
    notes: (await of('dashboards/sales.yaml', id => new EventNotes(database).of(id)))?.map(
      ({ text }) => text,
    ),
    sessions: (await database.db.selectFrom('local_session').select('hash').execute()).length,
    seen: (await database.db.selectFrom('clock').select('seen').executeTakeFirst())?.seen,
  };
}

describe('a state database of Belvedere 0.1', () => {
  test.each([1, 2, 3, 4, 5, 6])('of version %i is migrated with all of its records', async version => {
    makeOld(version);
    const database = await openStateDatabase({ folder });
    const from = <T>(first: number, value: T, before: T): T => (version >= first ? value : before);
    expect(database.damage).toBeUndefined();
    expect(await contents(database)).toEqual({
      sales: [9, 7],
      model: 'model text',
      old: undefined,
      trash: [[3, 'Old one']],
      draft: 4,
      modelDraft: from(2, 'model draft', undefined),
      exploration: from(2, 'exploration', undefined),
      favourites: from(3, ['overview/orders', 'sales'], []),
      views: from(3, ['Mine'], []),
      notes: from(4, ['Launch'], []),
      sessions: from(5, 1, 0),
      seen: from(6, 123, undefined),
    });
    await database.close();
  });

  test('keeps the records of a dashboard in the trash, and gives them back when it is restored', async () => {
    makeOld(6);
    const database = await openStateDatabase({ folder });
    const [ids, trash] = [new DocumentIds(database), new Trash(database)];
    const { documentId } = (await trash.find(3))!;
    await ids.restore(documentId, 'dashboards/old.yaml');
    await trash.forget(3);
    const { old, favourites } = await contents(database);
    expect(old?.map(({ message }) => message)).toEqual(['of old']);
    expect(favourites).toEqual(['old', 'overview/orders', 'sales']);
    expect((await new Drafts(database).of(documentId))?.text).toBe('draft of old');
    await database.close();
  });

  test('is copied before it is migrated; later migrations keep that copy', async () => {
    makeOld(6);
    await (await openStateDatabase({ folder })).close();
    const copy = new DatabaseSync(path.join(folder, 'state-before-0001-document-identity.db'), {
      readOnly: true,
    });
    expect(copy.prepare('select count(*) as count from revision').get()).toEqual({ count: 4 });
    expect(copy.prepare('select dashboard from binned').get()).toEqual({ dashboard: 'old' });
    copy.close();
    await (await openStateDatabase({ folder })).close();
    expect((await readdir(folder)).filter(name => name.startsWith('state-before'))).toHaveLength(1);
  });

  test('is not opened by that version once it is migrated', async () => {
    makeOld(6);
    await (await openStateDatabase({ folder })).close();
    const sql = new DatabaseSync(path.join(folder, 'state.db'));
    const { user_version: version } = sql.prepare('pragma user_version').get() as { user_version: number };
    sql.close();
    expect(version).toBeGreaterThan(stepsBeforeKysely.length);
  });
});
