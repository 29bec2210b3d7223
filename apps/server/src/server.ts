import type { FileEngine } from '@belvedere/engine';
import type { FastifyInstance } from 'fastify';
import path from 'node:path';
import type { QueryService } from './queries/query-service.ts';
import { StreamCache } from './queries/cache/stream-cache.ts';
import { createServices, type Services } from './services/create-services.ts';
import { Sharing } from './access/sharing.ts';
import { signInNotices, unconfirmedNotices } from './services/open-sign-in.ts';
import { ServerCertificate } from './http/server-certificate.ts';
import { AuditFile } from './operations/audit-file.ts';
import { Comments } from './state/messages/comments.ts';
import { AccessRequests } from './state/sharing/access-requests.ts';
import { DashboardRecords } from './state/documents/dashboard-records.ts';
import { Grants } from './state/sharing/grants.ts';
import type { Discussion } from './access/comment-audience.ts';
import { Inbox } from './state/messages/inbox.ts';
import { NotificationChoices } from './state/messages/notification-choices.ts';
import { openBackup } from './backup/backup-route.ts';
import { followOtherServers } from './events/follow-other-servers.ts';
import { Presence } from './events/presence.ts';
import { openStateDatabase, type StateDatabase } from './state/database/state-database.ts';
import { Health } from './operations/health.ts';
import type { Housekeeping } from './operations/housekeeping.ts';
import { removePartialFiles, guardWrites } from './workspace/documents/create-file.ts';
import { SystemStatus } from './operations/system-status.ts';
import { logSourceFailures } from './workspace/sources/log-source-failures.ts';
import { RowAppender } from './workspace/sources/row-appender.ts';
import { UploadStore } from './workspace/sources/upload-store.ts';
import { DashboardStore } from './workspace/documents/dashboard-store.ts';
import { writeEditorSchemas } from './workspace/documents/editor-schemas.ts';
import { DocumentRepository } from './workspace/documents/document-repository.ts';
import { ScheduledDocumentStore } from './workspace/documents/scheduled-document-store.ts';
import { ModelStore } from './workspace/documents/model-store.ts';
import type { WorkspaceStore } from './workspace/workspace-store.ts';
import { buildApp } from './build-app.ts';
import { mailNotices, openBackgroundWork } from './services/open-background-work.ts';
import { openCallers, type Callers } from './services/open-callers.ts';
import { openGuard } from './services/open-guard.ts';
import { openHousekeeping } from './services/open-housekeeping.ts';
import { ServerAddress } from './http/server-address.ts';
import type { Deliveries } from './deliver/deliveries.ts';
import type { ServerOptions } from './server-options.ts';

export interface RunningServer {
  readonly address: string;
  readonly port: number;
  /** The address that signs in one browser; in team mode the server's own. */
  readonly openAddress: string;
  /** The code with which the first owner is created, while there is none. */
  readonly setupCode: string | undefined;
  readonly store: WorkspaceStore;
  readonly queries: QueryService;
  readonly streams: StreamCache;
  readonly engine: FileEngine;
  readonly app: FastifyInstance;
  readonly deliveries: Deliveries;
  /**
   * Messages for the user who starts it: a folder without write access, or a state database that was moved
   * aside.
   */
  readonly notices: readonly string[];
  /**
   * Resolves once another server has taken over the folder, with that server's name if known. Nothing is
   * written from then on.
   */
  readonly lost: Promise<string | undefined>;
  /** Opens the file of the audit log again, and reads the certificate again. */
  reopenFiles(): void;
  close(): Promise<void>;
}

/** Folders of documents, relative to the workspace. */
const documentFolders = ['alerts', 'dashboards', 'models', 'reports', 'sources', 'tables'];

/** The ways by which data arrives through the API. */
function openArrivals(store: WorkspaceStore) {
  const maxBytes = () => store.current.limits.uploadBytes;
  return {
    uploads: new UploadStore(store.folders, maxBytes, () => void store.readAnew().catch(() => {})),
    appender: new RowAppender(
      store.folders,
      () => store.current.tables,
      maxBytes,
      () => store.findTablesSoon(),
    ),
  };
}

/** Opens what decides who calls, the certificate and the file of the audit log. */
async function openAccess(
  options: ServerOptions,
  opened: Services,
  records: Parameters<typeof openCallers>[2],
  address: ServerAddress,
) {
  const callers = await openCallers(options, opened, records, () => address.port);
  const certificate = options.certificate && (await ServerCertificate.open(options.certificate));
  const auditFile = typeof options.auditLog === 'string' ? await AuditFile.open(options.auditLog) : undefined;
  callers.accounts?.audit.subscribe(entry => {
    if (typeof options.auditLog === 'function') options.auditLog(`${JSON.stringify(entry)}\n`);
    auditFile?.add(entry);
  });
  return { callers, certificate, auditFile };
}

/** The documents of the workspace. */
function openDocuments(store: WorkspaceStore, state: StateDatabase) {
  const texts = new DocumentRepository(store, state);
  return {
    texts,
    dashboards: new DashboardStore(store, texts, state),
    models: new ModelStore(store, texts),
    alerts: new ScheduledDocumentStore('alert', store, texts),
    reports: new ScheduledDocumentStore('report', store, texts),
  };
}

/** Removes files that an earlier process did not finish writing. */
async function removePartialDocuments({ root }: ServerOptions['location'], data: string): Promise<void> {
  for (const folder of documentFolders)
    await removePartialFiles(path.join(root, folder), { recursive: true });
  await removePartialFiles(data, { recursive: false });
}

