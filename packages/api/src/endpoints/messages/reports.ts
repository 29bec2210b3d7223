import { FilterDefault, ReportFile, ScheduleFile } from '@belvedere/document';
import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { recipientReasons, reportOutcomes, reportReasons } from '../../constants/report-reasons.ts';
import { routes } from '../../routes.ts';
import { stateBounds } from '../../address/state-bounds.ts';

const params = z.object({ id: z.string().min(1).max(300) });
const Text = z.string().max(100_000);

/** What a run of a report came to. */
export const ReportRun = z
  .object({
    /** When it was due. */
    due: z.string(),
    started: z.string(),
    ended: z.string(),
    outcome: z.enum(reportOutcomes),
    reason: z.enum(reportReasons).optional(),
    /** The message of an error. Only owners of the report and admins get it. */
    detail: z.string().optional(),
    /** How many users and channels it was sent to. */
    recipients: z.number(),
    /** Recipients who got nothing. */
    left: z.array(z.object({ recipient: z.string(), reason: z.enum(recipientReasons) })),
  })
  .meta({ id: 'ReportRun' });
export type ReportRun = z.infer<typeof ReportRun>;

export const ReportSummary = z
  .object({
    id: z.string(),
    title: z.string(),
    /** Absent if the caller may not see it. */
    dashboard: z.object({ id: z.string(), title: z.string() }).optional(),
    owner: z.object({ email: z.string(), name: z.string().optional() }).optional(),
    isOwn: z.boolean(),
    /** Whether the caller may change, pause and run it. */
    isEditable: z.boolean(),
    /** Absent if its text has errors. */
    schedule: ScheduleFile.optional(),
    /** The zone of its times. */
    timezone: z.string(),
    /** When it is due next. */
    next: z.string().optional(),
    state: z.enum(['scheduled', 'paused', 'stopped', 'failed', 'invalid']),
    lastRun: ReportRun.optional(),
    /** How many users, groups and channels its text names. */
    recipients: z.number(),
    /** Whether the caller is among its recipients. */
    isRecipient: z.boolean(),
    hasUnsubscribed: z.boolean(),
  })
  .meta({ id: 'ReportSummary' });
export type ReportSummary = z.infer<typeof ReportSummary>;

export const ReportDetail = ReportSummary.extend({
  description: z.string().optional(),
  /** Its next due times. */
  nextRuns: z.array(z.string()),
  /** The newest first. */
  history: z.array(ReportRun),
  problems: z.array(z.object({ line: z.number(), message: z.string() })),
  /** Empty for those who may not change the report. */
  to: z.array(z.string()),
  /** What is sent. Absent if its text has errors. */
  content: z
    .object({
      pictures: z.boolean(),
      attach: z.array(ReportFile.shape.attach.unwrap().element),
      /** Numbers of pages, from 1; absent for all. */
      pages: z.array(z.number()).optional(),
      /** Absent for the workspace's language. */
      locale: z.string().optional(),
    })
    .optional(),
  /** Under which filters, conditions and rights, for those who may change the report. */
  terms: z
    .object({
      filters: ReportFile.shape.filters,
      parameters: ReportFile.shape.parameters,
      onlyIf: ReportFile.shape.onlyIf,
      rows: z.enum(['recipient', 'owner']),
      /** The lists of recipients with filters of their own. */
      lists: z.array(z.object({ to: z.array(z.string()), filters: ReportFile.shape.filters })),
    })
    .optional(),
}).meta({ id: 'ReportDetail' });
export type ReportDetail = z.infer<typeof ReportDetail>;

/** A report's mail, as the caller would get it now. */
export const ReportPreview = z
  .object({
    subject: z.string(),
    /** A whole page, with its pictures as `data:` addresses. */
    html: z.string(),
    files: z.array(z.object({ name: z.string(), bytes: z.number() })),
  })
  .meta({ id: 'ReportPreview' });
export type ReportPreview = z.infer<typeof ReportPreview>;

/** What a user subscribes to. */
export const NewSubscription = z.strictObject({
  title: z.string().trim().min(1).max(200),
  schedule: ScheduleFile,
  attach: z.array(z.enum(['pdf', 'xlsx', 'csv'])).max(3),
  pictures: z.boolean(),
  /** Of the mails; the workspace's if absent. */
  locale: ReportFile.shape.locale,
  filters: z
    .record(z.string().min(1).max(63), FilterDefault)
    .refine(filters => Object.keys(filters).length <= 30, 'at most 30 filters'),
  parameters: z
    .record(
      z.string().max(stateBounds.parameterName),
      z.union([z.string().max(stateBounds.parameterText), z.number()]),
    )
    .refine(
      parameters => Object.keys(parameters).length <= stateBounds.parameters,
      `at most ${stateBounds.parameters} parameters`,
    ),
});
export type NewSubscription = z.infer<typeof NewSubscription>;

/** Endpoints of reports. Users find their own reports and those that they get; admins find all. */
export const reportEndpoints = {
  listReports: endpoint({
    ...routes.listReports,
    access: { on: 'self' },
    summary: 'List the reports that the caller owns or gets; admins get all',
    query: z.object({ dashboard: z.string().max(300).optional() }),
    response: z.object({ reports: z.array(ReportSummary) }),
  }),
  getReport: endpoint({
    ...routes.getReport,
    access: { on: 'self' },
    summary: 'Get a report with its next runs and its history',
    params,
    response: ReportDetail,
  }),
  previewReport: endpoint({
    ...routes.previewReport,
    access: { on: 'self' },
    summary: 'Draw the mail of a report’s text as the caller would get it now, without sending it',
    body: z.strictObject({ text: Text }),
    response: ReportPreview,
  }),
  sendReport: endpoint({
    ...routes.sendReport,
    access: { on: 'self' },
    summary: 'Send the mail of a report’s text to the caller, and to no one else',
    body: z.strictObject({ text: Text }),
    response: z.object({ to: z.string() }),
  }),
  runReport: endpoint({
    ...routes.runReport,
    access: { on: 'self' },
    summary: 'Run a report now and send it to its recipients; only its owner and admins may',
    params,
    response: z.object({}),
  }),
  pauseReports: endpoint({
    ...routes.pauseReports,
    access: { on: 'self' },
    summary: 'Pause reports or resume them; those that the caller may not change stay as they are',
    body: z.strictObject({ ids: z.array(z.string().max(300)).min(1).max(1000), isPaused: z.boolean() }),
    response: z.object({
      /** Reports that were not changed. */
      left: z.array(z.string()),
    }),
  }),
  subscribe: endpoint({
    ...routes.subscribe,
    access: { on: 'dashboard', level: 'view' },
    summary: 'Send a dashboard to the caller on a schedule: creates a report that the caller owns',
    params,
    body: NewSubscription,
    response: z.object({ id: z.string() }),
  }),
  putSubscription: endpoint({
    ...routes.putSubscription,
    access: { on: 'self' },
    summary: 'Unsubscribe the caller from a report, or subscribe again to one whose recipient they are',
    params,
    body: z.strictObject({ isSubscribed: z.boolean() }),
    response: z.object({}),
  }),
  getDueTimes: endpoint({
    ...routes.getDueTimes,
    access: { on: 'self' },
    summary: 'List the next due times of a schedule',
    body: z.strictObject({ schedule: ScheduleFile }),
    response: z.object({ timezone: z.string(), times: z.array(z.string()) }),
  }),
} as const;
