import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Directory } from '../../../apps/server/src/access/directory.ts';
import { openAccounts } from '../../../apps/server/src/auth/accounts/open-accounts.ts';
import { PublicLinks } from '../../../apps/server/src/auth/guests/public-links.ts';
import { DocumentIds } from '../../../apps/server/src/state/documents/document-ids.ts';
import { Grants } from '../../../apps/server/src/state/sharing/grants.ts';
import { PublicLinkRecords } from '../../../apps/server/src/state/sharing/public-links.ts';
import type { StateDatabase } from '../../../apps/server/src/state/database/state-database.ts';
import type { Workspace } from '../../../apps/server/src/workspace/workspace.ts';
import { stateDatabases, stateKinds } from './state-databases.ts';

/* The records of public links, on both state databases, with a clock that the test sets. */

const emptyState = stateDatabases();

const [hour, day] = [3_600_000, 86_400_000];
const dashboard = { id: 'sales', file: 'dashboards/sales.yaml' };
const network = '192.0.2.1';

describe.each(stateKinds)('public links on %s', kind => {
  let database: StateDatabase;
  let links: PublicLinks;
  let owner: string;
  let now: number;
  let start: () => Promise<PublicLinks>;
  let refresh: () => Promise<void>;
  beforeEach(async () => {
    now = Date.UTC(2026, 10, 29);
    const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-links-'));
    database = await emptyState(kind, folder);
    const clock = { wall: () => now, elapsed: () => 5_000_000, isTrusted: () => true };
    const limits = { sessionIdleMs: 7 * day, sessionLifeMs: 30 * day };
    const accounts = await openAccounts(database, { limits, clock, folder, port: () => 4600 });
    owner = await accounts.users.addService({ name: 'maker', role: 'admin' }, []);
    await accounts.people.load();
    const ids = new DocumentIds(database);
    const directory = new Directory(accounts, new Grants(database, ids));
    refresh = () => directory.refresh();
    await refresh();
    const workspace = {
      dashboards: new Map(),
      models: new Map(),
      sources: new Map(),
      unappliedPolicies: [],
      declaredGrants: [],
      limits: { exportRowsOf: {} },
    } as unknown as Workspace;
    start = () =>
      PublicLinks.open({
        state: database,
        ids,
        settings: accounts.settings,
        secrets: ['x'.repeat(43)],
        directory,
        clock,
        workspace: () => workspace,
      });
    links = await start();
    await links.switch(true);
    return async () => {
      await database.close();
      await rm(folder, { recursive: true });
    };
  });

  const create = (more: { readonly passphrase?: string; readonly maxOpens?: number } = {}) =>
    links.create(dashboard, { name: 'Partners', days: 30, filters: {}, downloads: false, ...more }, owner);
  const open = (secret: string, passphrase?: string) =>
    links.openLink(secret, passphrase, network).then(
      ({ token }) => token,
      (error: { readonly type: string }) => error.type,
    );
  const isGuest = (token: string) => links.find(`Guest ${token}`)?.guest?.dashboard === 'sales';

  test('are stored as hashes, survive a restart, and expire to the moment', async () => {
    const { link, secret } = await create({ passphrase: 'three quiet owls' });
    const stored = JSON.stringify(await database.db.selectFrom('public_link').selectAll().execute());
    for (const text of [secret, 'owls']) expect([text, stored.includes(text)]).toEqual([text, false]);
    const token = await open(secret, 'three quiet owls');
    links = await start();
    expect(isGuest(token)).toBe(true);
    expect(links.list('sales')).toMatchObject([{ id: link.id, opens: 1, state: 'active' }]);
    now += 30 * day - 1;
    const last = await open(secret, 'three quiet owls');
    expect(isGuest(last)).toBe(true);
    now += 1;
    expect(isGuest(last)).toBe(false);
    expect(await open(secret, 'three quiet owls')).toBe('link-ended');
    expect(links.list('sales')).toMatchObject([{ state: 'expired' }]);
    now += 30 * day;
    await links.prune(now);
    expect(links.list('sales')).toEqual([]);
  });

  test('opened by many at once are counted by few writes, and one by one where they are limited', async () => {
    const counting = vi.spyOn(PublicLinkRecords.prototype, 'countOpenings');
    const { link, secret } = await create();
    const tokens = await Promise.all(Array.from({ length: 200 }, () => open(secret)));
    expect([tokens.every(isGuest), new Set(tokens).size]).toEqual([true, 200]);
    expect(counting.mock.calls.length).toBeLessThan(20);
    counting.mockRestore();
    const limited = await create({ maxOpens: 7 });
    const some = await Promise.all(Array.from({ length: 20 }, () => open(limited.secret)));
    expect([some.filter(isGuest).length, some.filter(one => one === 'link-ended').length]).toEqual([7, 13]);
    await open(secret);
    links = await start();
    expect(new Set(links.list('sales').map(({ opens }) => opens))).toEqual(new Set([7, 201]));
    const late = Array.from({ length: 5 }, () => open(secret));
    await links.revoke(link.id);
    expect((await Promise.all(late)).some(isGuest)).toBe(false);
  });

  test('end sooner or later, from their next request on, also after a restart', async () => {
    const { link, secret } = await create();
    const token = await open(secret);
    const allowed = () => {};
    const refused = () => {
      throw new Error('refused');
    };
    // Shortening takes no right to extend.
    await links.setLife(link.id, 1, 'sales', refused);
    links = await start();
    now += day;
    expect([isGuest(token), await open(secret)]).toEqual([false, 'link-ended']);
    await expect(links.setLife(link.id, 2, 'sales', refused)).rejects.toThrow('refused');
    await expect(links.setLife(link.id, 2, 'other', allowed)).rejects.toMatchObject({ type: 'not-found' });
    const { before, link: extended } = await links.setLife(link.id, 2, 'sales', allowed);
    expect(Date.parse(extended.expiresAt) - Date.parse(before.expiresAt)).toBe(2 * day);
    now += 2 * day - 1;
    links = await start();
    const again = await open(secret);
    expect(isGuest(again)).toBe(true);
    now += 1;
    expect([isGuest(again), await open(secret)]).toEqual([false, 'link-ended']);
    await links.revoke(link.id);
    await expect(links.setLife(link.id, 2, 'sales', allowed)).rejects.toMatchObject({ type: 'not-found' });
  });

  test('count openings exactly; those who opened the last one go on for twelve hours', async () => {
    const { secret } = await create({ maxOpens: 3 });
    const ends = await Promise.all(Array.from({ length: 12 }, () => open(secret)));
    const tokens = ends.filter(end => end !== 'link-ended');
    expect(tokens.length).toBe(3);
    links = await start();
    expect(links.list('sales')).toMatchObject([{ opens: 3, state: 'used-up' }]);
    now += 12 * hour - 1;
    expect(tokens.map(isGuest)).toEqual([true, true, true]);
    now += 1;
    expect(tokens.map(isGuest)).toEqual([false, false, false]);
  });

  test('count each guest’s requests by themselves, and share the server as one user', async () => {
    const { secret } = await create();
    const [first, second] = [await open(secret), await open(secret)].map(token =>
      links.find(`Guest ${token}`)!,
    );
    expect(first!.guest!.opening).not.toBe(second!.guest!.opening);
    expect(first!.userId).toBe(second!.userId);
  });

  test('stay revoked, whatever is read again meanwhile', async () => {
    for (let round = 0; round < 20; round++) {
      const { link } = await create();
      const reading = refresh();
      await links.revoke(link.id);
      await reading;
    }
    // Reading begins with the refresh, and ends at some time after it.
    await links.prune(now);
    expect(links.list()).toEqual([]);
  });

  test('are tried for ten minutes', () => {
    const preview = links.preview('sales', { filters: {}, downloads: false }, owner);
    expect(isGuest(preview)).toBe(true);
    now += 600_000;
    expect(isGuest(preview)).toBe(false);
  });
});
