import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openAccounts } from '../../../apps/server/src/auth/accounts/open-accounts.ts';
import { AccessRequests } from '../../../apps/server/src/state/sharing/access-requests.ts';
import { DashboardRecords } from '../../../apps/server/src/state/documents/dashboard-records.ts';
import { DocumentIds } from '../../../apps/server/src/state/documents/document-ids.ts';
import type { StateDatabase } from '../../../apps/server/src/state/database/state-database.ts';
import { stateDatabases, stateKinds } from './state-databases.ts';

/* Owners, verifications and days of use, on both state databases. */

const emptyState = stateDatabases();

const day = 86_400_000;
const start = Date.UTC(2026, 10, 29, 12);

describe.each(stateKinds)('records of dashboards on %s', kind => {
  let database: StateDatabase;
  let records: DashboardRecords;
  let ids: DocumentIds;
  let document: string;
  let ana: string;
  let ben: string;
  beforeEach(async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-records-'));
    database = await emptyState(kind, folder);
    const clock = { wall: () => start, elapsed: () => 0, isTrusted: () => true };
    const limits = { sessionIdleMs: 7 * day, sessionLifeMs: 30 * day };
    const accounts = await openAccounts(database, { limits, clock, folder, port: () => 4600 });
    ana = await accounts.users.addService({ name: 'ana', role: 'editor' }, []);
    ben = await accounts.users.addService({ name: 'ben', role: 'viewer' }, []);
    ids = new DocumentIds(database);
    records = new DashboardRecords(database);
    document = await ids.of('dashboard', 'dashboards/sales.yaml');
  });
  afterEach(() => database.close());
  const sales = async (now = start) => (await records.all(now)).records.get('sales');

  test('a user counts once a day, for seven days', async () => {
    expect(await sales()).toEqual({ views: 0 });
    for (const [user, daysAgo] of [
      [ana, 0],
      [ana, 0],
      [ben, 0],
      [ana, 6],
      [ana, 7],
      [ben, 40],
    ] as const)
      await records.countUse(document, user, start - daysAgo * day);
    expect(await sales()).toEqual({ views: 3, lastDay: '2026-11-29' });
    expect(await sales(start + day)).toMatchObject({ views: 2 });
    expect((await records.all(start)).firstDay).toBe('2026-10-20');
  });

  test('days that no count needs are deleted', async () => {
    for (const daysAgo of [10, 119, 121]) await records.countUse(document, ana, start - daysAgo * day);
    await records.prune(start);
    expect((await records.all(start)).firstDay).toBe('2026-08-02');
  });

  test('a verification replaces the one before, and ends with the document', async () => {
    const verification = { byId: ana, at: new Date(start), until: new Date(start + 30 * day) };
    await records.verify(document, { ...verification, revision: 'a' });
    await records.verify(document, { ...verification, revision: 'b' });
    expect(await sales()).toMatchObject({
      verification: {
        revision: 'b',
        byId: ana,
        at: '2026-11-29T12:00:00.000Z',
        until: '2026-12-29T12:00:00.000Z',
      },
    });
    await records.unverify(document);
    expect(await sales()).toEqual({ views: 0 });
    await records.verify(document, { ...verification, revision: 'c' });
    await ids.delete(document);
    await ids.of('dashboard', 'dashboards/sales.yaml');
    expect(await sales()).toEqual({ views: 0 });
  });

  test('records follow a moved dashboard, and stay when their users are removed', async () => {
    await records.setOwner(document, ana);
    await records.verify(document, { revision: 'a', byId: ana, at: new Date(start), until: new Date(start) });
    await records.countUse(document, ben, start);
    await ids.move('dashboards/sales.yaml', 'dashboards/eu/sales.yaml');
    expect((await records.all(start)).records.get('eu/sales')).toMatchObject({ ownerId: ana, views: 1 });
    await database.db.deleteFrom('user').execute();
    const { ownerId, verification, views } = (await records.all(start)).records.get('eu/sales')!;
    expect({ ownerId, by: verification?.byId, views }).toEqual({
      ownerId: undefined,
      by: undefined,
      views: 0,
    });
    expect(verification?.revision).toBe('a');
  });

  test('requests for access: one of a user for a dashboard; declined for a week, open for 90 days', async () => {
    const requests = new AccessRequests(database);
    const open = async () => (await requests.open()).map(({ userId, message }) => [userId, message]);
    await requests.add(document, ana, 'first', start);
    await requests.add(document, ana, 'second', start + 1000);
    await requests.add(document, ben, '', start);
    expect(await open()).toEqual([
      [ana, 'second'],
      [ben, ''],
    ]);
    const [newest] = await requests.open();
    await requests.decline(newest!.id, start);
    await requests.add(document, ana, 'third', start + 6 * day);
    expect(await open()).toEqual([[ben, '']]);
    await requests.add(document, ana, 'fourth', start + 8 * day);
    expect(await open()).toEqual([
      [ana, 'fourth'],
      [ben, ''],
    ]);
    await requests.prune(start + 91 * day);
    expect(await open()).toEqual([[ana, 'fourth']]);
  });

  test('a user has at most twenty open requests', async () => {
    const requests = new AccessRequests(database);
    for (let i = 0; i < 25; i++)
      await requests.add(await ids.of('dashboard', `dashboards/d${i}.yaml`), ana, '', start);
    expect(await requests.open()).toHaveLength(20);
  });
});
