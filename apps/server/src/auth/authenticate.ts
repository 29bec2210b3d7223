import {
  contract,
  isAtLeast,
  requestKind,
  signInAdvice,
  tokenScopes,
  type Contract,
  type Endpoint,
  type TokenScope,
} from '@belvedere/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { anonymous, rememberCaller, type Caller } from '../access/caller.ts';
import { notFound, requireAccess } from '../access/may.ts';
import { policiesIn } from '../access/protected-tables.ts';
import type { Guest } from '../access/guest.ts';
import { addressRules, forGuests, requiredScope, whileViewingAs, type AddressRule } from '../access/rules.ts';
import { ProblemError } from '../http/problems.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { SessionStore } from './sessions/session-store.ts';
import type { RateLimits } from './limits/rate-limits.ts';
import type { NoteRefusal } from './limits/note-refusals.ts';
import { isBearer } from './secrets/stored-secret.ts';
import { hasToken } from './tokens/access-tokens.ts';
import { isFromGuest } from './guests/guest-callers.ts';
import { dashboardOfGuest, linkEnded } from './guests/public-links.ts';
import { signInDetail } from './sign-in/sign-in-page.ts';
import type { ToolCalls } from './tokens/tool-calls.ts';

export interface Guard {
  /** The sessions of local mode. */
  readonly sessions: SessionStore;
  readonly cookieName: string;
  /** Allows monitoring systems to read `/metrics`, and nothing else. */
  readonly metricsToken: string;
  /** Whether a request to this path is of `belvedere open` or `backup` by this account. */
  readonly isOpening: (authorization: string | undefined, path: string) => boolean;
  /** Values of `host:port` that a browser may send; any other may be DNS rebinding. */
  readonly hosts: () => ReadonlySet<string>;
  /** Returns who sent a request, if they are signed in. */
  readonly identify: (
    request: FastifyRequest,
    /** For a running request, its caller when it began. */
    earlier?: Pick<Caller, 'session'>,
  ) => Promise<Caller | undefined>;
  /** Returns another user, a member of a group, or a user of the policy tests, as whom an admin may view. */
  readonly viewedAs: (name: string) => Caller | undefined;
  /** Whether a window's ID belongs to another user, whose explorations have it in their names. */
  readonly isOthersWindow: (window: string, caller: Caller) => boolean;
  /** Users have accounts: an address alone signs no user in. */
  readonly isTeam: boolean;
  readonly workspace: () => Workspace;
  /** Limits the requests of each user; absent in local mode. */
  readonly rateLimits: Pick<RateLimits, 'take'> | undefined;
  /** The requests that tools of assistants send. */
  readonly toolCalls: ToolCalls;
  /** Notes a refused request in the audit log, which local mode does not have. */
  readonly noteRefusal: NoteRefusal | undefined;
}

/** The window in the ID of an exploration: `explore:MODEL:WINDOW`. */
const explorationWindow = /^(?:draft:)?explore:[^:]*:([0-9a-f]{24})/;

type Config = { readonly endpoint?: keyof Contract } | undefined;

/**
 * Checks every request once, after routing and before anything else: its Host, its session, what its caller
 * may do, and that changes come from Belvedere's own page.
 * A route without a rule stops the server at start.
 */
export function authenticateRequests(app: FastifyInstance, guard: Guard): void {
  app.addHook('onRoute', route => {
    if ((route.config as Config)?.endpoint) return;
    for (const method of [route.method].flat().filter(one => one !== 'HEAD')) ruleFor(method, route.url);
  });
  app.addHook('onRequest', async request => {
    if (!guard.hosts().has(request.headers.host ?? ''))
      throw new ProblemError('not-allowed', 'This host name is not allowed.');
    const name = (request.routeOptions.config as Config)?.endpoint;
    const by = name === undefined ? await admit(request, guard) : await authorize(request, name, guard);
    // Browsers add no token by themselves, so no other site can make them send one.
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead && !by?.token && !isConnecting(request)) refuseForeign(request, guard);
  });
}

