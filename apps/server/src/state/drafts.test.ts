import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Drafts } from './drafts.ts';
import { openStateDatabase } from './state-database.ts';

test('drafts without a file are deleted long after their windows closed; those of documents stay, however old', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-drafts-'));
  const state = await openStateDatabase(folder);
  const drafts = new Drafts(state);
  for (const document of ['explore:sales:window', 'sales', 'explorers']) drafts.put(document, 'text', '', 0);
  const found = () => ['explore:sales:window', 'sales', 'explorers'].filter(document => drafts.of(document));
  drafts.dropOld('explore:', new Date(Date.now() - 60_000));
  expect(found()).toEqual(['explore:sales:window', 'sales', 'explorers']);
  drafts.dropOld('explore:', new Date(Date.now() + 60_000));
  expect(found()).toEqual(['sales', 'explorers']);
  state.close();
  await rm(folder, { recursive: true });
});
