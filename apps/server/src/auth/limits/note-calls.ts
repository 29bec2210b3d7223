import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../access/caller.ts';
import type { Accounts } from '../accounts/accounts.ts';

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
    await accounts.audit.add({
      actor: actorLabel(caller),
      actorId: caller.userId,
      address: request.ip,
      action,
      object,
      outcome: 'done',
      ...(detail !== undefined && { detail }),
    });
  };
}

/** Returns who a caller is, with the token and the user as whom they view, for the audit log. */
export function actorLabel({ name, email, viewingAs, token }: Caller): string {
  const as = viewingAs === undefined ? '' : ` (viewing as ${viewingAs})`;
  const by = token === undefined ? '' : ` by the token “${token.name}”`;
  return `${name}${email === undefined ? '' : ` (${email})`}${as}${by}`;
}
