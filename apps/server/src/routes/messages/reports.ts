import { isAtLeast, preferredLanguage, type reportEndpoints } from '@belvedere/api';
import { readDocument, type ReportFile } from '@belvedere/document';
import { randomUUID } from 'node:crypto';
import type { DocumentProblem } from '@belvedere/document';
import type { Caller } from '../../access/caller.ts';
import { notFound, requireLevel } from '../../access/may.ts';
import { furtherRules } from '../../access/rules.ts';
import type { NoteCall } from '../../auth/limits/note-calls.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import { composeMessages } from '../../mail/compose.ts';
import {
  mayEditReport,
  nextDueTimes,
  reportDetail,
  reportSummary,
  scheduleOf,
} from '../../presenters/present-report.ts';
import { ProblemError } from '../../http/problems.ts';
import type { ReportContent } from '../../reports/render-report.ts';
import type { ReportJobParts } from '../../reports/report-job.ts';
import type { ReportStore } from '../../reports/report-store.ts';
import { previewReport } from '../../reports/run-report.ts';
import type { ScheduledDocument, Workspace } from '../../workspace/workspace.ts';
import { assembleReport } from '../../workspace/assemble-report.ts';
import { plainProblem } from '../../workspace/documents/document-repository.ts';
import type { Call, Handlers } from '../contract/mount-contract.ts';

type Report = ScheduledDocument<ReportFile>;

/** A preview is stopped after this time, as a run is. */
const longestMs = 55_000;
const shownRuns = 50;
const shownTimes = 5;

export interface ReportRouteParts extends ReportJobParts {
  readonly texts: ReportStore;
  readonly runner: Pick<JobRunner, 'enqueue'>;
  readonly note: NoteCall;
  readonly hasMail: () => boolean;
  /** The address under which users reach the server. */
  readonly address: () => string;
  /** The problems of a report's recipients that do not exist. */
  readonly unknownRecipients: (id: string) => readonly DocumentProblem[];
}

