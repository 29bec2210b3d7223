import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { DocumentIds } from './document-ids.ts';
import { Revisions } from './revisions.ts';
import { openStateDatabase } from '../database/state-database.ts';

test('all revisions are kept for 90 days, and after that the last one of each day and file', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-revisions-'));
  const state = await openStateDatabase({ folder });
  const revisions = new Revisions(state);
  const now = Date.UTC(2026, 5, 1, 12);
  const ids = new DocumentIds(state);
  const add = async (file: string, daysAgo: number, hour: number) => {
    const documentId = await ids.of('dashboard', file);
    const { number } = await revisions.add(documentId, `${file} ${daysAgo} ${hour}`, 'saved');
    const at = new Date(now - daysAgo * 86_400_000 + (hour - 12) * 3_600_000).toISOString();
    await state.db.updateTable('revision').set({ at }).where('number', '=', number).execute();
    return number;
  };
  // More than one batch of them, two files in turn, three a day.
  const expected: number[] = [];
  await state.transaction(async () => {
    for (let daysAgo = 300; daysAgo >= 1; daysAgo--) {
      for (const hour of [8, 9, 10])
        for (const file of ['a', 'b']) {
          const number = await add(file, daysAgo, hour);
          if (daysAgo < 90 || hour === 10) expected.push(number);
        }
    }
  });
  const kept = async () => {
    const rows = await state.db.selectFrom('revision').select('number').orderBy('number').execute();
    return rows.map(({ number }) => number);
  };
  await revisions.prune(new Date(now - 90 * 86_400_000));
  // Of the ninetieth day only the morning is older than 90 days.
  const found = await kept();
  expect(expected.filter(number => found.includes(number))).toEqual(expected);
  expect(found.filter(number => !expected.includes(number)).length).toBeLessThanOrEqual(4);
  await revisions.prune(new Date(now - 90 * 86_400_000));
  expect((await kept()).length).toBeLessThanOrEqual(expected.length + 4);
  await state.close();
  await rm(folder, { recursive: true });
});

test('a revision names its author while the account exists', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-revisions-'));
  const state = await openStateDatabase({ folder });
  const revisions = new Revisions(state);
  const documentId = await new DocumentIds(state).of('dashboard', 'sales');
  const at = '2026-01-01T00:00:00.000Z';
  await state.db
    .insertInto('user')
    .values({
      id: 'u1',
      name: 'Ana',
      email: 'ana@example.org',
      email_verified: 1,
      image: null,
      created_at: at,
      updated_at: at,
      role: 'editor',
      disabled_at: null,
      last_seen_at: null,
      attributes: '{}',
    })
    .execute();
  await revisions.add(documentId, 'one', 'saved', { message: 'First', authorId: 'u1' });
  await revisions.add(documentId, 'two', 'saved', { authorId: 'owner' });
  await revisions.add(documentId, 'three', 'disk');
  const authors = async () => (await revisions.of(documentId)).map(({ author }) => author);
  expect(await authors()).toEqual([undefined, undefined, 'Ana']);
  await state.db.deleteFrom('user').where('id', '=', 'u1').execute();
  expect(await authors()).toEqual([undefined, undefined, undefined]);
  await state.close();
  await rm(folder, { recursive: true });
});
