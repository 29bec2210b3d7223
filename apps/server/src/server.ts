import type { WorkspaceFile } from '@belvedere/document';
import type { FileEngine } from '@belvedere/engine';
import type { FastifyInstance } from 'fastify';
import path from 'node:path';
import type { QueryService } from './queries/query-service.ts';
import { StreamCache } from './queries/stream-cache.ts';
import { createServices } from './create-services.ts';
import { testUser } from './access/caller.ts';
import { Sharing } from './access/sharing.ts';
import { identifyBy } from './auth/identify.ts';
import type { Guard } from './auth/authenticate.ts';
import { noteRefusals } from './auth/note-refusals.ts';
import { RateLimits, ratesOf } from './auth/rate-limits.ts';
import { CommentDigest } from './mail/comment-digest.ts';
import { signInNotices } from './open-sign-in.ts';
import { ServerCertificate } from './server-certificate.ts';
import { AuditFile } from './audit-file.ts';
import { Comments } from './state/comments.ts';
import { AccessRequests } from './state/access-requests.ts';
import { DashboardRecords } from './state/dashboard-records.ts';
import { Grants } from './state/grants.ts';
import { Inbox } from './state/inbox.ts';
import { backupJob } from './backup/backup-job.ts';
import { openBackup } from './backup/backup-route.ts';
import { followOtherServers } from './events/follow-other-servers.ts';
import { Presence } from './events/presence.ts';
import { openStateDatabase } from './state/state-database.ts';
import { Health } from './health.ts';
import type { Housekeeping } from './housekeeping.ts';
import { removePartialFiles, guardWrites } from './workspace/documents/create-file.ts';
import { SystemStatus } from './system-status.ts';
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
import { openCallers } from './open-callers.ts';
import { openDeliveries } from './open-deliveries.ts';
import { openHousekeeping } from './open-housekeeping.ts';
import { openReports } from './open-reports.ts';
import { openJobs } from './jobs/open-jobs.ts';
import { copyExtractsByJobs } from './workspace/sources/extract-job.ts';
import { openAlerts } from './alerts/open-alerts.ts';
import { ExportWriter } from './exports/export-writer.ts';
import { AlertStates } from './state/alert-states.ts';
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

const portsTried = 50;
/** Folders of documents, relative to the workspace. */
const documentFolders = ['alerts', 'dashboards', 'models', 'reports', 'sources', 'tables'];

