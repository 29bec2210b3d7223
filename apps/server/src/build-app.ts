import cookie from '@fastify/cookie';
import etag from '@fastify/etag';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import type { Caller } from './access/caller.ts';
import type { Directory } from './access/directory.ts';
import type { Sharing } from './access/sharing.ts';
import type { Accounts } from './auth/accounts/accounts.ts';
import type { Alerts } from './alerts/open-alerts.ts';
import { authenticateRequests, isStillAllowed, type Guard } from './auth/authenticate.ts';
import type { Embedding } from './auth/guests/embedding.ts';
import { noteCalls } from './auth/limits/note-calls.ts';
import type { PublicLinks } from './auth/guests/public-links.ts';
import type { Backups } from './backup/backups.ts';
import type { Services } from './services/create-services.ts';
import type { Presence } from './events/presence.ts';
import { FairScheduler } from './http/fair-scheduler.ts';
import type { Health } from './operations/health.ts';
import type { Jobs } from './jobs/open-jobs.ts';
import type { Reports } from './services/open-reports.ts';
import { securityHeaders } from './http/security-headers.ts';
import { createHttpApp } from './http/http-app.ts';
import { limits } from './limits.ts';
import { presentRecords } from './presenters/present-records.ts';
import { ProblemError } from './http/problems.ts';
import type { StreamCache } from './queries/cache/stream-cache.ts';
import { accessRequestRoutes, type AccessRequestParts } from './routes/sharing/access-requests.ts';
import { accessTokenRoutes } from './routes/accounts/access-tokens.ts';
import { accountRoutes } from './routes/accounts/accounts.ts';
import { alertRoutes } from './routes/messages/alerts.ts';
import { connectionRoutes } from './routes/administration/connections.ts';
import { backupRoutes } from './routes/administration/backups.ts';
import { channelRoutes, type DeliverParts } from './routes/messages/channels.ts';
import type { Discussion } from './access/comment-audience.ts';
import { commentRoutes } from './routes/messages/comments.ts';
import { dashboardRecordRoutes } from './routes/dashboards/dashboard-records.ts';
import { dashboardRoutes } from './routes/dashboards/dashboards.ts';
import { editingRoutes } from './routes/dashboards/editing.ts';
import { embedRoutes } from './routes/sharing/embed.ts';
import { eventNoteRoutes } from './routes/dashboards/event-notes.ts';
import { externalSettingRoutes } from './routes/administration/external-settings.ts';
import { exportRoutes } from './routes/dashboards/exports.ts';
import { inboxRoutes } from './routes/messages/inbox.ts';
import { jobRoutes } from './routes/administration/jobs.ts';
import { challengeBy, mountOAuth, oauthRoutes, type OAuthParts } from './routes/accounts/oauth.ts';
import { oembedRoutes } from './routes/sharing/oembed.ts';
import { linkRoutes } from './routes/sharing/links.ts';
import { meRoutes } from './routes/accounts/me.ts';
import { modelRoutes } from './routes/data/models.ts';
import { mountContract, type Handlers } from './routes/contract/mount-contract.ts';
import { openApiDocument } from './routes/contract/openapi.ts';
import { mountMcp } from './mcp/mcp-route.ts';
import { registerPages, readPages, scriptHashes } from './routes/pages.ts';
import { relationshipRoutes } from './routes/data/relationships.ts';
import { reportRoutes } from './routes/messages/reports.ts';
import { scheduledDocumentRoutes } from './routes/messages/scheduled-documents.ts';
import { sharedObject, sharingRoutes } from './routes/sharing/sharing.ts';
import { openCallback, signInRoutes, type SignInParts } from './routes/accounts/sign-in.ts';
import { sourceRoutes } from './routes/data/sources.ts';
import { sqlRoutes } from './routes/data/sql.ts';
import { systemRoutes } from './routes/administration/system.ts';
import { tableRoutes } from './routes/data/tables.ts';
import { twoFactorRoutes } from './routes/accounts/two-factor.ts';
import type { ServerCertificate } from './http/server-certificate.ts';
import type { ServerOptions } from './server-options.ts';
import { destroyStalled } from './http/stalled-responses.ts';
import type { DashboardRecords } from './state/documents/dashboard-records.ts';
import type { WallClock } from './state/database/wall-clock.ts';
import type { SystemStatus } from './operations/system-status.ts';
import type { DashboardStore } from './workspace/documents/dashboard-store.ts';
import type { DocumentText } from './workspace/documents/read-documents.ts';
import type { ModelStore } from './workspace/documents/model-store.ts';
import type { ScheduledDocumentStore } from './workspace/documents/scheduled-document-store.ts';
import type { RowAppender } from './workspace/sources/row-appender.ts';
import type { UploadStore } from './workspace/sources/upload-store.ts';
import type { MailServer } from './mail/mail-server.ts';
import type { ExternalSettings } from './workspace/external-settings.ts';
import { recipientNames, unknownRecipientsIn } from './workspace/unknown-recipients.ts';

