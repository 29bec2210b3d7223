import type { Reader } from '@belvedere/model';
import type { FastifyRequest } from 'fastify';

/** Who calls, and as whom they read. */
export interface Caller {
  /** Whose turn it is where calls wait. */
  readonly name: string;
  /** Everything, as the owner of the folder does, or what row policies let somebody see. */
  readonly reads: 'everything' | Reader;
  /** Names the browser's session, without letting anybody in. None of commands and assistants. */
  readonly session?: string;
}

export const owner: Caller = { name: 'owner', reads: 'everything' };

const callers = new WeakMap<FastifyRequest, Caller>();

export function rememberCaller(request: FastifyRequest, caller: Caller): void {
  callers.set(request, caller);
}

/** Whom a request was let in as. @throws Error for one that passed no guard: what nobody asked for is given to nobody */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  if (!caller)
    throw new Error(
      `No caller set for ${request.method} ${request.routeOptions.url}; the auth hook did not run.`,
    );
  return caller;
}
