import fastifyStatic from '@fastify/static';
import {
  prefetchFor,
  prefetchId,
  contract,
  bootstrapDataId,
  preferredLanguage,
  type OpenDashboard,
  type BootstrapData,
} from '@belvedere/api';
import { jsonSchemaOf, schemaNames, type SchemaName } from '@belvedere/document';
import type { Engine } from '@belvedere/engine';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { QueryService } from '../queries/query-service.ts';
import type { Guard } from '../auth/authenticate.ts';
import { signInDetail } from '../auth/sign-in/sign-in-page.ts';
import { limits } from '../limits.ts';
import { ProblemError } from '../http/problems.ts';
import type { Health } from '../operations/health.ts';
import type { Jobs } from '../jobs/open-jobs.ts';
import type { WaitingJobs } from '../state/administration/jobs.ts';
import type { DeliveryRecords } from '../state/messages/deliveries.ts';
import type { WorkspaceStore } from '../workspace/workspace-store.ts';
import { apiDocsPage, type OpenApiDocument } from './contract/api-docs-page.ts';
import { pictureAt, sendPicture } from './sharing/embed-picture.ts';
import { oembedLink } from './sharing/oembed.ts';

/** Where `index.html` expects a dashboard's first query. A test shows that the page sends it. */
const prefetchMarker = '<!--prefetch-->';

/** The application's own pages, as built. */
export interface Pages {
  readonly folder: string;
  /** The page that every address returns. */
  readonly index: string;
}

export function readPages(folder: string): Pages {
  const file = path.join(folder, 'index.html');
  return {
    folder,
    index: existsSync(file)
      ? readFileSync(file, 'utf8')
      : '<!doctype html><title>Belvedere</title><p>The web app is not built yet. Run npm start.',
  };
}

/**
 * Returns the hashes of a page's inline scripts, with which the Content-Security-Policy allows exactly these.
 */
export function scriptHashes({ index }: Pages): readonly string[] {
  return Array.from(
    index.matchAll(/<script>(.*?)<\/script>/gs),
    ([, script]) => `'sha256-${createHash('sha256').update(script!).digest('base64')}'`,
  );
}