/** About ten milliseconds of work. */
const requestsPerTurn = 24;

/** What the endpoints work with. Parts of team mode are undefined in local mode. */
export interface AppParts extends Pick<Services, 'store' | 'queries' | 'engine'> {
  readonly guard: Guard;
  readonly certificate: ServerCertificate | undefined;
  readonly clock: WallClock;
  readonly health: Health;
  readonly status: SystemStatus;
  readonly streams: StreamCache;
  readonly presence: Presence;
  readonly dashboards: DashboardStore;
  readonly models: ModelStore;
  readonly alerts: ScheduledDocumentStore<'alert'>;
  readonly alertChecks: Alerts;
  readonly reports: ScheduledDocumentStore<'report'>;
  readonly uploads: UploadStore;
  readonly appender: RowAppender;
  readonly directory: Directory;
  readonly sharing: Sharing;
  readonly jobs: Jobs;
  readonly backups: Backups;
  readonly delivering: DeliverParts;
  readonly scheduledReports: Reports;
  /** The address under which users reach the server. */
  readonly publicAddress: () => string;
  readonly discussion: Discussion;
  readonly accounts: Accounts | undefined;
  readonly signIn: SignInParts | undefined;
  readonly mailServer: MailServer;
  readonly oauth: OAuthParts | undefined;
  readonly links: PublicLinks | undefined;
  readonly embedding: Embedding | undefined;
  readonly records: DashboardRecords | undefined;
  readonly external: ExternalSettings;
  readonly accessRequests: AccessRequestParts | undefined;
}

