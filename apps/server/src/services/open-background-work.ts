import type { WorkspaceFile } from '@belvedere/document';
import { openAlerts } from '../alerts/open-alerts.ts';
import { Backups } from '../backup/backups.ts';
import type { Services } from './create-services.ts';
import { ExportWriter } from '../exports/formats/export-writer.ts';
import { openJobs } from '../jobs/open-jobs.ts';
import { CommentDigest } from '../mail/comment-digest.ts';
import type { Callers } from './open-callers.ts';
import { openDeliveries } from './open-deliveries.ts';
import { openReports } from './open-reports.ts';
import type { ServerAddress } from '../http/server-address.ts';
import type { ServerOptions } from '../server-options.ts';
import { AlertStates } from '../state/messages/alert-states.ts';
import type { Discussion } from '../access/comment-audience.ts';
import { BackupSettings } from '../state/administration/backup-settings.ts';
import type { StateDatabase } from '../state/database/state-database.ts';
import type { DashboardStore } from '../workspace/documents/dashboard-store.ts';
import type { DocumentRepository } from '../workspace/documents/document-repository.ts';
import type { ScheduledDocumentStore } from '../workspace/documents/scheduled-document-store.ts';
import type { ExternalSettings } from '../workspace/external-settings.ts';
import { copyExtractsByJobs } from '../workspace/sources/extract-job.ts';

interface Parts {
  readonly options: ServerOptions;
  readonly opened: Services;
  readonly state: StateDatabase;
  readonly callers: Callers;
  readonly address: ServerAddress;
  readonly texts: DocumentRepository;
  readonly dashboards: DashboardStore;
  readonly reports: ScheduledDocumentStore<'report'>;
  readonly discussion: Pick<Discussion, 'inbox' | 'choices'>;
}

/**
 * Opens what runs without a request: jobs, deliveries, alerts, reports, backups and the mail about comments.
 * Nothing runs before it is started.
 */
export async function openBackgroundWork(parts: Parts) {
  const { options, opened, state, callers, address, texts, dashboards, reports } = parts;
  const { inbox, choices } = parts.discussion;
  const { store, queries } = opened;
  const { clock, accounts, directory } = callers;
  const jobs = openJobs({ state, clock, isAlone: options.location.stateUrl === undefined });
  const digest = callers.signIn
    ? new CommentDigest({
        inbox,
        directory,
        mail: callers.signIn.mail,
        clock,
        workspace: () => store.current,
        runner: jobs.runner,
      })
    : undefined;
  const backup = {
    location: options.location,
    program: options.version,
    betweenSaves: <T>(work: () => Promise<T>) => texts.inTurn(work),
  };
  const backups = new Backups({
    writing: backup,
    fixed: options.backups,
    settings: new BackupSettings(state),
    jobs,
    clock,
    store,
  });
  copyExtractsByJobs(store.extracts, jobs.runner, clock);
  const delivering = await openDeliveries({
    state,
    location: options.location,
    clock,
    runner: jobs.runner,
    directory,
    settings: accounts?.settings,
    mailer: callers.mailers.forMessages,
    allowed: callers.allowedHosts,
    external: callers.external,
    file: opened.settings,
    address: () => address.publicAddress,
    workspace: () => store.current,
  });
  const alertChecks = openAlerts({
    store,
    queries,
    directory,
    states: new AlertStates(state),
    ids: texts.ids,
    runner: jobs.runner,
    scheduler: jobs.scheduler,
    deliveries: delivering.deliveries,
    // Its own, so that alerts never delay the exports of users.
    writer: new ExportWriter(1),
    clock,
    isTeam: accounts !== undefined,
    choices,
  });
  const scheduledReports = openReports({
    store,
    queries,
    state,
    clock,
    jobs,
    deliveries: delivering.deliveries,
    directory,
    isTeam: accounts !== undefined,
    dashboards,
    documents: reports,
    pagesFolder: options.pagesFolder,
  });
  const start = async () => {
    await alertChecks.start();
    await backups.start();
    await jobs.start();
    digest?.start();
  };
  const close = async () => {
    await digest?.close();
    await alertChecks.close();
    backups.close();
    await jobs.close();
  };
  return { jobs, backup, backups, delivering, alertChecks, scheduledReports, start, close };
}

/** Says through which server of `belvedere.yaml` channels get mail in local mode. */
export function mailNotices(
  options: ServerOptions['mail'],
  settings: WorkspaceFile | undefined,
  external: ExternalSettings,
): string[] {
  const server = options?.smtpUrl ? undefined : settings?.mail?.server;
  return server !== undefined && external.isUsable('mail-server')
    ? [`Mail to channels is sent through ${server}, as belvedere.yaml says.`]
    : [];
}
