import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { DocumentIds } from '../../state/documents/document-ids.ts';
import { openStateDatabase } from '../../state/database/state-database.ts';
import { PublicLinks } from './public-links.ts';
import { addAna } from '../accounts/user-fixture.ts';

test('the end of a link notifies those that send to its guests', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-links-'));
  const state = await openStateDatabase({ folder });
  const at = '2026-01-01T00:00:00.000Z';
  await addAna(state, at);
  const settings = { hasPublicLinks: true, set: async () => {} };
  const links = await PublicLinks.open({
    state,
    ids: new DocumentIds(state),
    settings,
    secrets: ['a'.repeat(43)],
    directory: { subscribe: () => () => {}, callerOf: () => undefined, users: new Map() },
    clock: { wall: () => Date.parse(at) },
    workspace: () => ({ dashboards: new Map() }),
  } as never);
  const listener = vi.fn<() => void>();
  links.subscribe(listener);
  const made = async (name: string) => {
    const dashboard = { id: 'sales', file: 'dashboards/sales.yaml' };
    const { link } = await links.create(dashboard, { name, days: 1, filters: {}, downloads: false }, 'ana');
    return link.id;
  };
  const [first, second] = [await made('first'), await made('second')];
  expect(listener).toHaveBeenCalledTimes(0);
  await links.revoke(first);
  expect(listener).toHaveBeenCalledTimes(1);
  await links.switch(false);
  expect(listener).toHaveBeenCalledTimes(2);
  // As another server does.
  await state.db.deleteFrom('public_link').where('id', '=', second).execute();
  await links.followOthers();
  expect(listener).toHaveBeenCalledTimes(3);
  expect(links.list()).toEqual([]);
  await state.close();
  await rm(folder, { recursive: true });
});
