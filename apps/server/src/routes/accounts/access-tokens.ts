import type { accessTokenEndpoints } from '@belvedere/api';
import type { Caller } from '../../access/caller.ts';
import type { Accounts } from '../../auth/accounts/accounts.ts';
import type { NoteCall } from '../../auth/limits/note-calls.ts';
import { ProblemError } from '../../http/problems.ts';
import type { User } from '../../state/accounts/users.ts';
import type { Handlers } from '../contract/mount-contract.ts';

/** Endpoints for access tokens and service accounts. Only team mode has them. */
export function accessTokenRoutes(
  accounts: Accounts | undefined,
  note: NoteCall,
): Pick<Handlers, keyof typeof accessTokenEndpoints> {
  const of = () => {
    if (accounts) return accounts;
    throw new ProblemError('not-found', 'Access tokens need accounts. `belvedere serve` has them.');
  };
  const confirmed = (caller: Caller) => {
    of().requireConfirmation(caller);
    return of().tokens;
  };
  const userOf = (id: string): User => {
    const found = of().people.find(id);
    if (!found) throw new ProblemError('not-found', 'This user no longer exists.');
    return found;
  };
  const nameOf = (user: User) => (user.isService ? user.name : `${user.name} (${user.email})`);
  return {
    listOwnTokens: ({ caller }) => ({ tokens: of().tokens.list(caller.userId) }),
    createOwnToken: async call => {
      const { caller, body } = call;
      const created = await confirmed(caller).create(caller.userId, body, caller.userId);
      await note(call, 'token.create', body.name, `scope: ${body.scope}`);
      return created;
    },
    revokeOwnToken: async call => {
      const { name } = await of().tokens.revoke(call.caller.userId, call.params.token);
      await note(call, 'token.revoke', name);
      return {};
    },

    createServiceAccount: async call => {
      const { name, role, groups } = call.body;
      of().requireConfirmation(call.caller);
      if (role === 'owner')
        throw new ProblemError('request-invalid', 'A service account cannot be an owner.');
      await of().groups.check(groups);
      const id = await of().users.addService({ name, role }, groups);
      await of().people.load();
      await note(call, 'service.create', name, `as ${role}`);
      return { id };
    },
    listTokens: ({ params }) => ({ tokens: of().tokens.list(userOf(params.user).id) }),
    createServiceToken: async call => {
      const { caller, params, body } = call;
      const tokens = confirmed(caller);
      const user = userOf(params.user);
      if (!user.isService)
        throw new ProblemError(
          'request-invalid',
          `${nameOf(user)} is a person, who creates access tokens under Settings › Profile.`,
        );
      const created = await tokens.create(user.id, body, caller.userId);
      await note(call, 'token.create', `${user.name}: ${body.name}`, `scope: ${body.scope}`);
      return created;
    },
    revokeToken: async call => {
      const { caller, params } = call;
      of().requireConfirmation(caller);
      const user = userOf(params.user);
      const { name } = await of().tokens.revoke(user.id, params.token);
      await note(call, 'token.revoke', `${nameOf(user)}: ${name}`);
      return {};
    },
  };
}