/** Mounts the endpoints and pages. */
export async function buildApp(
  {
    guard,
    certificate,
    clock,
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
    directory,
    sharing,
    jobs,
    backups,
    delivering,
    scheduledReports,
    publicAddress,
    discussion,
    accounts,
    signIn,
    mailServer,
    oauth,
    links,
    embedding,
    records,
    external,
    accessRequests,
  }: AppParts,
  options: ServerOptions,
): Promise<FastifyInstance> {
  const app = createHttpApp(guard, options, certificate);
  const pages = readPages(options.pagesFolder);
  const scheduler = new FairScheduler(requestsPerTurn);
  app.addHook('onRequest', (request, reply, done) =>
    scheduler.take(request.headers.authorization ?? request.headers.cookie ?? request.ip, () => {
      destroyStalled(reply.raw);
      // Skips clients that have disconnected meanwhile.
      if (!request.raw.socket.destroyed) done();
    }),
  );
  await app.register(cookie);
  await app.register(helmet, securityHeaders(scriptHashes(pages), options.publicUrl));
  authenticateRequests(app, guard);
  // Responds with 304 to requests for unchanged content.
  await app.register(etag, { weak: true });
  await app.register(rateLimit, {
    max: limits.requestsPerMinute,
    timeWindow: 60_000,
    errorResponseBuilder: () => new ProblemError('rate-limited', 'Too many requests. Wait a few seconds.'),
  });
  await app.register(swagger, openApiDocument(options.version, guard));
  const note = noteCalls(accounts);
  const requireConfirmation = (caller: Caller) => accounts?.requireConfirmation(caller);
  const namedRecipients = () =>
    recipientNames(directory.users.values(), directory.groups.values(), delivering.channels.list());
  const unknownIn = (text: DocumentText<'alert'> | DocumentText<'report'> | undefined) =>
    text ? unknownRecipientsIn(text.file, text, namedRecipients()) : [];
  const { onAccessChange, onAnyAccessChange } = accessChanges({
    guard,
    store,
    directory,
    accounts,
    links,
    embedding,
  });
  const handlers: Handlers = {
    ...dashboardRoutes(
      store,
      dashboards,
      queries,
      presentRecords(records, () => store.current, directory, sharing, clock),
    ),
    ...editingRoutes(store, dashboards, sharing, records, note),
    ...meRoutes(dashboards, records, clock),
    ...accessRequestRoutes(accessRequests, store, dashboards, clock, note),
    ...dashboardRecordRoutes(records, store, dashboards, directory, clock, note),
    ...eventNoteRoutes(store, dashboards),
    ...commentRoutes(store, dashboards, discussion, directory, note, accounts?.settings),
    ...inboxRoutes(discussion, directory, accounts?.settings, () => signIn?.mail.isOn === true),
    ...sharingRoutes(store, sharing, note, directory, guard.isTeam),
    ...accountRoutes(
      accounts,
      () => store.current.title,
      signIn,
      (share, call) => sharing.promise(sharedObject(share, call, store.current), share.level),
    ),
    ...signInRoutes(signIn),
    ...accessTokenRoutes(accounts, note),
    ...oauthRoutes(oauth, note),
    ...linkRoutes(links, store, dashboards, note, requireConfirmation),
    ...oembedRoutes(links, embedding),
    ...embedRoutes(embedding, store, dashboards, note, requireConfirmation),
    ...twoFactorRoutes(accounts, () => store.current.title),
    ...exportRoutes(store, dashboards, queries, options.pagesFolder, note),
    ...modelRoutes(store, models, queries, sharing),
    ...tableRoutes(
      store,
      queries,
      uploads,
      appender,
      options.addSample && (() => options.addSample!(options.location)),
    ),
    ...sourceRoutes(store, note, requireConfirmation),
    ...sqlRoutes(store, queries, note),
    ...externalSettingRoutes(external, note, requireConfirmation),
    ...relationshipRoutes(store),
    ...backupRoutes(backups, note, requireConfirmation),
    ...connectionRoutes({
      mailServer,
      signIn,
      note,
      requireConfirmation,
      address: publicAddress,
      workspace: () => ({ title: store.current.title, locale: store.current.settings.locale }),
    }),
    ...jobRoutes(jobs, delivering.deliveries.records, () => store.current, note),
    ...channelRoutes(delivering, directory, guard.isTeam, note, requireConfirmation),
    ...reportRoutes({
      ...scheduledReports,
      runner: jobs.runner,
      note,
      hasMail: () => signIn?.mail.isOn === true,
      address: publicAddress,
      unknownRecipients: id => unknownIn(store.documents.reports.get(id)),
    }),
    ...scheduledDocumentRoutes(store, alerts, reports, note, guard.isTeam),
    ...alertRoutes({
      store,
      texts: alerts,
      ids: dashboards.texts.ids,
      alerts: alertChecks,
      scheduler: jobs.scheduler,
      queries,
      directory,
      clock,
      note,
      deliveries: delivering.deliveries.records,
      choices: discussion.choices,
      unknownRecipients: id => unknownIn(store.documents.alerts.get(id)),
    }),
    ...systemRoutes(store, queries, presence, status, note, {
      version: options.version,
      isSample: options.location.isSample,
      mode: options.mode ?? 'local',
      people: () => [
        ...[...directory.users.values()].filter(user => !user.isDisabled).map(({ email }) => email),
        ...store.current.people.keys(),
      ],
      recipients: namedRecipients,
      onAccessChange,
      callerNow: guard.identify,
    }),
  };
  mountContract(app, streams, () => store.current, handlers, {
    streamQueue: queries.streamQueue,
    onAccessChange: onAnyAccessChange,
    isStillAllowed: (request, name, begin, require) => isStillAllowed(request, name, begin, require, guard),
  });
  await mountSignIn(app, options.version, guard, { signIn, oauth });
  await registerPages(app, {
    guard,
    store,
    queries,
    engine,
    pages,
    health,
    jobs,
    deliveries: delivering.deliveries.records,
    embeddedIn: () => (embedding?.isOn ? embedding.origins : []),
  });
  return app;
}

/** Subscriptions to changes of what users may see; `onAnyAccessChange` is also about guests, and about files. */
function accessChanges({
  guard,
  store,
  directory,
  accounts,
  links,
  embedding,
}: Pick<AppParts, 'guard' | 'store' | 'directory' | 'accounts' | 'links' | 'embedding'>) {
  const onAccessChange = (listener: () => void) => {
    const ends = [
      directory.subscribe(listener),
      accounts?.sessions.subscribe(listener),
      accounts?.tokens.subscribe(listener),
    ];
    return () => {
      for (const end of ends) end?.();
    };
  };
  const onAnyAccessChange = (listener: () => void) => {
    const ends = [
      onAccessChange(listener),
      links?.subscribe(listener),
      embedding?.subscribe(listener),
      // Files declare grants and row policies, too.
      guard.isTeam ? store.subscribe(({ kind }) => void (kind === 'workspace' && listener())) : undefined,
    ];
    return () => {
      for (const end of ends) end?.();
    };
  };
  return { onAccessChange, onAnyAccessChange };
}

/** Mounts the addresses outside the contract by which users come back from providers, and those of assistants. */
async function mountSignIn(
  app: FastifyInstance,
  version: string,
  guard: Guard,
  { signIn, oauth }: Pick<AppParts, 'signIn' | 'oauth'>,
): Promise<void> {
  openCallback(app, signIn);
  mountMcp(app, version, guard, challengeBy(oauth));
  await mountOAuth(app, oauth);
}