/** What the operator should know once the server has started. */
function startNotices(
  { location, mail }: ServerOptions,
  { settings }: Services,
  { damage }: StateDatabase,
  { accounts, external }: Callers,
): string[] {
  return [
    location.notice,
    damage,
    ...(accounts ? signInNotices(settings, external) : mailNotices(mail, settings, external)),
    ...unconfirmedNotices(external),
  ].filter(notice => notice !== undefined);
}

/** Starts Belvedere on a folder. @throws WorkspaceLockedError if another process has it open */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const opened = await createServices(options.location, { isShared: options.mode === 'team' });
  const { engine, store, queries, hold } = opened;
  const stateLocation = { folder: options.location.state, url: options.location.stateUrl };
  const state = await openStateDatabase(stateLocation, hold.check).catch(async error => {
    await engine.close();
    await hold.release();
    throw error;
  });
  const endGuard = guardWrites(options.location.root, hold.check);
  const { uploads, appender } = openArrivals(store);
  const { texts, dashboards, models, alerts, reports } = openDocuments(store, state);
  const grants = new Grants(state, texts.ids);
  const discussion = openDiscussion(state);
  const streams = new StreamCache(queries.memory);
  const address = new ServerAddress(options.publicUrl);
  const { callers, certificate, auditFile } = await openAccess(
    options,
    opened,
    { state, grants, ids: texts.ids },
    address,
  ).catch(async (error: unknown) => {
    endGuard();
    await state.close();
    await engine.close();
    await hold.release();
    throw error;
  });
  const { clock, accounts, links, embedding, signIn, directory, external, sessions } = callers;
  const sharing = new Sharing(grants, directory, ({ kind, id }) =>
    kind === 'dashboard' ? dashboards.fileOf(id) : kind === 'model' ? models.fileOf(id) : undefined,
  );
  const records = accounts && new DashboardRecords(state);
  const accessRequests = accounts && {
    requests: new AccessRequests(state),
    settings: accounts.settings,
    directory,
    sharing,
  };
  const presence = new Presence();
  const guard = openGuard(callers, opened, address, presence);
  let housekeeping: Housekeeping | undefined;
  const health = new Health(store.folders, state.damage, () => ({
    'audit-log': auditFile?.problem,
    certificate: certificate?.problem,
    'clean-up': housekeeping?.problem,
  }));
  const status = new SystemStatus({
    version: options.version,
    mode: options.mode ?? 'local',
    health,
    store,
    queries,
    streams,
    engine,
    state,
    stateLocation,
    certificate,
    external,
  });
  const background = await openBackgroundWork({
    options,
    opened,
    state,
    callers,
    address,
    texts,
    dashboards,
    reports,
    discussion,
  });
  const { jobs, backups, delivering, alertChecks, scheduledReports } = background;
  const app = await buildApp(
    {
      ...callers,
      guard,
      certificate,
      health,
      status,
      streams,
      presence,
      store,
      queries,
      engine,
      dashboards,
      models,
      alerts,
      alertChecks,
      reports,
      uploads,
      appender,
      sharing,
      discussion,
      jobs,
      backups,
      delivering,
      scheduledReports,
      publicAddress: () => address.publicAddress,
      records,
      accessRequests,
    },
    options,
  );
  openBackup(app, background.backup);
  let endFollowing = () => {};
  const endBackground = async () => {
    endFollowing();
    await housekeeping?.close();
    await background.close();
  };
  try {
    await address.listen(app, options);
    await removePartialDocuments(options.location, store.folders.data);
    await dashboards.recover();
    if (options.location.state === path.join(options.location.root, '.belvedere'))
      await writeEditorSchemas(options.location.root);
    const endSourceLog = logSourceFailures(store);
    await appender.recover();
    await store.open();
    housekeeping = await openHousekeeping({
      clock,
      jobs,
      uploads,
      dashboards,
      accounts,
      links,
      records,
      accessRequests: accessRequests?.requests,
      inbox: discussion.inbox,
      alertStates: alertChecks.states,
      deliveries: delivering.deliveries,
      reports: scheduledReports.records,
    });
    await background.start();
    endFollowing = await followOtherServers({
      state,
      store,
      presence,
      directory,
      accounts,
      links,
      embedding,
      channels: delivering.channels,
      backups,
      runner: jobs.runner,
      mailServer: callers.mailServer,
      providers: signIn?.settings,
    });
    const { port, origin } = address;
    await hold.say(`${origin}/`);
    return {
      address: origin,
      port,
      openAddress: accounts
        ? (options.publicUrl ?? `${origin}/`)
        : `${origin}/open/${sessions.newStartToken()}`,
      setupCode: accounts?.setupCode,
      store,
      queries,
      streams,
      engine,
      app,
      deliveries: delivering.deliveries,
      notices: startNotices(options, opened, state, callers),
      lost: hold.lost,
      reopenFiles: () => {
        auditFile?.reopen();
        void certificate?.reload();
      },
      close: async () => {
        await endBackground();
        certificate?.close();
        await Promise.race([app.close(), new Promise(resolve => setTimeout(resolve, 5000).unref())]);
        scheduledReports.close();
        await texts.close();
        endSourceLog();
        await store.close();
        await sessions.settled();
        await accounts?.sessions.settled();
        await accounts?.tokens.settled();
        await signIn?.mail.settled();
        await auditFile?.close();
        await state.close();
        await streams.close();
        await engine.close();
        endGuard();
        await hold.release();
      },
    };
  } catch (error) {
    await endBackground();
    await engine.close();
    endGuard();
    await hold.release();
    throw error;
  }
}

const openDiscussion = (state: StateDatabase): Discussion => ({
  comments: new Comments(state),
  inbox: new Inbox(state),
  choices: new NotificationChoices(state),
});
