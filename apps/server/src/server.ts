import cookie from '@fastify/cookie';
import etag from '@fastify/etag';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import swagger from '@fastify/swagger';
import type { FileEngine } from '@belvedere/engine';
import type { FastifyInstance } from 'fastify';
import path from 'node:path';
import type { QueryService } from './queries/query-service.ts';
import { StreamCache } from './queries/stream-cache.ts';
import { createServices, type Services } from './create-services.ts';
import { testUser } from './access/caller.ts';
import { Directory } from './access/directory.ts';
import { Sharing } from './access/sharing.ts';
import type { Accounts } from './auth/accounts.ts';
import { noteCalls } from './auth/note-calls.ts';
import { Embedding } from './auth/embedding.ts';
import { identifyBy } from './auth/identify.ts';
import { PublicLinks } from './auth/public-links.ts';
import { storedSecret } from './auth/stored-secret.ts';
import { openAccounts } from './auth/open-accounts.ts';
import { authenticateRequests, type Guard } from './auth/authenticate.ts';
import { RateLimits, ratesOf } from './auth/rate-limits.ts';
import { SessionStore } from './auth/session-store.ts';
import { metricsToken } from './auth/metrics-token.ts';
import { openSecret } from './auth/sign-in-address.ts';
import { destroyStalled } from './stalled-responses.ts';
import { limits } from './limits.ts';
import { CommentDigest } from './mail/comment-digest.ts';
import type { MailOptions } from './mail/mail-settings.ts';
import { openDeliveries } from './open-deliveries.ts';
import { openJobs } from './jobs/open-jobs.ts';
import { openMailers } from './mail/open-mailer.ts';
import { openSignIn, signInNotices } from './open-sign-in.ts';
import { createHttpApp } from './http-app.ts';
import { ServerCertificate, type CertificateFiles } from './server-certificate.ts';
import { AuditFile } from './audit-file.ts';
import { ProblemError } from './problems.ts';
import { openApiDocument } from './routes/openapi.ts';
import { accessRequestRoutes, type AccessRequestParts } from './routes/access-requests.ts';
import { accessTokenRoutes } from './routes/access-tokens.ts';
import { accountRoutes } from './routes/accounts.ts';
import { dashboardRecordRoutes } from './routes/dashboard-records.ts';
import { dashboardRoutes } from './routes/dashboards.ts';
import { editingRoutes } from './routes/editing.ts';
import { channelRoutes, type DeliverParts } from './routes/channels.ts';
import { commentRoutes } from './routes/comments.ts';
import { exportRoutes } from './routes/exports.ts';
import { meRoutes } from './routes/me.ts';
import { embedRoutes } from './routes/embed.ts';
import { eventNoteRoutes } from './routes/event-notes.ts';
import { linkRoutes } from './routes/links.ts';
import { modelRoutes } from './routes/models.ts';
import { mountContract } from './routes/mount-contract.ts';
import { openPages, readPages, scriptHashes } from './routes/pages.ts';
import { sharingRoutes } from './routes/sharing.ts';
import { openCallback, signInRoutes, type SignInParts } from './routes/sign-in.ts';
import { sourceRoutes } from './routes/sources.ts';
import { systemRoutes } from './routes/system.ts';
import { Comments } from './state/comments.ts';
import { AccessRequests } from './state/access-requests.ts';
import { DashboardRecords } from './state/dashboard-records.ts';
import { Grants } from './state/grants.ts';
import { Inbox } from './state/inbox.ts';
import { presentRecords } from './presenters/present-records.ts';
import { Presence } from './events/presence.ts';
import { openStateDatabase } from './state/state-database.ts';
import { FairScheduler } from './fair-scheduler.ts';
import { tableRoutes } from './routes/tables.ts';
import { twoFactorRoutes } from './routes/two-factor.ts';
import { WallClock } from './state/wall-clock.ts';
import { Health } from './health.ts';
import { Housekeeping } from './housekeeping.ts';
import { removePartialFiles, guardWrites } from './workspace/documents/create-file.ts';
import { SystemStatus } from './system-status.ts';
import { UploadStore } from './workspace/sources/upload-store.ts';
import { DashboardStore } from './workspace/documents/dashboard-store.ts';
import { writeEditorSchemas } from './workspace/documents/editor-schemas.ts';
import { DocumentRepository } from './workspace/documents/document-repository.ts';
import { ModelStore } from './workspace/documents/model-store.ts';
import type { ResolvedWorkspace } from './workspace/resolve-workspace.ts';
import type { WorkspaceStore } from './workspace/workspace-store.ts';

