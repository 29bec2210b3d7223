import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { DocumentIds } from './document-ids.ts';
import { Drafts } from './drafts.ts';
import { openStateDatabase } from '../database/state-database.ts';

test('drafts of explorations are deleted long after their windows closed; those of documents stay, however old', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-drafts-'));
  const state = await openStateDatabase({ folder });
  const [drafts, ids] = [new Drafts(state), new DocumentIds(state)];
  const documents = {
    'explore:sales:window': 'exploration',
    'dashboards/sales.yaml': 'dashboard',
    'dashboards/explorers.yaml': 'dashboard',
  } as const;
  for (const [file, kind] of Object.entries(documents))
    await drafts.put(await ids.of(kind, file), 'text', '', 0);
  const found = async () => {
    const there = [];
    for (const file of Object.keys(documents)) {
      const id = await ids.find(file);
      if (id !== undefined && (await drafts.of(id))) there.push(file);
    }
    return there;
  };
  await drafts.dropExplorations(new Date(Date.now() - 60_000));
  expect(await found()).toEqual(Object.keys(documents));
  await drafts.dropExplorations(new Date(Date.now() + 60_000));
  expect(await found()).toEqual(['dashboards/sales.yaml', 'dashboards/explorers.yaml']);
  await state.close();
  await rm(folder, { recursive: true });
});