/** Returns the error message for an address without an endpoint. */
function nothingAt(address: string, method: string): string {
  const methods = Object.values(contract)
    .filter(({ path: route }) => new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}$`).test(address))
    .map(endpoint => endpoint.method);
  return methods.length === 0
    ? 'Nothing found at this address.'
    : `${method} is not allowed at this address. Use ${methods.join(' or ')}.`;
}

interface PageParts {
  readonly guard: Guard;
  readonly store: WorkspaceStore;
  readonly queries: QueryService;
  readonly engine: Engine;
  readonly pages: Pages;
  readonly health: Health;
  readonly jobs: Jobs;
  readonly deliveries: Pick<DeliveryRecords, 'counts'>;
  /** The sites that may show a page of embedding in a frame. */
  readonly embeddedIn: () => readonly string[];
}

/**
 * Mounts all routes outside the contract: health, metrics, schemas, documentation, the one-time address and
 * the application's own pages.
 */
export async function registerPages(
  app: FastifyInstance,
  { guard, store, queries, engine, pages, health, jobs, deliveries, embeddedIn }: PageParts,
): Promise<void> {
  const { index, folder } = pages;
  app.get('/healthz', async () => ({ ok: true }));
  app.get('/readyz', async (_, reply) => {
    const rejected = [...store.current.tables.values()]
      .filter(table => table.state === 'rejected')
      .map(table => table.name);
    const importing = [...store.current.tables.values()]
      .filter(table => table.state === 'importing' || table.state === 'waiting')
      .map(table => table.name);
    return reply.send({
      ready: true,
      ...health.state(),
      engine: engine.status,
      importing,
      rejected,
      documentProblems: store.current.problems.length,
    });
  });

  const registry = metricsOf(queries, engine, jobs, deliveries);
  app.get('/metrics', async (_, reply) => reply.type(registry.contentType).send(await registry.metrics()));

  app.get('/api/openapi.json', async (_, reply) => reply.send(app.swagger()));
  app.get('/api/docs', async (_, reply) =>
    reply.type('text/html; charset=utf-8').send(apiDocsPage(app.swagger() as unknown as OpenApiDocument)),
  );
  app.get<{ Params: { file: string } }>('/api/schema/:file', async request => {
    const name = request.params.file.replace(/\.json$/, '');
    if (!schemaNames.includes(name as SchemaName))
      throw new ProblemError('not-found', `Schema not found. Available: ${schemaNames.join(', ')}.`);
    return jsonSchemaOf(name as SchemaName);
  });

  app.get<{ Params: { token: string } }>('/open/:token', async (request, reply) => {
    if (guard.isTeam) throw new ProblemError('not-found', nothingAt('/open', 'GET'));
    const session = guard.sessions.open(request.params.token);
    if (!session) {
      if (guard.sessions.isValid(request.cookies[guard.cookieName])) return reply.redirect('/');
      throw new ProblemError('not-signed-in', signInDetail('spent address'));
    }
    return reply
      .setCookie(guard.cookieName, session, {
        path: '/',
        httpOnly: true,
        sameSite: 'lax',
        maxAge: guard.sessions.lifeSeconds,
      })
      .header('cache-control', 'no-store')
      .redirect('/');
  });

  // For `belvedere open`: see `auth/sign-in-address.ts`.
  app.post(
    '/open',
    { config: { rateLimit: { max: limits.freshAddressesPerMinute, timeWindow: 60_000 } } },
    async (_, reply) => {
      if (guard.isTeam) throw new ProblemError('not-found', 'Users of this Belvedere sign in with accounts.');
      return reply
        .header('cache-control', 'no-store')
        .send({ path: `/open/${guard.sessions.newFreshToken()}` });
    },
  );

  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: true,
    preCompressed: true,
    setHeaders: (reply, file) => {
      reply.header(
        'cache-control',
        file.includes(`${path.sep}assets${path.sep}`) ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
      // Other sites load it.
      if (file === path.join(folder, 'embed.js'))
        reply.header('cross-origin-resource-policy', 'cross-origin');
    },
  });
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    // Sets the workspace's locale before the page draws its first text, and its revision before the first API
    // response.
    const [locale] = Intl.getCanonicalLocales(store.current.settings.locale);
    // A public link or a frame shows the same to everyone, and search engines nothing.
    const isFrame = request.url.startsWith('/embed/');
    const isForGuests = isFrame || request.url.startsWith('/s/');
    if (isFrame) allowFraming(reply, embeddedIn());
    if (isForGuests) reply.header('x-robots-tag', 'noindex, nofollow');
    const isSignedIn = !isForGuests && (await guard.identify(request)) !== undefined;
    const facts = [
      `data-revision="${store.current.revision}"`,
      ...(locale === undefined ? [] : [`data-locale="${locale}"`]),
      // The page itself goes to the sign-in page, since its address may go on behind a `#`.
      ...(guard.isTeam && !isSignedIn ? ['data-signed-out'] : []),
    ];
    const page = index
      .replace('<html ', `<html ${facts.join(' ')} `)
      .replace('</head>', () => `${isForGuests && guard.isTeam ? oembedLink(request) : ''}</head>`);
    const given = isSignedIn ? await pageGiven(app, request, locale) : undefined;
    reply.type('text/html; charset=utf-8');
    if (!given) return reply.header('cache-control', 'no-cache').send(page);
    const prefetched =
      given.dashboard && prefetchFor(given.dashboard, new URL(request.url, 'http://localhost').searchParams);
    // Not stored: on “back” or after restoring windows, a browser would show outdated data as current, and
    // the data is only for this user.
    return reply
      .header('cache-control', 'no-store')
      .send(
        page
          .replace(prefetchMarker, () => (prefetched ? jsonScript(prefetchId, prefetched) : ''))
          .replace('</body>', () => `${jsonScript(bootstrapDataId, given)}</body>`),
      );
  };
  app.get('/', sendPage);
  const sendPageIfAny = (request: FastifyRequest, reply: FastifyReply) => {
    const [address] = request.url.split('?') as [string];
    if (request.method !== 'GET' || address.startsWith('/api/') || /\.\w{2,5}$/.test(address))
      throw new ProblemError('not-found', nothingAt(address, request.method));
    return sendPage(request, reply);
  };
  app.get('/embed/*', { exposeHeadRoute: false }, (request, reply) => {
    const picture = pictureAt(request.url);
    return picture ? sendPicture(app, request, reply, picture) : sendPageIfAny(request, reply);
  });
  app.setNotFoundHandler(sendPageIfAny);
}

