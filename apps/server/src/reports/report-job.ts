import type { ReportFile } from '@belvedere/document';
import type { NewMessage } from '../deliver/message.ts';
import type { JobKind, JobOutcome, RunningJob } from '../jobs/job-kind.ts';
import { problemFrom } from '../http/problems.ts';
import type { ReportRecords, ReportRun } from '../state/messages/report-records.ts';
import type { StateDatabase } from '../state/database/state-database.ts';
import type { ScheduledDocument } from '../workspace/workspace.ts';
import { redactError } from '../access/row-policies.ts';
import { reportTexts } from './report-texts.ts';
import { DrawingTimeout } from './drawing-limit.ts';
import { localeIn, ownerOf, runReport, type ReportParts, type ReportResult } from './run-report.ts';

/** A report for many recipients with rows of their own is drawn for each of them. */
const longestMs = 60 * 60_000;
/** How long a report waits for fresh data, and how often it looks. */
const waitsForDataMs = 6 * 3_600_000;
const looksEveryMs = 10 * 60_000;

export interface ReportJobServices extends ReportParts {
  readonly state: StateDatabase;
  readonly records: ReportRecords;
  readonly documentId: (report: ScheduledDocument<ReportFile>) => Promise<string>;
  readonly deliver: (message: NewMessage) => Promise<void>;
}

/** Waits before further tries, in which queries that were interrupted may have a result. */
const backOffMs = [60_000, 5 * 60_000];

/** The kind of jobs that run reports. A job's object is the ID of a report. */
export function reportJobs(parts: ReportJobServices): JobKind {
  return {
    kind: 'report',
    // Drawing takes all of a processor.
    atOnce: 1,
    timeoutMs: longestMs,
    backOffMs,
    run: job => runReportJob(job, parts),
  };
}

/** Runs a report and stores its messages and its outcome, all or nothing. */
export async function runReportJob(
  { object, dueAt, attempt, signal, progress }: Omit<RunningJob, 'id'>,
  parts: ReportJobServices,
): Promise<JobOutcome> {
  const { records, now } = parts;
  const report = parts.workspace().reports.get(object);
  if (!report) return { kind: 'done', detail: 'The report has been removed.' };
  if (report.document?.paused) return { kind: 'done', detail: 'The report is paused.' };
  const documentId = await parts.documentId(report);
  // A server that stopped right after the transaction runs the job again.
  if ((await records.at(documentId, dueAt))?.outcome === 'sent') return { kind: 'done' };
  const started = new Date(now()).toISOString();
  const record = (run: Pick<ReportRun, 'outcome' | 'recipients' | 'left'> & Partial<ReportRun>) =>
    records.record(documentId, { due: dueAt, started, ended: new Date(now()).toISOString(), ...run });
  try {
    progress('Drawing');
    const drawsInterruptions = attempt > backOffMs.length;
    const result = await runReport(report, dueAt, { ...parts, drawsInterruptions }, signal);
    const isLate = now() >= dueAt + waitsForDataMs;
    if (result.kind === 'skipped' && result.reason === 'not-fresh' && !isLate)
      return { kind: 'postponed', until: now() + looksEveryMs, detail: 'Waiting for fresh data' };
    const [previous] = await records.history(documentId, 1);
    await parts.state.transaction(async () => {
      for (const message of messagesOf(result, report, dueAt, previous, parts)) await parts.deliver(message);
      await record(recordOf(result));
    });
    return { kind: 'done', detail: result.kind === 'sent' ? 'Sent' : result.reason };
  } catch (error) {
    // A job that was cancelled, or whose server closes, is no failure of the report.
    if (signal.aborted && !(error instanceof DrawingTimeout)) throw error;
    const left: ReportRun['left'] = [];
    if (error instanceof DrawingTimeout)
      await record({ outcome: 'failed', reason: 'timed-out', recipients: 0, left });
    else
      await record({
        outcome: 'failed',
        reason: 'error',
        detail: messageFor(error, report, parts),
        recipients: 0,
        left,
      });
    throw error;
  }
}

function recordOf(result: ReportResult): Pick<ReportRun, 'outcome' | 'reason' | 'recipients' | 'left'> {
  switch (result.kind) {
    case 'sent': {
      const recipients = result.messages.reduce((sum, { to }) => sum + to.length, 0);
      return { outcome: 'sent', recipients, left: result.left };
    }
    case 'skipped':
      return { outcome: 'skipped', reason: result.reason, recipients: 0, left: result.left };
    case 'stopped':
      return { outcome: 'stopped', reason: result.reason, recipients: 0, left: [] };
  }
}

/** The messages of a run. An owner who has lost the dashboard gets one message that the report has stopped. */
function messagesOf(
  result: ReportResult,
  { id, document }: ScheduledDocument<ReportFile>,
  due: number,
  previous: ReportRun | undefined,
  parts: ReportParts,
): readonly NewMessage[] {
  if (result.kind === 'sent') return result.messages;
  const isNew = previous?.outcome !== 'stopped';
  if (result.kind !== 'stopped' || result.reason !== 'owner-forbidden' || !document || !isNew) return [];
  const owner = ownerOf(document, parts);
  if ('reason' in owner || !owner.user) return [];
  const texts = reportTexts(localeIn(document, parts));
  return [
    {
      kind: 'report',
      ...(document.locale !== undefined && { locale: document.locale }),
      about: `report:${id}`,
      key: `report:${id}:${due}:stopped`,
      title: texts.stopped(document.title),
      // The dashboard's title is no longer theirs to know; its name is in their own text.
      lines: [texts.stoppedWhy(document.dashboard)],
      facts: [],
      links: [{ label: texts.openReport, href: `/reports/${encodeURIComponent(id)}` }],
      images: [],
      files: [],
      to: [{ kind: 'user', userId: owner.user.id }],
      requires: [],
    },
  ];
}

/** An error's message, as far as the report's owner may know it. */
function messageFor(error: unknown, { document }: ScheduledDocument<ReportFile>, parts: ReportParts): string {
  const owner = document && ownerOf(document, parts);
  const redacted = owner && 'caller' in owner ? redactError(error, owner.caller) : error;
  return problemFrom(redacted).detail ?? '';
}
