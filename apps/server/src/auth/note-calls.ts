import type { FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.ts';
import type { Accounts } from './accounts.ts';

/** Adds what a caller has done to the audit log. */
export type NoteCall = (
  call: { readonly caller: Caller; readonly request: FastifyRequest },
  action: string,
  object: string,
  detail?: string,
) => Promise<void>;

/** @param accounts absent in local mode, which has no audit log */
export function noteCalls(accounts: Accounts | undefined): NoteCall {
  return async ({ caller, request }, action, object, detail) => {
    if (!accounts) return;
    const as = caller.viewingAs === undefined ? '' : ` (viewing as ${caller.viewingAs})`;
    const by = caller.token === undefined ? '' : ` by the token “${caller.token.name}”`;
    await accounts.audit.add({
      actor: `${caller.name}${caller.email === undefined ? '' : ` (${caller.email})`}${as}${by}`,
      actorId: caller.userId,
      address: request.ip,
      action,
      object,
      outcome: 'done',
      ...(detail !== undefined && { detail }),
    });
  };
}