/** The ways by which data arrives through the API. */
function openArrivals(store: WorkspaceStore) {
  const mostBytes = () => store.current.limits.uploadBytes;
  return {
    uploads: new UploadStore(store.folders, mostBytes, () => void store.readAnew().catch(() => {})),
    appender: new RowAppender(
      store.folders,
      () => store.current.tables,
      mostBytes,
      () => store.findTablesSoon(),
    ),
  };
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
  const texts = new DocumentRepository(store, state);
  const dashboards = new DashboardStore(store, texts, state);
  const models = new ModelStore(store, texts);
  const alerts = new ScheduledDocumentStore('alert', store, texts);
  const reports = new ScheduledDocumentStore('report', store, texts);
  const grants = new Grants(state, texts.ids);
  const discussion = { comments: new Comments(state), inbox: new Inbox(state) };
  const streams = new StreamCache(queries.memory);
  let listening = 0;
  const publicAddress = () => options.publicUrl ?? `http://127.0.0.1:${listening}`;
  const prepare = async () => {
    const callers = await openCallers(options, opened, { state, grants, ids: texts.ids }, () => listening);
    const certificate = options.certificate && (await ServerCertificate.open(options.certificate));
    const auditFile =
      typeof options.auditLog === 'string' ? await AuditFile.open(options.auditLog) : undefined;
    callers.accounts?.audit.subscribe(entry => {
      if (typeof options.auditLog === 'function') options.auditLog(`${JSON.stringify(entry)}\n`);
      auditFile?.add(entry);
    });
    return { callers, certificate, auditFile };
  };
  const { callers, certificate, auditFile } = await prepare().catch(async (error: unknown) => {
    endGuard();
    await state.close();
    await engine.close();
    await hold.release();
    throw error;
  });
  const { clock, accounts, links, embedding, signIn, directory, sessions, metrics, openingSecret } = callers;
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
  let hosts: ReadonlySet<string> = new Set();
  let cookieName = 'belvedere';
  const presence = new Presence();
  const identify = identifyBy({
    accounts,
    links,
    embedding,
    directory,
    sessions,
    cookieName: () => cookieName,
    workspace: () => store.current,
  });
  const guard: Guard = {
    sessions,
    metricsToken: metrics.token,
    openSecret: openingSecret,
    hosts: () => hosts,
    workspace: () => store.current,
    identify,
    isOthersWindow: (window, caller) => presence.isOthers(window, caller.userId),
    isTeam: accounts !== undefined,
    rateLimits: accounts && new RateLimits(ratesOf(opened.limits)),
    noteRefusal:
      accounts && noteRefusals({ audit: accounts.audit, identify, elapsed: () => clock.elapsed() }),
    viewedAs: name => {
      const rows = store.current.people.get(name);
      if (rows) return testUser(name, rows);
      const user = accounts?.people.findByEmail(name);
      const caller = user && directory.callerOf(user.id, store.current);
      return caller && { ...caller, viewingAs: name };
    },
    get cookieName() {
      return cookieName;
    },
  };
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
  });
  const digest =
    signIn?.mail.isOn === true
      ? new CommentDigest({
          inbox: discussion.inbox,
          directory,
          mail: signIn.mail,
          clock,
          workspace: () => store.current,
        })
      : undefined;
  const jobs = openJobs({ state, clock, isAlone: options.location.stateUrl === undefined });
  const backup = {
    location: options.location,
    program: options.version,
    betweenSaves: <T>(work: () => Promise<T>) => texts.inTurn(work),
  };
  if (options.backups) jobs.runner.register(backupJob(backup, options.backups));
  copyExtractsByJobs(store.extracts, jobs.runner, clock);
  const delivering = await openDeliveries({
    state,
    location: options.location,
    clock,
    runner: jobs.runner,
    directory,
    settings: accounts?.settings,
    mailer: callers.mailers?.forMessages,
    mailServer: accounts ? undefined : mailServerOfFile(options.mail, opened.settings),
    file: opened.settings,
    address: publicAddress,
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
      delivering,
      scheduledReports,
      publicAddress,
      records,
      accessRequests,
    },
    options,
  );
  openBackup(app, backup);
  let endFollowing = () => {};
  try {
    const port = await listen(app, options);
    listening = port;
    hosts = new Set([
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      `[::1]:${port}`,
      ...(options.publicUrl === undefined ? [] : [new URL(options.publicUrl).host]),
    ]);
    // Cookies ignore ports: without the port in the name, two instances on one machine would sign each other
    // out.
    cookieName = `belvedere-${port}`;
    for (const folder of documentFolders)
      await removePartialFiles(path.join(options.location.root, folder), { recursive: true });
    await removePartialFiles(store.folders.data, { recursive: false });
    await dashboards.recover();
    if (options.location.state === path.join(options.location.root, '.belvedere'))
      await writeEditorSchemas(options.location.root);
    const endSourceLog = logSourceFailures(store);
    await appender.recover();
    await store.open();
    await alertChecks.start();
    if (options.backups)
      await jobs.scheduler.setSchedules('backup', [
        {
          object: 'workspace',
          schedule: { kind: 'calendar', pattern: { at: options.backups.at }, zone: store.current.timezone },
        },
      ]);
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
    await jobs.start();
    endFollowing = await followOtherServers({
      state,
      store,
      presence,
      directory,
      accounts,
      links,
      embedding,
      channels: delivering.channels,
      runner: jobs.runner,
    });
    digest?.start();
    const address = `http${certificate ? 's' : ''}://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`;
    await hold.say(`${address}/`);
    return {
      address,
      port,
      openAddress: accounts
        ? (options.publicUrl ?? `${address}/`)
        : `${address}/open/${sessions.newStartToken()}`,
      setupCode: accounts?.setupCode,
      store,
      queries,
      streams,
      engine,
      app,
      deliveries: delivering.deliveries,
      notices: [
        options.location.notice,
        state.damage,
        ...(accounts ? signInNotices(opened.settings) : mailNotices(options.mail, opened.settings)),
      ].filter(notice => notice !== undefined),
      lost: hold.lost,
      reopenFiles: () => {
        auditFile?.reopen();
        void certificate?.reload();
      },
      close: async () => {
        endFollowing();
        await housekeeping?.close();
        await digest?.close();
        await alertChecks.close();
        await jobs.close();
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
    endFollowing();
    await housekeeping?.close();
    await digest?.close();
    await alertChecks.close();
    await jobs.close();
    await engine.close();
    endGuard();
    await hold.release();
    throw error;
  }
}

/** Says who gets mail in local mode: a file that came with a workspace may name a server of others. */
function mailNotices(options: ServerOptions['mail'], settings: WorkspaceFile | undefined): string[] {
  const server = mailServerOfFile(options, settings);
  return server === undefined ? [] : [`Mail to channels is sent through ${server}, as belvedere.yaml says.`];
}

/** Returns the mail server of `belvedere.yaml`, unless the command line or the environment gives another. */
function mailServerOfFile(
  options: ServerOptions['mail'],
  settings: WorkspaceFile | undefined,
): string | undefined {
  return options?.smtpUrl ? undefined : settings?.mail?.server;
}

async function listen(app: FastifyInstance, { host, port, movesOn }: ServerOptions): Promise<number> {
  for (let tried = port; ; tried++) {
    try {
      await app.listen({ host, port: tried });
      return (app.server.address() as { port: number }).port;
    } catch (error) {
      const isBusy = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!isBusy || !movesOn || tried - port >= portsTried) throw error;
    }
  }
}
