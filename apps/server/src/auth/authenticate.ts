import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Reader } from '@belvedere/model';
import { otherPermissions, endpointPermissions, type Role } from '../permissions/endpoint-permissions.ts';
import { ProblemError } from '../problems.ts';
import { owner, rememberCaller } from './caller.ts';
import { sessionName, type SessionStore } from './session-store.ts';
import { isBearer } from './stored-secret.ts';
import { signInDetail } from './sign-in-page.ts';

export interface Guard {
  readonly sessions: SessionStore;
  readonly cookieName: string;
  /** Allows monitoring systems to read `/metrics`, and nothing else. */
  readonly metricsToken: string;
  /** Allows `belvedere open`, which can read it, to request a new sign-in address, and nothing else. */
  readonly openSecret: string;
  /** Values of `host:port` that a browser on this machine may send; any other may be DNS rebinding. */
  readonly hosts: () => ReadonlySet<string>;
  /** The users that the owner may view the workspace as. */
  readonly people: () => ReadonlyMap<string, Reader>;
}

/**
 * Checks every request once, after routing and before anything else: its Host, its session, that session's
 * permissions, and that changes come from Belvedere's own page.
 * A route without a rule stops the server at start.
 */
export function authenticateRequests(app: FastifyInstance, guard: Guard): void {
  app.addHook('onRoute', route => {
    const methods = [route.method].flat().filter(method => method !== 'HEAD');
    for (const method of methods)
      rolesFor(route.config as { endpoint?: string } | undefined, method, route.url);
  });
  app.addHook('onRequest', async request => {
    if (!guard.hosts().has(request.headers.host ?? ''))
      throw new ProblemError('not-allowed', 'This host name is not allowed.');
    const config = request.routeOptions.config as { endpoint?: string } | undefined;
    // Addresses without a route lead to a page or to “not found”, for every caller and method.
    const roles = rolesFor(
      config,
      request.method === 'HEAD' || request.is404 ? 'GET' : request.method,
      request.routeOptions.url ?? '/*',
    );
    const cookie = request.cookies[guard.cookieName];
    const bearer = (
      [
        ['scraper', guard.metricsToken],
        ['opener', guard.openSecret],
      ] as const
    ).find(([one, token]) => roles.includes(one) && isBearer(request.headers.authorization, token))?.[0];
    const role: Role = bearer ?? (guard.sessions.isValid(cookie) ? 'owner' : 'anonymous');
    if (!roles.includes(role)) throw new ProblemError('not-signed-in', signInDetail('no session'));
    // Pages are for signed-in users. The page's API requests carry the user to view as.
    const as = config?.endpoint === undefined ? undefined : takeFrom(request, 'as');
    if (as !== undefined) {
      const person = role === 'owner' ? guard.people().get(as) : undefined;
      if (!person)
        throw new ProblemError(
          'not-found',
          `User \`${as.slice(0, 100)}\` not found in the folder \`tests\`.`,
        );
      if (!roles.includes('reader'))
        throw new ProblemError('not-allowed', 'Viewers may not do this. Stop viewing as another user.');
      rememberCaller(request, { name: as, reads: person, session: sessionName(cookie!) });
    } else if (role === 'owner') rememberCaller(request, { ...owner, session: sessionName(cookie!) });
    if (request.method !== 'GET' && request.method !== 'HEAD') refuseForeign(request, guard);
  });
}

/**
 * Removes a parameter that any address may have from the query, before the route checks its own parameters.
 */
function takeFrom(request: FastifyRequest, name: string): string | undefined {
  const { [name]: value, ...rest } = request.query as Readonly<
    Record<string, string | readonly string[] | undefined>
  >;
  if (value === undefined) return undefined;
  request.query = rest;
  return String(value);
}

function rolesFor(config: { endpoint?: string } | undefined, method: string, url: string): readonly Role[] {
  const roles = config?.endpoint
    ? endpointPermissions[config.endpoint as keyof typeof endpointPermissions]
    : (otherPermissions[`${method} ${url}`] ??
      (method === 'GET' || method === 'HEAD' ? otherPermissions['GET /*'] : undefined));
  if (!roles) throw new Error(`${method} ${url} has no rule in permissions/endpoint-permissions.ts.`);
  return roles;
}

/**
 * Requests that change or query anything must come from Belvedere's own page: checked by Origin, by
 * Sec-Fetch-Site, and by a header that no form can send.
 */
function refuseForeign(request: FastifyRequest, guard: Guard): void {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  const isForeign =
    (origin !== undefined && !guard.hosts().has(origin.replace(/^https?:\/\//, ''))) ||
    (site !== undefined && site !== 'same-origin' && site !== 'none');
  if (isForeign || request.headers['x-belvedere'] === undefined)
    throw new ProblemError('not-allowed', 'Missing `x-belvedere: 1` header, or cross-origin request.');
}
