import cookie from '@fastify/cookie';
import etag from '@fastify/etag';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import type { AppServices } from './app-services.ts';
import { authenticateRequests, isStillAllowed, type Guard } from './auth/authenticate.ts';
import { FairScheduler } from './http/fair-scheduler.ts';
import { createHttpApp } from './http/http-app.ts';
import { ProblemError } from './http/problems.ts';
import { securityHeaders } from './http/security-headers.ts';
import { destroyStalled } from './http/stalled-responses.ts';
import { limits } from './limits.ts';
import { mountMcp } from './mcp/mcp-route.ts';
import { challengeBy, mountOAuth } from './routes/accounts/oauth.ts';
import { openCallback } from './routes/accounts/sign-in.ts';
import { mountContract } from './routes/contract/mount-contract.ts';
import { openApiDocument } from './routes/contract/openapi.ts';
import { createHandlers } from './routes/handlers.ts';
import { readPages, registerPages, scriptHashes } from './routes/pages.ts';
import type { ServerOptions } from './server-options.ts';

/** About ten milliseconds of work. */
const requestsPerTurn = 24;

/** Mounts the endpoints and pages. */
export async function buildApp(services: AppServices, options: ServerOptions): Promise<FastifyInstance> {
  const { guard, certificate, streams, store, queries, embedding } = services;
  const app = createHttpApp(guard, options, certificate);
  const pages = readPages(options.pagesFolder);
  takeTurns(app);
  await registerPlugins(app, guard, options, scriptHashes(pages));
  const { onAccessChange, onAnyAccessChange } = accessChanges(services);
  const handlers = createHandlers(services, options, onAccessChange);
  mountContract(app, streams, () => store.current, handlers, {
    streamQueue: queries.queues.streams,
    onAccessChange: onAnyAccessChange,
    isStillAllowed: (request, name, begin, require) => isStillAllowed(request, name, begin, require, guard),
  });
  await mountSignIn(app, options.version, guard, services);
  await registerPages(app, {
    guard,
    store,
    queries,
    engine: services.engine,
    pages,
    health: services.health,
    jobs: services.jobs,
    deliveries: services.delivering.deliveries.records,
    embeddedIn: () => (embedding?.isOn ? embedding.origins : []),
  });
  return app;
}

/** Shares the event loop fairly between users. */
function takeTurns(app: FastifyInstance): void {
  const scheduler = new FairScheduler(requestsPerTurn);
  app.addHook('onRequest', (request, reply, done) =>
    scheduler.take(request.headers.authorization ?? request.headers.cookie ?? request.ip, () => {
      destroyStalled(reply.raw);
      // Skips clients that have disconnected meanwhile.
      if (!request.raw.socket.destroyed) done();
    }),
  );
}

/** Registers the plugins of every request: cookies, security headers, authentication and rate limits. */
async function registerPlugins(
  app: FastifyInstance,
  guard: Guard,
  options: ServerOptions,
  scripts: ReturnType<typeof scriptHashes>,
): Promise<void> {
  await app.register(cookie);
  await app.register(helmet, securityHeaders(scripts, options.publicUrl));
  authenticateRequests(app, guard);
  // Responds with 304 to requests for unchanged content.
  await app.register(etag, { weak: true });
  await app.register(rateLimit, {
    max: limits.requestsPerMinute,
    timeWindow: 60_000,
    errorResponseBuilder: () => new ProblemError('rate-limited', 'Too many requests. Wait a few seconds.'),
  });
  await app.register(swagger, openApiDocument(options.version, guard));
}

/** Subscriptions to changes of what users may see; `onAnyAccessChange` is also about guests, and about files. */
function accessChanges({
  guard,
  store,
  directory,
  accounts,
  links,
  embedding,
}: Pick<AppServices, 'guard' | 'store' | 'directory' | 'accounts' | 'links' | 'embedding'>) {
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
  { signIn, oauth }: Pick<AppServices, 'signIn' | 'oauth'>,
): Promise<void> {
  openCallback(app, signIn);
  mountMcp(app, version, guard, challengeBy(oauth));
  await mountOAuth(app, oauth);
}
