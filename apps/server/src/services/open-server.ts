import type { Discussion } from '../access/comment-audience.ts';
import { Sharing } from '../access/sharing.ts';
import { openBackup } from '../backup/backup-route.ts';
import { buildApp } from '../build-app.ts';
import { Presence } from '../events/presence.ts';
import { ServerAddress } from '../http/server-address.ts';
import { ServerCertificate } from '../http/server-certificate.ts';
import { AuditFile } from '../operations/audit-file.ts';
import { Health } from '../operations/health.ts';
import type { Housekeeping } from '../operations/housekeeping.ts';
import { SystemStatus } from '../operations/system-status.ts';
import { StreamCache } from '../queries/cache/stream-cache.ts';
import type { ServerOptions } from '../server-options.ts';
import type { StateDatabase } from '../state/database/state-database.ts';
import { DashboardRecords } from '../state/documents/dashboard-records.ts';
import { Comments } from '../state/messages/comments.ts';
import { Inbox } from '../state/messages/inbox.ts';
import { NotificationChoices } from '../state/messages/notification-choices.ts';
import { AccessRequests } from '../state/sharing/access-requests.ts';
import { Grants } from '../state/sharing/grants.ts';
import { DashboardStore } from '../workspace/documents/dashboard-store.ts';
import { DocumentTrash } from '../workspace/documents/document-trash.ts';
import { DocumentRepository } from '../workspace/documents/document-repository.ts';
import { ModelStore } from '../workspace/documents/model-store.ts';
import { ScheduledDocumentStore } from '../workspace/documents/scheduled-document-store.ts';
import { RowAppender } from '../workspace/sources/row-appender.ts';
import { UploadStore } from '../workspace/sources/upload-store.ts';
import type { WorkspaceStore } from '../workspace/workspace-store.ts';
import type { Services } from './create-services.ts';
import { openBackgroundWork } from './open-background-work.ts';
import { openCallers } from './open-callers.ts';
import { openGuard } from './open-guard.ts';

/** The work beside requests, from when it has been started. */
export interface StartedWork {
  housekeeping: Housekeeping | undefined;
  endFollowing: () => void;
}

/** Everything that a server consists of, before it listens. */
export type OpenServer = Awaited<ReturnType<typeof openServer>>;

/**
 * Opens the documents, the callers, the work beside requests, and the app with its endpoints.
 * @param release called if it cannot be found out who calls
 */
export async function openServer(
  options: ServerOptions,
  opened: Services,
  state: StateDatabase,
  started: StartedWork,
  release: () => Promise<void>,
) {
  const { engine, store, queries } = opened;
  const arrivals = openArrivals(store);
  const documents = openDocuments(store, state);
  const { texts, dashboards, models, reports } = documents;
  const grants = new Grants(state, texts.ids);
  const discussion = openDiscussion(state);
  const streams = new StreamCache(queries.memory);
  const address = new ServerAddress(options.publicUrl);
  const access = await openAccess(options, opened, { state, grants, ids: texts.ids }, address).catch(
    async (error: unknown) => {
      await release();
      throw error;
    },
  );
  const { callers } = access;
  const { accounts, directory } = callers;
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
  const operations = openOperations(options, opened, state, { ...access, streams }, started);
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
  const app = await buildApp(
    {
      ...callers,
      ...operations,
      ...arrivals,
      ...documents,
      ...background,
      guard,
      certificate: access.certificate,
      streams,
      presence,
      store,
      queries,
      engine,
      sharing,
      discussion,
      publicAddress: () => address.publicAddress,
      records,
      accessRequests,
    },
    options,
  );
  openBackup(app, background.backup);
  return {
    ...access,
    ...arrivals,
    ...documents,
    app,
    address,
    streams,
    background,
    discussion,
    presence,
    records,
    accessRequests,
  };
}

/** The ways by which data arrives through the API. */
function openArrivals(store: WorkspaceStore) {
  const maxBytes = () => store.current.limits.uploadBytes;
  return {
    uploads: new UploadStore(store.folders, maxBytes, () => void store.reload().catch(() => {})),
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
    trash: new DocumentTrash(store, texts, state),
    dashboards: new DashboardStore(store, texts, state),
    models: new ModelStore(store, texts),
    alerts: new ScheduledDocumentStore('alert', store, texts),
    reports: new ScheduledDocumentStore('report', store, texts),
  };
}

/** Opens what administrators watch: the health of the server, and its status. */
function openOperations(
  options: ServerOptions,
  { engine, store, queries }: Services,
  state: StateDatabase,
  {
    callers,
    certificate,
    auditFile,
    streams,
  }: Awaited<ReturnType<typeof openAccess>> & { readonly streams: StreamCache },
  started: StartedWork,
) {
  const health = new Health(store.folders, state.damage, () => ({
    'audit-log': auditFile?.problem,
    certificate: certificate?.problem,
    'clean-up': started.housekeeping?.problem,
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
    stateLocation: stateLocationOf(options),
    certificate,
    external: callers.external,
  });
  return { health, status };
}

const openDiscussion = (state: StateDatabase): Discussion => ({
  comments: new Comments(state),
  inbox: new Inbox(state),
  choices: new NotificationChoices(state),
});

/** Returns where the state database is. */
export function stateLocationOf({ location }: ServerOptions) {
  return { folder: location.state, url: location.stateUrl };
}
