import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { EngineError } from '@belvedere/engine';
import type { NewMessage } from '../deliver/message.ts';
import type { ExportWriter } from '../exports/formats/export-writer.ts';
import type { JobOutcome } from '../jobs/job-kind.ts';
import { DocumentIds } from '../state/documents/document-ids.ts';
import { ReportRecords } from '../state/messages/report-records.ts';
import { openStateDatabase, type StateDatabase } from '../state/database/state-database.ts';
import { openReports, type ReportFixture } from './report-fixture.ts';
import { runReportJob, type ReportJobServices } from './report-job.ts';

let fixture: ReportFixture;
let folder: string;
let state: StateDatabase;
let records: ReportRecords;
let documentId: string;
let sent: NewMessage[];
const due = Date.parse('2024-05-03T06:00:00Z');
const text = (more = '') =>
  `version: 1\ntitle: Weekly\nowner: ed@example.org\ndashboard: sales\nschedule: { at: "08:00" }\n${more}`;

beforeAll(async () => {
  fixture = await openReports();
  folder = await mkdtemp(path.join(os.tmpdir(), 'belvedere-report-jobs-'));
  state = await openStateDatabase({ folder });
  records = new ReportRecords(state);
  documentId = await new DocumentIds(state).of('report', 'reports/weekly.yaml');
});
beforeEach(async () => {
  sent = [];
  await fixture.reset();
  await state.db.deleteFrom('report_run').execute();
});
afterAll(async () => {
  await state?.close();
  await fixture?.close();
  await rm(folder, { recursive: true, force: true });
});

function run(
  report: string,
  changed: Partial<ReportJobServices> = {},
  dueAt = due,
  attempt = 1,
): Promise<JobOutcome> {
  const reports = new Map([['weekly', fixture.report(report)]]);
  const { signal } = new AbortController();
  return runReportJob(
    { object: 'weekly', dueAt, attempt, signal, progress: () => {} },
    {
      ...fixture.parts,
      workspace: () => ({ ...fixture.workspace(), reports }),
      state,
      records,
      documentId: async () => documentId,
      deliver: async message => {
        sent.push(message);
      },
      ...changed,
    },
  );
}

test('a run is recorded together with its messages, and not repeated', async () => {
  expect(await run(text())).toEqual({ kind: 'done', detail: 'Sent' });
  expect(sent).toHaveLength(1);
  expect(await records.history(documentId, 5)).toMatchObject([
    { due, outcome: 'sent', recipients: 1, left: [] },
  ]);
  await run(text());
  expect(sent).toHaveLength(1);
});

test('a failing delivery leaves no record of having sent', async () => {
  const deliver = () => Promise.reject(new Error('no room'));
  await expect(run(text(), { deliver })).rejects.toThrow('no room');
  expect(await records.at(documentId, due)).toMatchObject({ outcome: 'failed', reason: 'error' });
  await run(text());
  expect(await records.at(documentId, due)).toMatchObject({ outcome: 'sent' });
});

test('a drawing that hangs is stopped, the history says so, and the next run is not affected', async () => {
  let wasStopped = false;
  const writer = {
    write: (_: unknown, signal: AbortSignal) =>
      new Promise(() => {
        signal.addEventListener('abort', () => {
          wasStopped = true;
        });
      }),
  } as unknown as ExportWriter;
  await expect(run(text(), { writer, longestDrawingMs: 2000 })).rejects.toThrow();
  expect(wasStopped).toBe(true);
  expect(await records.at(documentId, due)).toMatchObject({ outcome: 'failed', reason: 'timed-out' });
  await run(text(), {}, due + 86_400_000);
  expect(await records.at(documentId, due + 86_400_000)).toMatchObject({ outcome: 'sent' });
});

