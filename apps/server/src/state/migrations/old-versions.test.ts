import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DocumentIds } from '../documents/document-ids.ts';
import { Drafts } from '../documents/drafts.ts';
import { stepsBeforeKysely } from './sqlite-before-kysely.ts';
import { contentsOf, makeOld } from './old-versions-fixture.ts';
import { openStateDatabase } from '../database/state-database.ts';
import { Trash } from '../documents/trash.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-old-state-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

describe('a state database of Belvedere 0.1', () => {
  test.each([1, 2, 3, 4, 5, 6])('of version %i is migrated with all of its records', async version => {
    makeOld(folder, version);
    const database = await openStateDatabase({ folder });
    const from = <T>(first: number, value: T, before: T): T => (version >= first ? value : before);
    expect(database.damage).toBeUndefined();
    expect(await contentsOf(database)).toEqual({
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
    makeOld(folder, 6);
    const database = await openStateDatabase({ folder });
    const [ids, trash] = [new DocumentIds(database), new Trash(database)];
    const { documentId } = (await trash.find(3))!;
    await ids.restore(documentId, 'dashboards/old.yaml');
    await trash.forget(3);
    const { old, favourites } = await contentsOf(database);
    expect(old?.map(({ message }) => message)).toEqual(['of old']);
    expect(favourites).toEqual(['old', 'overview/orders', 'sales']);
    expect((await new Drafts(database).of(documentId))?.text).toBe('draft of old');
    await database.close();
  });

  test('is copied before it is migrated; later migrations keep that copy', async () => {
    makeOld(folder, 6);
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
    makeOld(folder, 6);
    await (await openStateDatabase({ folder })).close();
    const sql = new DatabaseSync(path.join(folder, 'state.db'));
    const { user_version: version } = sql.prepare('pragma user_version').get() as { user_version: number };
    sql.close();
    expect(version).toBeGreaterThan(stepsBeforeKysely.length);
  });
});