/** Lets sites show a page in a frame; by default none may. */
function allowFraming(reply: FastifyReply, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const policy = String(reply.getHeader('content-security-policy'));
  reply
    .header(
      'content-security-policy',
      policy.replace("frame-ancestors 'none'", `frame-ancestors ${origins.join(' ')}`),
    )
    .removeHeader('x-frame-options');
}

/**
 * Calls the endpoints with the user's own permissions, so that the page contains nothing that they would
 * refuse.
 */
async function pageGiven(
  app: FastifyInstance,
  request: FastifyRequest,
  locale: string | undefined,
): Promise<BootstrapData | undefined> {
  const ask = async <QueryResult>(url: string) => {
    const { statusCode, body } = await app.inject({
      method: 'GET',
      url,
      headers: { host: request.headers.host!, cookie: request.headers.cookie! },
      remoteAddress: request.ip,
    });
    return statusCode === 200 ? (JSON.parse(body) as QueryResult) : undefined;
  };
  const language = preferredLanguage([
    locale,
    ...(request.headers['accept-language'] ?? '').split(',').map(tag => tag.trim()),
  ]);
  const dashboard = /^\/d\/([^?#]+?)\/?(?:[?#]|$)/.exec(request.url)?.[1];
  const [session, dashboards, opened] = await Promise.all([
    ask<BootstrapData['session']>('/api/v1/session'),
    ask<BootstrapData['dashboards']>(`/api/v1/dashboards?language=${language}`),
    dashboard === undefined
      ? undefined
      : ask<OpenDashboard>(`/api/v1/dashboards/${dashboard.replaceAll('/', '%2F')}?language=${language}`),
  ]);
  return session && dashboards && { language, session, dashboards, ...(opened && { dashboard: opened }) };
}

/** Returns JSON as an inert script element, escaped so that it can neither close nor open an element. */
function jsonScript(id: string, value: unknown): string {
  return `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;
}

function metricsOf(
  queries: QueryService,
  engine: Engine,
  { records }: Jobs,
  deliveries: Pick<DeliveryRecords, 'counts'>,
): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `belvedere_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  gauge('queries_running', 'Queries that are running', () => queries.queues.running);
  gauge('queries_waiting', 'Queries that are waiting in the queue', () => queries.queues.waiting);
  gauge('engine_executions_total', 'Queries sent to the engine', () => queries.executions);
  gauge('cache_hits_total', 'Queries answered from the cache', () => queries.cache.hits);
  gauge('cache_bytes', 'Bytes of all cached results', () => queries.memory.bytes);
  gauge(
    'worker_restarts_total',
    'Number of times the engine process has exited',
    () => engine.status.restarts,
  );
  const jobGauge = (name: string, help: string, read: (waiting: WaitingJobs) => number) =>
    new Gauge({
      name: `belvedere_jobs_${name}`,
      help,
      labelNames: ['kind'],
      registers: [registry],
      async collect() {
        this.reset();
        for (const waiting of await records.waiting().catch(() => []))
          this.set({ kind: waiting.kind }, read(waiting));
      },
    });
  jobGauge('queued', 'Jobs that wait for their time or their turn', ({ queued }) => queued);
  jobGauge('running', 'Jobs that are running', ({ running }) => running);
  jobGauge('lag_seconds', 'How long the job that is due longest has waited', ({ nextAt = Infinity }) =>
    Math.max(0, (Date.now() - nextAt) / 1000),
  );
  // Deliveries are deleted after 90 days, so that these numbers also fall.
  new Gauge({
    name: 'belvedere_deliveries',
    help: 'Deliveries of alerts and reports by state',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      this.reset();
      const counts = await deliveries.counts().catch(() => ({}));
      for (const [state, count] of Object.entries(counts)) this.set({ state }, count);
    },
  });
  return registry;
}
