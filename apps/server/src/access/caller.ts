import type { Level, Role, TokenScope } from '@belvedere/api';
import type { PolicySubject } from '@belvedere/model';
import type { FastifyRequest } from 'fastify';
import type { Guest } from './guest.ts';

/**
 * What was shared with a caller: levels by objects, as `grantKey` names them. `all`: nothing needs to be
 * shared with them.
 */
export type Grants = 'all' | ReadonlyMap<string, Level>;

/** How many rows of a table exports of one grant may have; undefined for any number. */
export interface ExportGrant {
  readonly level: Level;
  readonly exportRows: number | undefined;
}

/** The caller of a request, and the permissions with which they read. */
export interface Caller {
  /** Whose favourites, views and drafts are meant, and who shares the server with others in queues. */
  readonly userId: string;
  readonly name: string;
  readonly email?: string;
  /** The time zone that they chose for themselves. */
  readonly zone?: string;
  readonly role: Role;
  readonly grants: Grants;
  /** How many rows the grants of each object let out; absent if no grant has a limit. */
  readonly exportGrants?: ReadonlyMap<string, readonly ExportGrant[]>;
  /** All rows, or those that row policies allow a user to see. */
  readonly rows: 'all' | PolicySubject;
  /** Identifies the browser's session, without authorizing it. Commands and assistants have none. */
  readonly session?: string;
  /** The access token of a program that calls as the user. */
  readonly token?: {
    readonly name: string;
    readonly scope: TokenScope;
    /** The site or program of an assistant whose user signed in. */
    readonly client?: string | undefined;
  };
  /** Someone with a public link, who has no account. */
  readonly guest?: Guest;
  /** The user as whom an owner or admin views the workspace; nothing can be changed meanwhile. */
  readonly viewingAs?: string;
}

/** The person of local mode and of commands. */
export const owner: Caller = { userId: 'owner', name: 'Owner', role: 'owner', grants: 'all', rows: 'all' };

/** A caller without a session. */
export const anonymous: Caller = {
  userId: '',
  name: '',
  role: 'viewer',
  grants: new Map(),
  rows: { groups: [], attributes: {} },
};

const testUsers = new WeakMap<PolicySubject, Caller>();
/** Shares dashboards and overviews, but no model beyond what they show of it. */
const whatTestUsersSee: Grants = new Map([
  ['folder:', 'explore'],
  ['overviews', 'explore'],
]);

/** A user of the folder `tests`, who sees all dashboards under the row policies. */
export function testUser(name: string, rows: PolicySubject): Caller {
  const known = testUsers.get(rows);
  if (known?.name === name) return known;
  const caller: Caller = {
    userId: `test:${name}`,
    name,
    role: 'explorer',
    grants: whatTestUsersSee,
    rows,
    viewingAs: name,
  };
  testUsers.set(rows, caller);
  return caller;
}

const callers = new WeakMap<FastifyRequest, Caller>();
const principals = new WeakMap<FastifyRequest, string>();

/** @param signedIn who sent the request, also while they view as another */
export function rememberCaller(
  request: FastifyRequest,
  caller: Caller,
  signedIn: Caller | undefined = caller,
): void {
  callers.set(request, caller);
  principals.set(request, signedIn.userId);
}

/** Returns the user who sent a request, also while they view as another; empty without a session. */
export function principalOf(request: FastifyRequest): string {
  return principals.get(request) ?? '';
}

/**
 * Returns the caller of a request. @throws Error if the auth hook did not run, so that no data is returned
 */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  if (!caller)
    throw new Error(
      `No caller set for ${request.method} ${request.routeOptions.url}; the auth hook did not run.`,
    );
  return caller;
}