/** Endpoints of reports. */
export function reportRoutes(parts: ReportRouteParts): Pick<Handlers, keyof typeof reportEndpoints> {
  const { records, texts, isTeam, directory, now } = parts;
  const workspace = () => parts.workspace();
  const aroundFor = async (caller: Caller) => {
    const [last, unsubscribed] = await Promise.all([
      records.last(),
      isTeam ? records.unsubscribedBy(caller.userId) : new Set<string>(),
    ]);
    return ({ file }: Report) => ({
      workspace: workspace(),
      directory,
      isTeam,
      now: now(),
      last: last.get(file),
      hasUnsubscribed: unsubscribed.has(file),
    });
  };
  /** @throws ProblemError `not-found`, also for a report that the caller neither owns nor gets */
  const found = async (id: string, caller: Caller) => {
    const report = workspace().reports.get(id);
    const around = report && (await aroundFor(caller))(report);
    const summary = report && reportSummary(report, caller, around!);
    if (!summary) throw new ProblemError('not-found', 'Report not found, or not yours.');
    return { report, summary, around: around! };
  };
  const drawn = async (
    text: string,
    { caller, granted, signal }: Pick<Call, 'caller' | 'granted' | 'signal'>,
  ): Promise<ReportContent> => {
    const document = readReport(text, granted());
    requireLevel(caller, { kind: 'dashboard', id: document.dashboard }, 'view', workspace());
    const limit = AbortSignal.timeout(longestMs);
    try {
      return await previewReport(document, caller, parts, AbortSignal.any([signal, limit]));
    } catch (error) {
      if (limit.aborted)
        throw new ProblemError(
          'query-timeout',
          `This took longer than ${longestMs / 1000} seconds to draw. Choose fewer pages or files.`,
        );
      throw error;
    }
  };
  return {
    listReports: async ({ query, caller }) => {
      const around = await aroundFor(caller);
      const reports = [...workspace().reports.values()]
        .filter(({ document }) => query.dashboard === undefined || document?.dashboard === query.dashboard)
        .flatMap(report => reportSummary(report, caller, around(report)) ?? [])
        .toSorted((a, b) => a.title.localeCompare(b.title));
      return { reports };
    },
    getReport: async ({ params, caller }) => {
      const { report, summary, around } = await found(params.id, caller);
      const history = await records.history(await texts.documentId(report.id), shownRuns);
      const unknown = summary.isEditable ? parts.unknownRecipients(report.id) : [];
      return reportDetail(summary, report, history, { ...around, unknown });
    },
    previewReport: async ({ body, ...call }) => {
      const content = await drawn(body.text, call);
      const { title, settings } = workspace();
      const mail = composeMessages(
        call.caller.email ?? '',
        preferredLanguage([content.locale ?? settings.locale]),
        [{ ...content, kind: 'report', about: 'report:preview' }],
        { kind: 'user' },
        { workspace: title, address: parts.address() },
      );
      return {
        subject: mail.subject,
        html: withPictures(mail.html, mail.images ?? []),
        files: content.files.map(({ name, bytes }) => ({ name, bytes: bytes.length })),
      };
    },
    sendReport: async ({ body, ...call }) => {
      const { caller } = call;
      if (!isTeam || caller.email === undefined)
        throw new ProblemError(
          'request-invalid',
          'Sending to yourself needs an account with an e-mail address.',
        );
      if (!parts.hasMail())
        throw new ProblemError(
          'request-invalid',
          'This server sends no mail. An admin sets a mail server in `belvedere.yaml`.',
        );
      const content = await drawn(body.text, call);
      await parts.deliver({
        ...content,
        kind: 'report',
        about: `report:to:${caller.userId}`,
        key: `report:send:${randomUUID()}`,
        to: [{ kind: 'user', userId: caller.userId }],
        requires: [],
      });
      return { to: caller.email };
    },
    runReport: async call => {
      const { params, caller } = call;
      const { report, summary } = await found(params.id, caller);
      if (!summary.isEditable) throw notYours();
      if (summary.state === 'invalid')
        throw new ProblemError('request-invalid', `The report has errors. Correct \`${report.file}\` first.`);
      if (summary.state === 'paused')
        throw new ProblemError('request-invalid', 'The report is paused. Resume it first.');
      const dueAt = now();
      await parts.runner.enqueue({
        kind: 'report',
        object: report.id,
        dueAt,
        key: `report:${report.id}:now:${dueAt}`,
      });
      await parts.note(call, 'report.run', `report ${report.id}`);
      return {};
    },
    pauseReports: async call => {
      const { body, caller } = call;
      const left: string[] = [];
      for (const id of new Set(body.ids)) {
        const report = workspace().reports.get(id);
        if (!report?.document || !mayEditReport(caller, report)) {
          left.push(id);
          continue;
        }
        await texts.setPaused(id, body.isPaused);
        await parts.note(call, body.isPaused ? 'report.pause' : 'report.resume', `report ${id}`);
      }
      return { left };
    },
    subscribe: async call => {
      const { params, body, caller, granted } = call;
      if (!isTeam || caller.email === undefined)
        throw new ProblemError(
          'request-invalid',
          'Subscriptions need accounts. Create a report for a channel instead.',
        );
      if (!isAtLeast(caller.role, furtherRules.subscribe.role))
        throw new ProblemError('not-allowed', 'Viewers cannot subscribe. Ask an editor for a report.');
      const dashboard = granted().dashboards.get(params.id);
      if (!dashboard?.document) throw notFound({ kind: 'dashboard', id: params.id });
      const { title, schedule, attach, pictures, filters, parameters, locale } = body;
      const document: ReportFile = {
        version: 1,
        title,
        owner: caller.email,
        dashboard: params.id,
        ...(Object.keys(filters).length > 0 && { filters }),
        ...(Object.keys(parameters).length > 0 && { parameters }),
        schedule,
        ...(attach.length > 0 && { attach: [...new Set(attach)] }),
        ...(!pictures && { pictures }),
        ...(locale !== undefined && { locale }),
        to: [{ user: caller.email }],
      };
      const id = await texts.create(document, caller.name, `${caller.name} subscribed`);
      await parts.note(call, 'report.subscribe', `report ${id}`, `dashboard ${params.id}`);
      return { id };
    },
    putSubscription: async call => {
      const { params, body, caller } = call;
      if (!isTeam) throw new ProblemError('request-invalid', 'Subscriptions need accounts.');
      const { report } = await found(params.id, caller);
      const documentId = await texts.documentId(report.id);
      if (body.isSubscribed) await records.resubscribe(documentId, caller.userId);
      else await records.unsubscribe(documentId, caller.userId, new Date(now()));
      const action = body.isSubscribed ? 'report.resubscribe' : 'report.unsubscribe';
      await parts.note(call, action, `report ${report.id}`);
      return {};
    },
    getDueTimes: ({ body }) => {
      const schedule = scheduleOf(body, workspace());
      const timezone = body.schedule.timezone ?? workspace().timezone;
      return { timezone, times: nextDueTimes(schedule, now(), shownTimes) };
    },
  };
}

const notYours = () => new ProblemError('not-allowed', 'Only the owner of a report and admins may do this.');

/** @throws ProblemError `document-invalid` with every error */
function readReport(text: string, granted: Workspace): ReportFile {
  const file = 'reports/preview.yaml';
  const read = readDocument('report', text, file);
  const problems = read.ok
    ? assembleReport('preview', { file, text, read, updated: '' }, granted).problems
    : read.problems;
  if (read.ok && problems.length === 0) return read.value;
  throw new ProblemError('document-invalid', `${problems[0]!.message} (line ${problems[0]!.line})`, {
    errors: problems.map(plainProblem),
  });
}

/** Returns a mail's HTML with its pictures in it. */
function withPictures(
  html: string,
  images: readonly { readonly cid: string; readonly png: Uint8Array }[],
): string {
  return images.reduce(
    (page, { cid, png }) =>
      page.replace(`cid:${cid}`, `data:image/png;base64,${Buffer.from(png).toString('base64')}`),
    html,
  );
}
