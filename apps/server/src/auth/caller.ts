import type { Reader } from '@belvedere/model';
import type { FastifyRequest } from 'fastify';

/** The caller of a request, and the permissions with which they read. */
export interface Caller {
  /** Identifies the caller in queues. */
  readonly name: string;
  /** Everything, as the owner of the folder does, or what row policies allow a user to see. */
  readonly reads: 'everything' | Reader;
  /** Identifies the browser's session, without authorizing it. Commands and assistants have none. */
  readonly session?: string;
}

export const owner: Caller = { name: 'owner', reads: 'everything' };

const callers = new WeakMap<FastifyRequest, Caller>();

export function rememberCaller(request: FastifyRequest, caller: Caller): void {
  callers.set(request, caller);
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
