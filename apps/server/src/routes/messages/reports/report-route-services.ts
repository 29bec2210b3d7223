import type { DocumentProblem, ReportFile } from '@belvedere/document';
import type { Caller } from '../../../access/caller.ts';
import type { NoteCall } from '../../../auth/limits/note-calls.ts';
import { ProblemError } from '../../../http/problems.ts';
import type { JobRunner } from '../../../jobs/job-runner.ts';
import { reportSummary } from '../../../presenters/present-report.ts';
import type { ReportJobServices } from '../../../reports/report-job.ts';
import type { ReportStore } from '../../../reports/report-store.ts';
import type { ScheduledDocument } from '../../../workspace/workspace.ts';

type Report = ScheduledDocument<ReportFile>;

export interface ReportRouteServices extends ReportJobServices {
  readonly texts: ReportStore;
  readonly runner: Pick<JobRunner, 'enqueue'>;
  readonly note: NoteCall;
  readonly hasMail: () => boolean;
  /** The address under which users reach the server. */
  readonly address: () => string;
  /** The problems of a report's recipients that do not exist. */
  readonly unknownRecipients: (id: string) => readonly DocumentProblem[];
}

/** Returns a function from a report to its last run, its workspace and its caller's subscription. */
export async function reportContextFor(caller: Caller, services: ReportRouteServices) {
  const { records, isTeam, directory, now } = services;
  const [last, unsubscribed] = await Promise.all([
    records.last(),
    isTeam ? records.unsubscribedBy(caller.userId) : new Set<string>(),
  ]);
  return ({ file }: Report) => ({
    workspace: services.workspace(),
    directory,
    isTeam,
    now: now(),
    last: last.get(file),
    hasUnsubscribed: unsubscribed.has(file),
  });
}

/** @throws ProblemError `not-found`, also for a report that the caller neither owns nor gets */
export async function findReport(id: string, caller: Caller, services: ReportRouteServices) {
  const report = services.workspace().reports.get(id);
  const around = report && (await reportContextFor(caller, services))(report);
  const summary = report && reportSummary(report, caller, around!);
  if (!summary) throw new ProblemError('not-found', 'Report not found, or not yours.');
  return { report, summary, around: around! };
}