/**
 * @returns who sent the request, if they are signed in
 * @throws ProblemError unless the caller may use this endpoint, with these parameters
 */
async function authorize(
  request: FastifyRequest,
  name: keyof Contract,
  guard: Guard,
): Promise<Caller | undefined> {
  const { access }: Endpoint = contract[name];
  const as = takeFrom(request, 'as');
  const signedIn = await guard.identify(request);
  guard.rateLimits?.take(request, name, signedIn);
  const isEnded = !signedIn && guard.isTeam && isFromGuest(request.headers.authorization);
  if (isEnded && access.on !== 'anyone') throw linkEnded();
  if (!signedIn && guard.isTeam && hasToken(request.headers.authorization))
    throw new ProblemError('not-signed-in', 'This access token is not valid: it has expired or was revoked.');
  if (!signedIn && access.on !== 'anyone') throw notSignedIn(guard);
  if (signedIn?.token?.client !== undefined && !guard.toolCalls.has(request))
    throw new ProblemError('not-allowed', 'This token is for an assistant, which sends it to `/mcp`.');
  if (signedIn?.token) requireScope(name, signedIn.token.scope);
  if (signedIn?.guest) admitGuest(request, name, signedIn.guest);
  const caller = as === undefined || !signedIn ? (signedIn ?? anonymous) : viewing(signedIn, as, name, guard);
  const params = request.params as Readonly<Record<string, string>>;
  requireAccess(caller, access, params, guard.workspace());
  const window = access.on === 'dashboard' && explorationWindow.exec(params['id'] ?? '')?.[1];
  if (window && guard.isOthersWindow(window, caller))
    throw notFound({ kind: 'dashboard', id: params['id']! });
  rememberCaller(request, caller, signedIn);
  return signedIn;
}

/** As whom a request began, and under which row policies. */
export interface RequestBegin {
  readonly caller: Caller;
  readonly workspace: Workspace;
}

/**
 * Whether a running request would still be allowed, with the same rows.
 *
 * @param require throws for a caller whom the endpoint itself would refuse
 */
export async function isStillAllowed(
  request: FastifyRequest,
  name: keyof Contract,
  { caller: first, workspace }: RequestBegin,
  require: (now: Caller) => void,
  guard: Pick<Guard, 'identify' | 'workspace' | 'viewedAs'>,
): Promise<boolean> {
  const sender = await guard.identify(request, first);
  const isViewing = first.viewingAs !== undefined;
  if (isViewing && !(sender && isAtLeast(sender.role, 'admin'))) return false;
  const now = isViewing ? guard.viewedAs(first.viewingAs) : sender;
  if (!now || JSON.stringify(now.rows) !== JSON.stringify(first.rows)) return false;
  if (first.rows !== 'all' && policiesIn(workspace) !== policiesIn(guard.workspace())) return false;
  const { access }: Endpoint = contract[name];
  try {
    requireAccess(now, access, request.params as Readonly<Record<string, string>>, guard.workspace());
    require(now);
    return true;
  } catch {
    return false;
  }
}

/** @throws ProblemError `not-allowed` */
function requireScope(name: keyof Contract, scope: TokenScope): void {
  const minScope = requiredScope(name);
  if (minScope === undefined)
    throw new ProblemError('not-allowed', 'Access tokens may not do this. Sign in with a browser.');
  if (tokenScopes.indexOf(scope) < tokenScopes.indexOf(minScope))
    throw new ProblemError(
      'not-allowed',
      `This access token has the scope \`${scope}\`; this needs one with \`${minScope}\`.`,
    );
}

/**
 * Lets a guest use an endpoint, with the ID of their dashboard in the place of what they call it.
 *
 * @throws ProblemError `not-allowed`, `not-found`
 */
