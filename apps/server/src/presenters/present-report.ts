import {
  isAtLeast,
  type RecipientReason,
  type ReportDetail,
  type ReportRun,
  type ReportSummary,
} from '@belvedere/api';
import type { DocumentProblem, Recipient, ReportFile } from '@belvedere/document';
import type { Caller } from '../access/caller.ts';
import type { Directory } from '../access/directory.ts';
import { mayChange } from '../access/scheduled-documents.ts';
import { levelOf } from '../access/may.ts';
import { nextDue, type Schedule } from '../jobs/due-times.ts';
import { resolveRecipients, userOf } from '../reports/report-recipients.ts';
import type { ReportRun as RunRecord } from '../state/messages/report-records.ts';
import type { ScheduledDocument, Workspace } from '../workspace/workspace.ts';

type Report = ScheduledDocument<ReportFile>;

/** What is known of a report beside its text. */
export interface ReportAround {
  readonly workspace: Workspace;
  readonly directory: Directory;
  readonly isTeam: boolean;
  /** Wall-clock time, ms since 1970. */
  readonly now: number;
  readonly last?: RunRecord | undefined;
  readonly hasUnsubscribed: boolean;
}

/** When a report is due. */
export function scheduleOf({ schedule }: Pick<ReportFile, 'schedule'>, { timezone }: Workspace): Schedule {
  return { kind: 'calendar', pattern: schedule, zone: schedule.timezone ?? timezone };
}

/** Returns the next due times of a schedule. */
export function nextDueTimes(schedule: Schedule, after: number, limit: number): string[] {
  const times: string[] = [];
  let due = nextDue(schedule, after);
  while (due !== undefined && times.length < limit) {
    times.push(new Date(due).toISOString());
    due = nextDue(schedule, due);
  }
  return times;
}

/** Whether a caller may change, pause and run a report. */
export function mayEditReport(caller: Caller, { document }: Report): boolean {
  return isAtLeast(caller.role, 'explorer') && mayChange(caller, document);
}

function isOwner({ email }: Caller, document: ReportFile | undefined): boolean {
  return email !== undefined && document?.owner?.toLowerCase() === email.toLowerCase();
}

/** Returns a report as a caller sees it; undefined if they neither own it nor get it. */
export function reportSummary(
  report: Report,
  caller: Caller,
  around: ReportAround,
): ReportSummary | undefined {
  const { id, title, document, problems } = report;
  const { workspace, directory, isTeam, now, last, hasUnsubscribed } = around;
  const owner = document?.owner === undefined ? undefined : userOf(document.owner, directory.users);
  const isRecipient =
    document !== undefined &&
    resolveRecipients(document, owner, directory).recipients.some(
      ({ to }) => typeof to !== 'string' && to.id === caller.userId,
    );
  const isOwn = !isTeam || isOwner(caller, document);
  const isEditable = mayEditReport(caller, report);
  const object = document && ({ kind: 'dashboard', id: document.dashboard } as const);
  const mayView = object !== undefined && levelOf(caller, object, workspace) !== undefined;
  // The title of a report may say what its recipients may no longer see.
  if (!isOwn && !isEditable && !(isRecipient && mayView)) return undefined;
  const dashboard = mayView ? workspace.dashboards.get(document!.dashboard) : undefined;
  const isInvalid = !document || problems.length > 0;
  const isPaused = document?.paused === true;
  const next =
    document && !isInvalid && !isPaused ? nextDue(scheduleOf(document, workspace), now) : undefined;
  return {
    id,
    title,
    ...(dashboard && { dashboard: { id: dashboard.id, title: dashboard.title } }),
    ...(document?.owner !== undefined && {
      owner: { email: document.owner, ...(owner && { name: owner.name }) },
    }),
    isOwn,
    isEditable,
    ...(document && { schedule: document.schedule }),
    timezone: document?.schedule.timezone ?? workspace.timezone,
    ...(next !== undefined && { next: new Date(next).toISOString() }),
    state: isInvalid
      ? 'invalid'
      : isPaused
        ? 'paused'
        : last?.outcome === 'stopped' || last?.outcome === 'failed'
          ? last.outcome
          : 'scheduled',
    ...(last && { lastRun: runFor(last, isEditable) }),
    recipients: document ? recipientsIn(document).length : 0,
    isRecipient,
    hasUnsubscribed,
  };
}

/** @param history the newest first; `unknown`: the problems of recipients that do not exist */
export function reportDetail(
  summary: ReportSummary,
  { document, problems }: Report,
  history: readonly RunRecord[],
  {
    workspace,
    now,
    unknown,
  }: Pick<ReportAround, 'workspace' | 'now'> & { readonly unknown: readonly DocumentProblem[] },
): ReportDetail {
  const { isEditable } = summary;
  return {
    ...summary,
    ...(document?.description !== undefined && { description: document.description }),
    nextRuns:
      document && summary.next !== undefined ? nextDueTimes(scheduleOf(document, workspace), now, 5) : [],
    history: history.map(run => runFor(run, isEditable)),
    problems: isEditable ? [...problems, ...unknown].map(({ line, message }) => ({ line, message })) : [],
    to: isEditable && document ? recipientsIn(document) : [],
    ...(document && {
      content: {
        pictures: document.pictures ?? true,
        ...(document.locale !== undefined && { locale: document.locale }),
        attach: document.attach ?? [],
        ...(document.pages && { pages: document.pages }),
      },
    }),
    ...(isEditable && document && { terms: termsOf(document) }),
  };
}

function termsOf({ filters, parameters, onlyIf, rows, each = [] }: ReportFile): ReportDetail['terms'] {
  return {
    ...(filters && { filters }),
    ...(parameters && { parameters }),
    ...(onlyIf && { onlyIf }),
    rows: rows ?? 'recipient',
    lists: each.map(list => ({ to: list.to.map(nameOf), filters: list.filters })),
  };
}

/** The names of the recipients in a report's text. */
function recipientsIn({ to, each = [], owner }: ReportFile): string[] {
  const named = [...(to ?? []), ...each.flatMap(list => list.to)].map(nameOf);
  return [...new Set(named.length === 0 && owner !== undefined ? [owner] : named)];
}

const nameOf = ({ user, group, channel }: Recipient): string => user ?? group ?? channel ?? '';

/** Recipients of a report do not learn who the others are, nor what went wrong. */
function runFor({ due, detail, left, recipients, ...run }: RunRecord, isEditable: boolean): ReportRun {
  return {
    ...run,
    due: new Date(due).toISOString(),
    ...(isEditable && detail !== undefined && { detail }),
    recipients: isEditable ? recipients : 0,
    left: isEditable
      ? left.map(one => ({ recipient: one.recipient, reason: one.reason as RecipientReason }))
      : [],
  };
}
