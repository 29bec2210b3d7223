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
  /** Lets a monitoring system read `/metrics`, and nothing else. */
  readonly metricsToken: string;
  /** Lets `belvedere open`, which can read it, have a fresh address to sign in by, and nothing else. */
  readonly openSecret: string;
  /** `host:port` as a browser on this machine may say them; anything else may be DNS rebinding. */
  readonly hosts: () => ReadonlySet<string>;
  /** Whom the owner may see things as. */
  readonly people: () => ReadonlyMap<string, Reader>;
}

/**
 * Checks every request once, after routing and before anything else: the Host it names, the session it carries, what that may do,
 * and that a change was asked for by our own page. A route without a rule stops the server at start.
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
    // Where no call is, there is a page, or word that there is none: that is for anybody, however it was asked for.
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
    // A page is for whoever is signed in; whom they see as is said by what it asks for.
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

/** A parameter that any address may have, taken out of it before it is checked against its own. */
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

/** A request that changes or asks something must come from our own page: by Origin, by Sec-Fetch-Site, and by a header no form can send. */
function refuseForeign(request: FastifyRequest, guard: Guard): void {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  const isForeign =
    (origin !== undefined && !guard.hosts().has(origin.replace(/^https?:\/\//, ''))) ||
    (site !== undefined && site !== 'same-origin' && site !== 'none');
  if (isForeign || request.headers['x-belvedere'] === undefined)
    throw new ProblemError('not-allowed', 'Missing `x-belvedere: 1` header, or cross-origin request.');
}