function admitGuest(request: FastifyRequest, name: keyof Contract, { dashboard, view }: Guest): void {
  const isExport = requestKind(name) === 'export';
  if (!forGuests.has(name) || (isExport && !view.downloads))
    throw new ProblemError('not-allowed', 'This link does not allow it.');
  const params = request.params as Readonly<Record<string, string>>;
  const { access }: Endpoint = contract[name];
  if (access.on === 'dashboard')
    request.params = { ...params, id: dashboardOfGuest(params['id'], dashboard) };
}

function notSignedIn({ isTeam }: Guard): ProblemError {
  return new ProblemError('not-signed-in', isTeam ? signInAdvice : signInDetail('no session'));
}

function viewing(caller: Caller, as: string, name: keyof Contract, guard: Guard): Caller {
  const other = isAtLeast(caller.role, 'admin') ? guard.viewedAs(as) : undefined;
  if (!other)
    throw new ProblemError(
      'not-found',
      guard.isTeam
        ? `User or group \`${as.slice(0, 100)}\` not found.`
        : `User \`${as.slice(0, 100)}\` not found in the folder \`tests\`.`,
    );
  if (!whileViewingAs.has(name))
    throw new ProblemError('not-allowed', 'Viewers may not do this. Stop viewing as another user.');
  return { ...other, ...(caller.session !== undefined && { session: caller.session }) };
}

/** @throws ProblemError unless the caller may open this address outside the contract */
async function admit(request: FastifyRequest, guard: Guard): Promise<Caller | undefined> {
  // Addresses without a route lead to a page or to “not found”, for every caller and method.
  const method = request.method === 'HEAD' || request.is404 ? 'GET' : request.method;
  const path = request.routeOptions.url ?? '/*';
  const rule = ruleFor(method, path);
  if (rule === 'anyone') return undefined;
  if (rule === 'connecting assistant') {
    guard.rateLimits?.take(request, 'createOwnToken', undefined);
    return undefined;
  }
  const { authorization } = request.headers;
  if (rule === 'opener' && guard.isOpening(authorization, path)) return undefined;
  if (rule === 'scraper or admin' && isBearer(authorization, guard.metricsToken)) return undefined;
  const caller = rule === 'opener' ? undefined : await guard.identify(request);
  if (rule === 'assistant') {
    countMessage(request, caller, guard);
    if (!caller?.token) throw new ProblemError('not-signed-in', assistantAdvice(guard));
    rememberCaller(request, caller);
    return caller;
  }
  if (!caller) throw notSignedIn(guard);
  if (!isAtLeast(caller.role, 'admin')) throw new ProblemError('not-allowed', 'Only an admin may do this.');
  return caller;
}

/** Whether a request is of an assistant that connects, for which no cookie counts. */
function isConnecting({ method, routeOptions: { url, config } }: FastifyRequest): boolean {
  if (url === undefined || (config as Config)?.endpoint) return false;
  return ruleFor(method, url) === 'connecting assistant';
}

/**
 * Counts a message of an assistant as a request that reads. The requests of its tool are counted by themselves.
 * @throws ProblemError `rate-limited`
 */
export function countMessage(
  request: FastifyRequest,
  caller: Caller | undefined,
  { rateLimits }: Pick<Guard, 'rateLimits'>,
): void {
  rateLimits?.take(request, 'listModels', caller);
}

function assistantAdvice({ isTeam }: Guard): string {
  return isTeam
    ? 'Assistants sign in, or send a valid access token in the header `Authorization: Bearer TOKEN`. Create one in Settings › Profile.'
    : 'Only the server of a team serves assistants over HTTP. For a folder, use `belvedere mcp FOLDER`.';
}

function ruleFor(method: string, url: string): AddressRule {
  const isRead = method === 'GET' || method === 'HEAD';
  const rule = addressRules[`${method} ${url}`] ?? (isRead ? addressRules['GET /*'] : undefined);
  if (!rule) throw new Error(`${method} ${url} has no rule in access/rules.ts.`);
  return rule;
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
