import { ProblemError } from '../../../http/problems.ts';
import { mayEditReport } from '../../../presenters/present-report.ts';
import type { Handlers } from '../../contract/mount-contract.ts';
import { findReport, type ReportRouteServices } from './report-route-services.ts';

/** Endpoints that run, pause and resume reports. */
export function reportRunRoutes(services: ReportRouteServices): Pick<Handlers, 'runReport' | 'pauseReports'> {
  const { texts, now } = services;
  return {
    runReport: async call => {
      const { params, caller } = call;
      const { report, summary } = await findReport(params.id, caller, services);
      if (!summary.isEditable) throw notYours();
      if (summary.state === 'invalid')
        throw new ProblemError('request-invalid', `The report has errors. Correct \`${report.file}\` first.`);
      if (summary.state === 'paused')
        throw new ProblemError('request-invalid', 'The report is paused. Resume it first.');
      const dueAt = now();
      await services.runner.enqueue({
        kind: 'report',
        object: report.id,
        dueAt,
        key: `report:${report.id}:now:${dueAt}`,
      });
      await services.note(call, 'report.run', `report ${report.id}`);
      return {};
    },

    pauseReports: async call => {
      const { body, caller } = call;
      const left: string[] = [];
      for (const id of new Set(body.ids)) {
        const report = services.workspace().reports.get(id);
        if (!report?.document || !mayEditReport(caller, report)) {
          left.push(id);
          continue;
        }
        await texts.setPaused(id, body.isPaused);
        await services.note(call, body.isPaused ? 'report.pause' : 'report.resume', `report ${id}`);
      }
      return { left };
    },
  };
}

const notYours = () => new ProblemError('not-allowed', 'Only the owner of a report and admins may do this.');
