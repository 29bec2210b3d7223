import type { Directory } from '../access/directory.ts';
import type { Services } from './create-services.ts';
import type { Deliveries } from '../deliver/deliveries.ts';
import { ExportWriter } from '../exports/formats/export-writer.ts';
import type { Jobs } from '../jobs/open-jobs.ts';
import { scheduleOf } from '../presenters/present-report.ts';
import { reportJobs, type ReportJobServices } from '../reports/report-job.ts';
import { ReportStore } from '../reports/report-store.ts';
import { ReportRecords } from '../state/messages/report-records.ts';
import type { StateDatabase } from '../state/database/state-database.ts';
import type { WallClock } from '../state/database/wall-clock.ts';
import type { DashboardStore } from '../workspace/documents/dashboard-store.ts';
import type { ScheduledDocumentStore } from '../workspace/documents/scheduled-document-store.ts';

interface Options extends Pick<Services, 'store' | 'queries'> {
  readonly state: StateDatabase;
  readonly clock: WallClock;
  readonly jobs: Jobs;
  readonly deliveries: Deliveries;
  readonly directory: Directory;
  readonly isTeam: boolean;
  readonly dashboards: DashboardStore;
  readonly documents: ScheduledDocumentStore<'report'>;
  readonly pagesFolder: string;
}

/** The reports of a server. */
export interface Reports extends ReportJobServices {
  readonly texts: ReportStore;
  /** Ends following the workspace's schedules. */
  readonly close: () => void;
}

/** Registers the jobs that run reports, and keeps their schedules in step with the workspace. */
export function openReports(options: Options): Reports {
  const { store, queries, state, clock, jobs, deliveries, directory, isTeam, dashboards } = options;
  const records = new ReportRecords(state);
  const texts = new ReportStore(store, options.documents);
  const parts: ReportJobServices = {
    workspace: () => store.current,
    root: store.folders.root,
    pagesFolder: options.pagesFolder,
    queries,
    directory,
    isTeam,
    // Its own, so that reports never delay the exports of users, and leave them a processor.
    writer: new ExportWriter(1),
    notesOf: id => dashboards.notesOf(id),
    now: () => clock.wall(),
    unsubscribed: async id => records.unsubscribed(await texts.documentId(id)),
    state,
    records,
    documentId: ({ id }) => texts.documentId(id),
    deliver: message => deliveries.add(message),
  };
  jobs.runner.register(reportJobs(parts));
  let followed: string | undefined;
  const follow = () => {
    const { current } = store;
    const all = [...current.reports.values()].flatMap(({ id, document, problems }) =>
      document && problems.length === 0 && !document.paused
        ? [{ object: id, schedule: scheduleOf(document, current) }]
        : [],
    );
    const text = JSON.stringify(all);
    if (text === followed) return;
    followed = text;
    jobs.scheduler.setSchedules('report', all).catch(() => {
      followed = undefined;
    });
  };
  const close = store.subscribe(event => event.kind === 'workspace' && follow());
  return { ...parts, texts, close };
}
