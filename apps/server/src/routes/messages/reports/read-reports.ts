import { nextDueTimes, reportDetail, reportSummary, scheduleOf } from '../../../presenters/present-report.ts';
import type { Handlers } from '../../contract/mount-contract.ts';
import { reportContextFor, findReport, type ReportRouteServices } from './report-route-services.ts';

const shownRuns = 50;
const shownTimes = 5;

/** Endpoints that list and show reports, and when they are due. */
export function reportReadingRoutes(
  services: ReportRouteServices,
): Pick<Handlers, 'listReports' | 'getReport' | 'getDueTimes'> {
  const { records, texts, now } = services;
  return {
    listReports: async ({ query, caller }) => {
      const around = await reportContextFor(caller, services);
      const reports = [...services.workspace().reports.values()]
        .filter(({ document }) => query.dashboard === undefined || document?.dashboard === query.dashboard)
        .flatMap(report => reportSummary(report, caller, around(report)) ?? [])
        .toSorted((a, b) => a.title.localeCompare(b.title));
      return { reports };
    },

    getReport: async ({ params, caller }) => {
      const { report, summary, around } = await findReport(params.id, caller, services);
      const history = await records.history(await texts.documentId(report.id), shownRuns);
      const unknown = summary.isEditable ? services.unknownRecipients(report.id) : [];
      return reportDetail(summary, report, history, { ...around, unknown });
    },

    getDueTimes: ({ body }) => {
      const schedule = scheduleOf(body, services.workspace());
      const timezone = body.schedule.timezone ?? services.workspace().timezone;
      return { timezone, times: nextDueTimes(schedule, now(), shownTimes) };
    },
  };
}
