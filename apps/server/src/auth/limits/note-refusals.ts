import { contract, type Contract, type Endpoint, type ProblemType } from '@belvedere/api';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../access/caller.ts';
import type { AuditLog } from '../../state/administration/audit-log.ts';
import { AttemptLimit } from './attempt-limits.ts';
import { actorLabel } from './note-calls.ts';
import { networkOf } from './rate-limits.ts';

/** Adds a refused request to the audit log, if it may have been an attempt to get more than was given. */
export type NoteRefusal = (request: FastifyRequest, type: ProblemType) => void;

/** More entries would say nothing new, and let a client fill the disk. */
const [maxEach, maxTotal, windowMs] = [10, 200, 15 * 60_000];

const always: ReadonlySet<ProblemType> = new Set(['rate-limited', 'embed-refused', 'passphrase-wrong']);

/** Endpoints for any user which check further whether the caller may use the objects that are named. */
const checkFurther: ReadonlySet<keyof Contract> = new Set([
  'answerAccessRequest',
  'getAlert',
  'getReport',
  'getSharing',
  'moveFolder',
  'pauseReports',
  'previewReport',
  'putGrant',
  'putSubscription',
  'restoreDocument',
  'runReport',
  'sendReport',
]);

interface Options {
  readonly audit: Pick<AuditLog, 'add'>;
  readonly identify: (request: FastifyRequest) => Promise<Caller | undefined>;
  /** Monotonic, ms. */
  readonly elapsed: () => number;
}

/**
 * Notes refused requests: up to ten of a user or a network address in 15 minutes. Nothing waits for it, so
 * that an object that exists and one that does not have the same response time.
 */
export function noteRefusals({ audit, identify, elapsed }: Options): NoteRefusal {
  const each = new AttemptLimit(maxEach, windowMs, elapsed);
  const all = new AttemptLimit(maxTotal, windowMs, elapsed);
  const isFree = (key: string) => {
    try {
      each.take(key);
      all.take('all');
      return true;
    } catch {
      return false;
    }
  };
  const note = async (request: FastifyRequest, type: ProblemType) => {
    const caller = await identify(request);
    if (caller && isMissing(caller, request, type)) return;
    const user = caller?.guest ? undefined : caller;
    if (!isFree(user ? `user ${user.userId}` : `address ${networkOf(request.ip)}`)) return;
    await audit.add({
      ...(user && { actor: actorLabel(user), actorId: user.userId }),
      address: request.ip,
      action: 'request.refuse',
      object: objectOf(request),
      outcome: 'refused',
      detail: type,
    });
  };
  return (request, type) => {
    if (isNoted(request, type))
      note(request, type).catch((error: Error) =>
        console.error(new Date().toISOString(), 'A refused request could not be noted:', error.message),
      );
  };
}

function isNoted(request: FastifyRequest, type: ProblemType): boolean {
  const name = nameOf(request);
  const on = name && contract[name].access.on;
  if (always.has(type)) return true;
  // Accounts note wrong passwords and codes themselves.
  if (type === 'not-allowed') return isChecked(name) || (on !== 'anyone' && on !== 'self');
  // What is not shared is answered as what does not exist, and noted alike.
  if (type === 'not-found') return isChecked(name);
  return type === 'not-signed-in' && request.headers.authorization !== undefined;
}

/** Whether what was not found does not exist, since its user needs no grants: an old link, and no attempt. */
function isMissing({ grants, token }: Caller, request: FastifyRequest, type: ProblemType): boolean {
  const name = nameOf(request);
  return type === 'not-found' && grants === 'all' && !token && name !== undefined && !checkFurther.has(name);
}

/** Returns the object that was asked for, else the route. Other parts of an address may be secret. */
function objectOf(request: FastifyRequest): string {
  const route = `${request.method} ${request.routeOptions.url ?? '/*'}`;
  const name = nameOf(request);
  if (!isChecked(name)) return route;
  const all = Object.values(request.params as Readonly<Record<string, string>>);
  // The first names the object, of which others are a part; who shares one names its kind first.
  const named = checkFurther.has(name!) ? all.join(' ') : all[0];
  return named ? `${route}: ${named.slice(0, 200)}` : route;
}

/** Whether requests are for an object that the caller may not be allowed to use. */
function isChecked(name: keyof Contract | undefined): boolean {
  if (name === undefined) return false;
  const { on } = (contract[name] as Endpoint).access;
  return ['dashboard', 'folder', 'model', 'source'].includes(on) || checkFurther.has(name);
}

function nameOf({ routeOptions }: FastifyRequest): keyof Contract | undefined {
  return (routeOptions.config as { readonly endpoint?: keyof Contract } | undefined)?.endpoint;
}
