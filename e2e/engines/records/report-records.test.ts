import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openAccounts } from '../../../apps/server/src/auth/accounts/open-accounts.ts';
import { DocumentIds } from '../../../apps/server/src/state/documents/document-ids.ts';
import { ReportRecords, type ReportRun } from '../../../apps/server/src/state/messages/report-records.ts';
import type { StateDatabase } from '../../../apps/server/src/state/database/state-database.ts';
import { stateDatabases, stateKinds } from './state-databases.ts';

/* Runs of reports and unsubscriptions, on both state databases. */

const emptyState = stateDatabases();

const day = 86_400_000;
const start = Date.UTC(2026, 10, 29, 7);
const run = (due: number, more: Partial<ReportRun> = {}): ReportRun => ({
  due,
  started: new Date(due).toISOString(),
  ended: new Date(due + 1000).toISOString(),
  outcome: 'sent',
  recipients: 2,
  left: [],
  ...more,
});

describe.each(stateKinds)('records of reports on %s', kind => {
  let database: StateDatabase;
  let records: ReportRecords;
  let ids: DocumentIds;
  let report: string;
  beforeEach(async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-report-records-'));
    database = await emptyState(kind, folder);
    ids = new DocumentIds(database);
    records = new ReportRecords(database);
    report = await ids.of('report', 'reports/weekly.yaml');
  });
  afterEach(() => database.close());

  test('a further try replaces the one before; history is newest first', async () => {
    const failed = run(start, { outcome: 'failed', reason: 'error', detail: 'no room', recipients: 0 });
    await records.record(report, failed);
    expect(await records.at(report, start)).toEqual(failed);
    await records.record(report, run(start));
    const skipped = run(start + day, {
      outcome: 'skipped',
      reason: 'no-recipients',
      left: [{ recipient: 'ana@example.org', reason: 'forbidden' }],
    });
    await records.record(report, skipped);
    expect(await records.history(report, 5)).toEqual([skipped, run(start)]);
    expect([...(await records.last())]).toEqual([['reports/weekly.yaml', skipped]]);
    await records.prune(start + 402 * day);
    expect(await records.history(report, 5)).toEqual([]);
  });

  test('users unsubscribe and subscribe again; their records go with the report', async () => {
    const clock = { wall: () => start, elapsed: () => 0, isTrusted: () => true };
    const accounts = await openAccounts(database, {
      limits: { sessionIdleMs: day, sessionLifeMs: day },
      clock,
      folder: os.tmpdir(),
      port: () => 4600,
    });
    const ana = await accounts.users.addService({ name: 'ana', role: 'explorer' }, []);
    await records.unsubscribe(report, ana, new Date(start));
    await records.unsubscribe(report, ana, new Date(start));
    expect([...(await records.unsubscribed(report))]).toEqual([ana]);
    expect([...(await records.unsubscribedBy(ana))]).toEqual(['reports/weekly.yaml']);
    await records.resubscribe(report, ana);
    expect(await records.unsubscribed(report)).toEqual(new Set());
    await records.unsubscribe(report, ana, new Date(start));
    await records.record(report, run(start));
    await ids.delete(report);
    expect(await records.unsubscribedBy(ana)).toEqual(new Set());
    expect(await records.history(report, 5)).toEqual([]);
  });
});
