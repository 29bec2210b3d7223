import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DocumentIds } from './document-ids.ts';
import { EventNotes } from './event-notes.ts';
import { Groups } from '../accounts/groups.ts';
import { openStateDatabase, type StateDatabase } from '../database/state-database.ts';

let folder: string;
let state: StateDatabase;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-versions-'));
  state = await openStateDatabase({ folder });
});
afterEach(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

const conflict = (version: string) =>
  expect.objectContaining({ type: 'revision-conflict', version }) as Error;

describe('a group', () => {
  test('is not saved over a change that its editor has not seen', async () => {
    const groups = new Groups(state);
    const seen = await groups.save('sales', { name: 'Sales', attributes: {} });
    const changed = await groups.save('sales', {
      name: 'Sales',
      attributes: { region: 'eu' },
      version: seen.version,
    });
    await expect(
      groups.save('sales', { name: 'Selling', attributes: {}, version: seen.version }),
    ).rejects.toEqual(conflict(changed.version));
    expect(await groups.list()).toEqual([changed]);
    await groups.save('sales', { name: 'Selling', attributes: {}, version: changed.version });
    expect(await groups.list()).toMatchObject([{ name: 'Selling' }]);
  });

  test('one of two changes at once is saved', async () => {
    const groups = new Groups(state);
    const { version } = await groups.save('sales', { name: 'Sales', attributes: {} });
    const both = await Promise.allSettled(
      ['North', 'South'].map(name => groups.save('sales', { name, attributes: {}, version })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('that was deleted is not created again', async () => {
    const groups = new Groups(state);
    const { version } = await groups.save('sales', { name: 'Sales', attributes: {} });
    await groups.remove('sales');
    await expect(groups.save('sales', { name: 'Sales', attributes: {}, version })).rejects.toMatchObject({
      type: 'not-found',
    });
  });
});

test('an event note is not saved over a change that its editor has not seen', async () => {
  const notes = new EventNotes(state);
  const id = await new DocumentIds(state).of('dashboard', 'dashboards/sales.yaml');
  const note = { from: '2026-01-01', text: 'Launch' };
  const seen = await notes.add(id, note, 'local');
  await new Promise(resolve => setTimeout(resolve, 2));
  const changed = await notes.change(id, seen.id, { ...note, text: 'Launched' }, 'local', seen.at);
  await expect(notes.change(id, seen.id, note, 'local', seen.at)).rejects.toEqual(conflict(changed.at));
  expect(await notes.of(id)).toEqual([changed]);
  await expect(notes.change(id, 999, note, 'local', seen.at)).rejects.toMatchObject({ type: 'not-found' });
});

test('two saves of an event note in the same millisecond are two versions', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1) });
  const notes = new EventNotes(state);
  const id = await new DocumentIds(state).of('dashboard', 'dashboards/sales.yaml');
  const note = { from: '2026-01-01', text: 'Launch' };
  const { id: noteId, at } = await notes.add(id, note, 'local');
  const changed = await notes.change(id, noteId, { ...note, text: 'Launched' }, 'local', at);
  await expect(notes.change(id, noteId, note, 'local', at)).rejects.toEqual(conflict(changed.at));
  const both = await Promise.all(
    ['A', 'B'].map(text => notes.change(id, noteId, { ...note, text }, 'local')),
  );
  expect(new Set([at, changed.at, ...both.map(one => one.at)]).size).toBe(4);
  vi.useRealTimers();
});