test('a source that cannot be reached sends no mail of errors, and is tried again', async () => {
  const queries = Object.assign(Object.create(fixture.parts.queries) as ReportJobServices['queries'], {
    run: () => Promise.reject(new EngineError('source-unreachable', 'The source does not answer.')),
  });
  await expect(run(text(), { queries })).rejects.toThrow('The source does not answer.');
  expect(sent).toEqual([]);
  expect(await records.at(documentId, due)).toMatchObject({ outcome: 'failed', reason: 'error' });
  await run(text());
  expect(await records.at(documentId, due)).toMatchObject({ outcome: 'sent' });
});

test('a tile whose query is interrupted is drawn with its error only in the last try', async () => {
  const { queries: working } = fixture.parts;
  const timeout = new EngineError('query-timeout', 'It took longer than 30 s.');
  const nothing = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(timeout) }) };
  const queries = {
    run: (...asked: Parameters<typeof working.run>) =>
      JSON.stringify(asked[0]).includes('target') ? Promise.reject(timeout) : working.run(...asked),
    stream: (...asked: Parameters<typeof working.stream>) =>
      JSON.stringify(asked[0]).includes('target') ? nothing : working.stream(...asked),
  } as ReportJobServices['queries'];
  const mixed = text('attach: [pdf]\n').replace('dashboard: sales', 'dashboard: mixed');
  for (const attempt of [1, 2]) {
    await expect(run(mixed, { queries }, due, attempt)).rejects.toThrow('no result for the tile `targets`');
    expect(sent).toEqual([]);
  }
  expect(await run(mixed, { queries }, due, 3)).toEqual({ kind: 'done', detail: 'Sent' });
  expect(sent.map(({ images, files }) => [images?.length, files?.length])).toEqual([[1, 1]]);
});

test('many drawings may take longer together than one of them', async () => {
  const { writer: plain } = fixture.parts;
  const slow = {
    write: async (...drawing: Parameters<ExportWriter['write']>) => {
      await new Promise(resolve => setTimeout(resolve, 1200));
      return plain.write(...drawing);
    },
  } as unknown as ExportWriter;
  const report = text('to: [{ user: nora@example.org }, { user: sven@example.org }]\n');
  const began = performance.now();
  await run(report, { writer: slow, longestDrawingMs: 10_000 });
  const bothMs = performance.now() - began;
  expect(sent).toHaveLength(2);
  // Each takes about half as long as both.
  await run(report, { writer: slow, longestDrawingMs: bothMs * 0.9 }, due + 86_400_000);
  expect(await records.at(documentId, due + 86_400_000)).toMatchObject({ outcome: 'sent' });
});

test('an owner who lost the dashboard gets one message, without any figure', async () => {
  const index = fixture.grants.findIndex(one => one.subjectId === 'ed' && one.object === 'sales');
  fixture.grants.splice(index, 1);
  await fixture.refresh();
  const report = text('to: [{ user: olga@example.org }]\n');
  await run(report);
  await run(report, {}, due + 86_400_000);
  expect(sent).toMatchObject([
    { title: '“Weekly” has stopped', to: [{ userId: 'ed' }], images: [], files: [], facts: [] },
  ]);
  expect(await records.history(documentId, 5)).toMatchObject([
    { outcome: 'stopped', reason: 'owner-forbidden' },
    { outcome: 'stopped', reason: 'owner-forbidden' },
  ]);
});

test('a report waits a few hours for fresh data, then is skipped', async () => {
  const report = text('onlyIf: { fresh: 1 hour }\n');
  expect(await run(report)).toMatchObject({ kind: 'postponed', until: due + 600_000 });
  expect(await records.history(documentId, 5)).toEqual([]);
  await run(report, { now: () => due + 7 * 3_600_000 });
  expect(await records.at(documentId, due)).toMatchObject({ outcome: 'skipped', reason: 'not-fresh' });
});

test('a paused or removed report does nothing', async () => {
  await run(text('paused: true\n'));
  await run(text(), { workspace: () => ({ ...fixture.workspace(), reports: new Map() }) });
  expect([sent, await records.history(documentId, 5)]).toEqual([[], []]);
});