export interface ServerOptions {
  readonly location: ResolvedWorkspace;
  /** `local`: one person on this machine. `team`: users with accounts. */
  readonly mode?: 'local' | 'team';
  /** The address under which users reach the server, if it is not this machine's own. */
  readonly publicUrl?: string | undefined;
  /** The mail server and sender; they take precedence over those of `belvedere.yaml`. */
  readonly mail?: MailOptions | undefined;
  /** Addresses of proxies, whose `x-forwarded-for` names the client. */
  readonly trustedProxies?: readonly string[];
  /** The server's own certificate; absent behind a proxy that has one. */
  readonly certificate?: CertificateFiles | undefined;
  /** Where the audit log is written as JSON lines, too: a file, or what gets each line. */
  readonly auditLog?: string | ((line: string) => void) | undefined;
  readonly host: string;
  readonly port: number;
  /** Uses the next free port if this one is busy. */
  readonly movesOn: boolean;
  readonly version: string;
  readonly pagesFolder: string;
  /** Copies the sample's files into a workspace, without replacing any. */
  readonly addSample?: (location: ResolvedWorkspace) => Promise<void>;
}

export interface RunningServer {
  readonly address: string;
  readonly port: number;
  /** The address that signs in one browser; in team mode the server's own. */
  readonly openAddress: string;
  /** The code with which the first owner is created, while there is none. */
  readonly setupCode: string | undefined;
  readonly store: WorkspaceStore;
  readonly answers: QueryService;
  readonly streams: StreamCache;
  readonly engine: FileEngine;
  readonly app: FastifyInstance;
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
/** About ten milliseconds of work. */
const requestsPerTurn = 24;

/** Starts Belvedere on a folder. @throws WorkspaceLockedError if another process has it open */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const opened = await createServices(options.location, { isShared: options.mode === 'team' });
  const { engine, store, answers, hold } = opened;
  const stateLocation = { folder: options.location.state, url: options.location.stateUrl };
  const state = await openStateDatabase(stateLocation, hold.check).catch(async error => {
    await engine.close();
    await hold.release();
    throw error;
  });
  const endGuard = guardWrites(options.location.root, hold.check);
  const uploads = new UploadStore(
    store.folders,
    () => store.current.limits.uploadBytes,
    () => void store.readAnew().catch(() => {}),
  );
  const texts = new DocumentRepository(store, state);
  const dashboards = new DashboardStore(store, texts, state);
  const models = new ModelStore(store, texts);
  const grants = new Grants(state, texts.ids);
  const discussion = { comments: new Comments(state), inbox: new Inbox(state) };
  const streams = new StreamCache(answers.memory);
  let listening = 0;
  const prepare = async () => {
    const clock = await WallClock.start(state);
    const accounts =
      options.mode === 'team'
        ? await openAccounts(state, {
            limits: opened.limits,
            clock,
            folder: options.location.state,
            publicUrl: options.publicUrl ?? (options.certificate && 'https://localhost'),
            port: () => listening,
            // With errors in the file, nothing says that passwords are for all.
            hasPasswords: opened.settings ? opened.settings.signIn?.password : false,
          })
        : undefined;
    const mailers = openMailers(options.mail, opened.settings?.mail);
    const signIn =
      accounts &&
      openSignIn(accounts, {
        state,
        clock,
        root: options.location.root,
        settings: opened.settings,
        mailer: mailers?.forAccounts,
        publicUrl: options.publicUrl,
        port: () => listening,
        workspace: () => ({ title: store.current.title, locale: store.current.settings.locale }),
      });
    const directory = new Directory(accounts, grants);
    await directory.refresh();
    const forGuests = accounts && {
      state,
      ids: texts.ids,
      settings: accounts.settings,
      secret: (await storedSecret(options.location.state, '.accounts-secret')).token,
      directory,
      clock,
      workspace: () => store.current,
    };
    const links = forGuests && (await PublicLinks.open(forGuests));
    const embedding = forGuests && (await Embedding.open(forGuests));
    const jobs = openJobs({ state, clock, isAlone: options.location.stateUrl === undefined });
    const delivering = await openDeliveries({
      state,
      folder: options.location.state,
      clock,
      runner: jobs.runner,
      directory,
      settings: accounts?.settings,
      mailer: mailers?.forMessages,
      file: opened.settings,
      address: () => options.publicUrl ?? `http://127.0.0.1:${listening}`,
      workspace: () => store.current,
    });
    const certificate = options.certificate && (await ServerCertificate.open(options.certificate));
    const auditFile =
      typeof options.auditLog === 'string' ? await AuditFile.open(options.auditLog) : undefined;
    accounts?.audit.subscribe(entry => {
      if (typeof options.auditLog === 'function') options.auditLog(`${JSON.stringify(entry)}\n`);
      auditFile?.add(entry);
    });
    return {
      certificate,
      auditFile,
      clock,
      accounts,
      jobs,
      delivering,
      links,
      embedding,
      signIn,
      directory,
      sessions: await SessionStore.open(opened.limits, state, clock),
      metrics: await metricsToken(options.location.state),
      openingSecret: await openSecret(options.location.state),
    };
  };
  const {
    certificate,
    auditFile,
    clock,
    accounts,
    jobs,
    delivering,
    links,
    embedding,
    signIn,
    directory,
    sessions,
    metrics,
    openingSecret,
  } = await prepare().catch(async (error: unknown) => {
    endGuard();
    await state.close();
    await engine.close();
    await hold.release();
    throw error;
  });
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
  const health = new Health(store.folders, state.damage, () => ({
    'audit-log': auditFile?.problem,
    certificate: certificate?.problem,
  }));
  const status = new SystemStatus({
    version: options.version,
    mode: options.mode ?? 'local',
    health,
    store,
    answers,
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
  const app = await buildApp(
    guard,
    {
      accounts,
      discussion,
      links,
      embedding,
      delivering,
      signIn,
      directory,
      sharing,
      records,
      accessRequests,
      clock,
      presence,
      status,
    },
    store,
    dashboards,
    models,
    uploads,
    answers,
    streams,
    engine,
    health,
    certificate,
    options,
  );
  let housekeeping: Housekeeping | undefined;
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
    await store.open();
    housekeeping = new Housekeeping(clock, [
      now => uploads.removeAbandoned(now),
      now => dashboards.prune(now),
      async now => accounts?.prune(now),
      async now => links?.prune(now),
      async now => records?.prune(now),
      async now => accessRequests?.requests.prune(now),
      now => discussion.inbox.prune(now),
      now => delivering.deliveries.prune(now),
      now => delivering.deliveries.recover(now),
    ]);
    digest?.start();
    await jobs.start();
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
      answers,
      streams,
      engine,
      app,
      notices: [
        options.location.notice,
        state.damage,
        ...(accounts ? signInNotices(opened.settings) : []),
      ].filter(notice => notice !== undefined),
      lost: hold.lost,
      reopenFiles: () => {
        auditFile?.reopen();
        void certificate?.reload();
      },
      close: async () => {
        await housekeeping?.close();
        await digest?.close();
        await jobs.close();
        certificate?.close();
        await Promise.race([app.close(), new Promise(resolve => setTimeout(resolve, 5000).unref())]);
        await texts.close();
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
    await housekeeping?.close();
    await digest?.close();
    await jobs.close();
    await engine.close();
    endGuard();
    await hold.release();
    throw error;
  }
}

async function buildApp(
  guard: Guard,
  {
    accounts,
    discussion,
    links,
    embedding,
    delivering,
    signIn,
    directory,
    sharing,
    records,
    accessRequests,
    clock,
    presence,
    status,
  }: {
    readonly accounts: Accounts | undefined;
    readonly discussion: { readonly comments: Comments; readonly inbox: Inbox };
    readonly links: PublicLinks | undefined;
    readonly embedding: Embedding | undefined;
    readonly delivering: DeliverParts;
    readonly signIn: SignInParts | undefined;
    readonly directory: Directory;
    readonly sharing: Sharing;
    readonly records: DashboardRecords | undefined;
    readonly accessRequests: AccessRequestParts | undefined;
    readonly clock: WallClock;
    readonly presence: Presence;
    readonly status: SystemStatus;
  },
  store: WorkspaceStore,
  dashboards: DashboardStore,
  models: ModelStore,
  uploads: UploadStore,
  answers: QueryService,
  streams: StreamCache,
  engine: Services['engine'],
  health: Health,
  certificate: ServerCertificate | undefined,
  options: ServerOptions,
): Promise<FastifyInstance> {
  const app = createHttpApp(guard, options, certificate);
  const pages = readPages(options.pagesFolder);
  const scheduler = new FairScheduler(requestsPerTurn);
  app.addHook('onRequest', (request, reply, done) =>
    scheduler.take(() => {
      destroyStalled(reply.raw);
      // Skips clients that have disconnected meanwhile.
      if (!request.raw.socket.destroyed) done();
    }),
  );
  await app.register(cookie);
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...scriptHashes(pages)],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        connectSrc: ["'self'"],
        fontSrc: ["'self'"],
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    // Never for localhost, whose other ports it would cover.
    hsts:
      options.publicUrl?.startsWith('https:') && new URL(options.publicUrl).hostname !== 'localhost'
        ? { maxAge: 31_536_000 }
        : false,
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
  });
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
  mountContract(app, streams, () => store.current, {
    ...dashboardRoutes(
      store,
      dashboards,
      answers,
      presentRecords(records, () => store.current, directory, sharing, clock),
    ),
    ...editingRoutes(store, dashboards, sharing, records, note),
    ...meRoutes(dashboards, records, clock),
    ...accessRequestRoutes(accessRequests, store, dashboards, clock, note),
    ...dashboardRecordRoutes(records, store, dashboards, directory, clock, note),
    ...eventNoteRoutes(store, dashboards),
    ...commentRoutes(store, dashboards, discussion, directory, note, {
      isTeam: guard.isTeam,
      hasMail: signIn?.mail.isOn === true,
    }),
    ...sharingRoutes(store, sharing, note, directory, guard.isTeam),
    ...accountRoutes(accounts, () => store.current.title, signIn),
    ...signInRoutes(signIn),
    ...accessTokenRoutes(accounts, note),
    ...linkRoutes(links, store, dashboards, note, caller => accounts?.requireConfirmation(caller)),
    ...embedRoutes(embedding, store, dashboards, note, caller => accounts?.requireConfirmation(caller)),
    ...channelRoutes(delivering, directory, guard.isTeam, note, caller =>
      accounts?.requireConfirmation(caller),
    ),
    ...twoFactorRoutes(accounts, () => store.current.title),
    ...exportRoutes(store, dashboards, answers, options.pagesFolder, note),
    ...modelRoutes(store, models, answers, sharing),
    ...tableRoutes(
      store,
      answers,
      uploads,
      options.addSample && (() => options.addSample!(options.location)),
    ),
    ...sourceRoutes(store, answers, note, caller => accounts?.requireConfirmation(caller)),
    ...systemRoutes(store, answers, presence, status, note, {
      version: options.version,
      isSample: options.location.isSample,
      mode: options.mode ?? 'local',
      people: () => [
        ...[...directory.users.values()].filter(user => !user.isDisabled).map(({ email }) => email),
        ...store.current.people.keys(),
      ],
      onAccessChange: tell => {
        const ends = [
          directory.subscribe(tell),
          accounts?.sessions.subscribe(tell),
          accounts?.tokens.subscribe(tell),
        ];
        return () => {
          for (const end of ends) end?.();
        };
      },
      callerNow: guard.identify,
    }),
  });
  openCallback(app, signIn);
  await openPages(app, guard, store, answers, engine, pages, health, () =>
    embedding?.isOn ? embedding.origins : [],
  );
  return app;
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
